"""The same text gives the same findings, whatever edits led to it; and no text, however cut up, raises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphwright_analysis import Project, Range, Settings, all_rules, code_actions, hover
from pages import read_page

ROOT = Path(__file__).resolve().parents[2]


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield path.stem, path.read_text("utf-8")
    for rule in all_rules():
        yield rule.name, read_page(rule).bad
    # Real code of another kind, with every construct of the language: our own.
    for name in ("tracing/statements.py", "syntax/blocks.py", "project.py"):
        yield name, "import tensorflow as tf\n" + (ROOT / "analysis/graphwright_analysis" / name).read_text("utf-8")


SOURCES = dict(sources())
PIECES = [
    "(", ")", "[", "{", '"""', "'", ":", "=", "\n", "    ", "\t", "if x > 0:\n", "else:", "for i in tf.range(3):\n",
    "return", "def f(", "@tf.function\n", "lambda", "\\", "#", "\r\n", "\ufeff", "\U0001f600", "\0", "x.", "await ",
    "tf.constant(1.0)", "y = ", "match x:\n    case ", "async ", "*", "f'{", "print 'x'\n", "<<<<<<< HEAD\n",
]  # fmt: skip


def edited(text: str, dice: random.Random) -> str:
    """One edit: something typed, cut out, duplicated from elsewhere, or spliced in from another file."""
    start = dice.randrange(len(text) + 1)
    match dice.randrange(4):
        case 0:
            return text[:start] + dice.choice(PIECES) + text[start:]
        case 1:
            return text[:start] + text[start + dice.choice((1, 1, 3, 40, 200)) :]
        case 2:
            other = dice.choice(sorted(SOURCES))
            begin = dice.randrange(len(SOURCES[other]))
            return text[:start] + SOURCES[other][begin : begin + dice.randrange(300)] + text[start:]
        case _:
            line = text.rfind("\n", 0, start) + 1
            return text[:line] + text[start:]


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_edits_lead_to_what_a_fresh_look_finds(name: str):
    dice = random.Random(f"edits of {name}")
    project, text = Project(None, Settings()), SOURCES[name]
    for step in range(30):
        project.set_text("file.py", text)
        found = project.check("file.py")
        fresh = Project(None, Settings())
        fresh.set_text("file.py", text)
        assert found == fresh.check("file.py"), f"after {step} edits"
        offset = dice.randrange(len(text) + 1)
        assert hover(project, "file.py", offset) == hover(fresh, "file.py", offset)
        assert code_actions(project, "file.py", Range(0, len(text))) == code_actions(
            fresh, "file.py", Range(0, len(text))
        )
        # Now and then back to the start, as an undo does.
        text = SOURCES[name] if dice.random() < 0.1 else edited(text, dice)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_prefix_can_be_checked(name: str):
    """What an editor shows while a file is typed from its first character on."""
    project, text = Project(None, Settings()), SOURCES[name]
    stride = max(1, len(text) // 60)
    for end in range(0, len(text), stride):
        project.set_text("file.py", text[:end])
        project.check("file.py")


def test_findings_elsewhere_stay_while_a_statement_is_half_typed():
    text = SOURCES["undefined_in_branch"] + "\n\nresult = scaled_loss(tf.constant(1.0), "
    project = Project(None, Settings())
    project.set_text("file.py", text)
    assert [d.rule for d in project.check("file.py")] == ["undefined-in-branch"] * 2
