"""The operators of `tools/mutate.py` make the changes that they say, in a copy that the tests really see."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import mutants  # noqa: E402
import mutate  # noqa: E402

CHANGES = [
    ("negate a condition", "if a:\n    b()\n", ["if (not (a)):\n    b()\n"]),
    ("negate a condition", "x = [a for a in b if a]\n", ["x = [a for a in b if (not (a))]\n"]),
    ("and for or", "x = a and b\n", ["x = (a or b)\n"]),
    ("drop an operand", "x = a or b\n", ["x = (b)\n", "x = (a)\n"]),
    ("drop an operand", "x = a | b\n", ["x = (a)\n", "x = (b)\n"]),
    ("drop a statement", "def f():\n    'page'\n    a()\n    b = 1\n", ["def f():\n    'page'\n    pass\n    b = 1\n"]),
    ("drop a statement", "for a in b:\n    continue\n", ["for a in b:\n    pass\n"]),
    ("drop a statement", "a.b = c\n", ["pass\n"]),
    ("one side of a join", "x = join(a, b)\n", ["x = a\n", "x = b\n"]),
    ("one side of a join", "x = state.fork()\n", ["x = state\n"]),
    ("one side of a join", "x = ', '.join(a)\n", []),
    ("another constant", "x = 0\n", ["x = 1\n", "x = (-1)\n"]),
    ("another constant", "x = True\n", ["x = False\n"]),
    ("another constant", "def f(x: Literal[1]) -> Literal[1]: ...\n", []),
    (
        "return early",
        "def f() -> None:\n    'page'\n    a()\n",
        ["def f() -> None:\n    'page'\n    if True: return\n    a()\n"],
    ),
    ("return early", "def f():\n    a()\n", []),
    ("drop an element", "for a in b:\n    c\n", ["for a in [*b][1:]:\n    c\n", "for a in [*b][:-1]:\n    c\n"]),
    ("swap arguments", "f(a, b, c)\n", ["f(b, a, c)\n"]),
    ("swap arguments", "isinstance(a, b)\n", []),
    ("another comparison", "x = a is not b\n", ["x = (a is b)\n"]),
    ("another comparison", "x = a in b\n", ["x = (a not in b)\n"]),
    ("another comparison", "x = a < b\n", ["x = (a <= b)\n"]),
    ("nothing returned", "def f():\n    return [a for a in b]\n", ["def f():\n    return []\n"]),
    (
        "drop a case",
        "match a:\n    case 1:\n        b\n    case _:\n        c\n",
        ["match a:\n    case 1 if False:\n        b\n    case _:\n        c\n"],
    ),
]


@pytest.mark.parametrize(("operator", "before", "after"), CHANGES)
def test_an_operator_makes_the_changes_it_says(operator: str, before: str, after: list[str]):
    found = [each for each in mutants.mutants("a.py", before) if each.operator == operator]
    assert [each.applied(before) for each in found] == after
    assert all(mutants.is_sound(each, before) for each in found)


def test_every_operator_is_tried():
    assert {operator for operator, _, after in CHANGES if after} == mutants.OPERATORS.keys()


def test_bytes_and_characters_are_told_apart():
    before = 'x = "日本🎉" if a else 1\n'
    [negated] = [each for each in mutants.mutants("a.py", before) if each.operator == "negate a condition"]
    assert negated.applied(before) == 'x = "日本🎉" if (not (a)) else 1\n'


def test_what_is_no_python_or_no_change_is_no_mutant():
    source = "x = 1\n"
    assert not mutants.is_sound(mutants.Mutant("a.py", "", 1, 4, 5, "("), source)
    assert not mutants.is_sound(mutants.Mutant("a.py", "", 1, 4, 5, "(1)"), source)


def test_a_sample_depends_on_its_seed_alone():
    files = {"a.py": "x = 0\n" * 30, "b.py": "y = a and b\n" * 30, "c.py": ""}
    first = mutants.sample(files, 20, 1)
    assert len(set(first)) == 20
    assert first == mutants.sample(dict(reversed(files.items())), 20, 1)
    assert first != mutants.sample(files, 20, 2)
    assert {each.path for each in first} == {"a.py", "b.py"}


def test_every_folder_that_is_mutated_is_there_and_has_mutants():
    for folder in mutate.STAGES:
        assert len(list((ROOT / folder).rglob("*.py"))) > 3, folder
    for mutant in mutants.SETS:
        assert mutate._defining(mutant).startswith("analysis/")


PROBE = """\
import graphwright_analysis.text
import pytest


def test_the_copy_is_what_is_imported():
    assert graphwright_analysis.text.__file__.startswith({folder!r})
    assert hasattr(graphwright_analysis.text, "CHANGED")
"""


@pytest.mark.thorough
def test_tests_see_the_copy_and_the_checkout_stays_as_it_is(tmp_path: Path):
    probe = tmp_path / "test_probe.py"
    path = "analysis/graphwright_analysis/text.py"
    before = (ROOT / path).read_text("utf-8")
    copy = mutate.Copy(tmp_path / "copy")
    probe.write_text(PROBE.format(folder=str(copy.folder)), "utf-8")
    stage = mutate.Stage((str(probe), "-c", "/dev/null"), False)
    with copy.changed(path, f"{before}\nCHANGED = True\n"):
        code, _, log = copy.run(stage, 60)
        assert (ROOT / path).read_text("utf-8") == before
    assert code == 0, log
    assert copy.run(stage, 60)[0] == 1
    probe.write_text("def test_forever():\n    while True: pass\n", "utf-8")
    assert copy.run(stage, 1)[0] is None
    copy.close()
