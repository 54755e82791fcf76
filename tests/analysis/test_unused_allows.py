"""Comments that allow nothing are reported where nothing is missed, and what their fixes leave."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings, apply_edits

HEAD = "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n"
TAIL = "    return y\n\n\nf(tf.constant(1.0))\n"


def findings(text: str, settings: Settings | None = None, root: Path | None = None, name: str = "a.py") -> list[str]:
    project = Project(root, settings or Settings())
    path = name if root is None else str(root / name)
    project.set_text(path, text)
    return [each.rule for each in project.check(path)]


def fixed(text: str) -> str:
    project = Project(None, Settings())
    project.set_text("a.py", text)
    [found] = project.check("a.py")
    assert found.rule == "unused-allow" and found.fixes[0].certain
    return apply_edits(text, found.fixes[0].edits)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    y = x + 1.0  # graphwright: allow[effects]\n", "    y = x + 1.0\n"),
        ("    # graphwright: allow\n    y = x + 1.0\n", "    y = x + 1.0\n"),
        ("    y = x + 1.0  # graphwright: allow[effects] as before\n", "    y = x + 1.0  # as before\n"),
        ("    y = x + 1.0  # graphwright: allow  # as before\n", "    y = x + 1.0  # as before\n"),
        ("    y = x + 1.0  # as before  # graphwright: allow[effects]\n", "    y = x + 1.0  # as before\n"),
        (
            "    print(x)  # graphwright: allow[effects, state]\n    y = x\n",
            "    print(x)  # graphwright: allow[effects]\n    y = x\n",
        ),
        (
            "    print(x)  # graphwright: allow[state, effects]\n    y = x\n",
            "    print(x)  # graphwright: allow[effects]\n    y = x\n",
        ),
    ],
)
def test_the_fix_removes_what_is_of_no_use(before: str, after: str):
    assert fixed(HEAD + before + TAIL) == HEAD + after + TAIL
    assert findings(HEAD + after + TAIL) == []


def test_the_last_line_may_end_without_a_line_end():
    text = HEAD + "    return x\n\n\nf(tf.constant(1.0))  # graphwright: allow"
    assert fixed(text) == text.removesuffix("  # graphwright: allow")


UNUSED = HEAD + "    y = x + 1.0  # graphwright: allow[print-at-trace]\n" + TAIL


@pytest.mark.parametrize(
    "table",
    [
        {"ignore": ["print-at-trace"]},
        {"ignore": ["effects"]},
        {"severity": {"print-at-trace": "off"}},
        {"select": ["comments"]},
        {"ignore": ["unused-allow"]},
    ],
)
def test_a_rule_that_is_off_needs_no_comment_for_now(table: dict[str, object]):
    assert findings(UNUSED) == ["unused-allow"]
    assert findings(UNUSED, Settings.from_mapping(table, "here")) == []


def test_a_family_is_of_use_while_one_of_its_rules_is_off():
    text = UNUSED.replace("print-at-trace", "effects")
    assert findings(text) == ["unused-allow"]
    assert findings(text, Settings.from_mapping({"ignore": ["print-at-trace"]}, "here")) == []


@pytest.mark.parametrize(
    "text",
    [
        UNUSED.replace("f(tf.constant(1.0))", ""),
        UNUSED.replace("f(tf.constant(1.0))", "f(unknown)"),
        UNUSED.replace("x + 1.0", "x + unknown"),
        UNUSED + "def (:\n",
        UNUSED.replace("    y =", "    return x\n    y ="),
        UNUSED.replace("import tensorflow as tf", "import math as tf"),
    ],
)
def test_silence_where_something_may_be_missed(text: str):
    assert "unused-allow" not in findings(text)


def test_silence_where_other_files_may_see_more(tmp_path: Path):
    (tmp_path / "a.py").write_text(UNUSED, "utf-8")
    assert findings(UNUSED, root=tmp_path) == ["unused-allow"]
    (tmp_path / "train.py").write_text("from a import f\n", "utf-8")
    assert findings(UNUSED, root=tmp_path) == []
    (tmp_path / "train.py").write_text("from b import f\n", "utf-8")
    assert findings(UNUSED, root=tmp_path) == ["unused-allow"]


def test_importers_that_come_and_go_are_noticed(tmp_path: Path):
    file, importer = tmp_path / "a.py", tmp_path / "train.py"
    file.write_text(UNUSED, "utf-8")
    project = Project(tmp_path, Settings())
    for count in range(2):
        assert [each.rule for each in project.check(str(file))] == ["unused-allow"], count
        importer.write_text("from a import f\n", "utf-8")
        project.look_again()
        assert project.check(str(file)) == (), count
        importer.unlink()
        project.look_again()


def test_a_comment_that_is_needed_elsewhere_on_its_line_stays():
    text = HEAD + "    y = x\n    print(x); y = x + 1.0  # graphwright: allow[print-at-trace]\n" + TAIL
    assert findings(text) == []
    assert findings(text.replace("  # graphwright: allow[print-at-trace]", "")) == ["print-at-trace"]


def test_a_comment_that_comes_later_is_judged_as_if_it_had_always_been_there():
    code = HEAD.replace("@tf.function\n", "@tf.function{}\n") + "    y = x + 1.0\n" + TAIL
    project = Project(None, Settings())
    project.set_text("a.py", code.format(""))
    assert project.check("a.py") == ()
    commented = code.format("  # graphwright: allow")
    project.set_text("a.py", commented)
    assert [each.rule for each in project.check("a.py")] == findings(commented)
