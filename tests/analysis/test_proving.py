"""Fixes are offered where the analysis of the fixed text has nothing new to report, and several as one where it has."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from graphwright_analysis import Fix, Project, Severity, apply_edits, proved

HEAD = "import tensorflow as tf\n\n\n@tf.function\n"


def offered(function: str) -> tuple[str, list[Fix], list[str]]:
    """A program, the fixes that are offered of its findings, and the titles of those that aren't."""
    text = HEAD + textwrap.dedent(function).lstrip()
    project = Project(None)
    project.set_text("a.py", text)
    found = project.check("a.py")
    fixes = [fix for each in proved(project, "a.py", found) for fix in each.fixes]
    titles = {fix.title for fix in fixes}
    return text, fixes, [fix.title for each in found for fix in each.fixes if fix.title not in titles]


def severe(text: str) -> list[str]:
    project = Project(None)
    project.set_text("a.py", text)
    return [each.rule for each in project.check("a.py") if each.severity <= Severity.WARNING]


TOGETHER = {
    "two names that one branch leaves unbound": """
        def f(x):
            if tf.reduce_sum(x) > 0:
                a = tf.reduce_sum(x)
                b = tf.reduce_max(x)
            return x * a * b


        f(tf.constant([1.0]))
        """,
    "a dtype that the loop around disagrees with": """
        def f(xs, flag):
            last = tf.constant(0)
            for x in xs:
                if flag:
                    last = tf.argmax(xs)
                else:
                    last = tf.constant(1)
            return last


        f(tf.constant([1.0]), tf.constant(True))
        """,
    "two calls of NumPy in one line": """
        def f(x):
            return (x - np.mean(x)) / np.std(x)


        import numpy as np

        f(tf.constant([1.0]))
        """,
}


@pytest.mark.parametrize("function", [pytest.param(each, id=name) for name, each in TOGETHER.items()])
def test_what_needs_several_fixes_is_fixed_by_one(function: str):
    text, fixes, _ = offered(function)
    project = Project(None)
    project.set_text("a.py", text)
    alone = [fix for each in project.check("a.py") for fix in each.fixes]
    assert any(severe(apply_edits(text, fix.edits)) for fix in alone)
    assert {tuple(severe(apply_edits(text, fix.edits))) for fix in fixes} == {()}


def test_what_leaves_the_finding_isnt_offered():
    function = """
        def f(x):
            return 0.0 < x < 1.0


        f(tf.constant([0.5, 2.0]))
        """
    _, fixes, refused = offered(function)
    assert fixes == [] and refused == ["Test whether all elements are true", "Test whether any element is true"]


def test_what_breaks_something_else_isnt_offered():
    function = """
        def f(s):
            t = s.numpy()
            return t[1:]


        f(tf.constant("abc"))
        """
    assert offered(function)[1] == []


def test_a_finding_that_another_file_tells_of_is_proved_by_its_run(tmp_path: Path):
    hub, user = tmp_path / "hub.py", tmp_path / "user.py"
    hub.write_text("import tensorflow as tf\n\n\ndef made(x):\n    if x > 0:\n        y = x\n    return y * 2.0\n")
    user.write_text("import tensorflow as tf\nfrom hub import made\n\ntf.function(made)(tf.ones([]))\n")
    project = Project(tmp_path)
    told = project.run_reports(str(user)).others[str(hub)].diagnostics
    held = proved(project, str(hub), told, str(user))
    assert [fix.title for each in held for fix in each.fixes] == [
        "Bind `y` to tf.constant(1.0) before the `if`",
        "Bind `y` to tf.constant(1.0) in an `else`",
    ]
    idle = Fix("Change nothing", ())
    assert [each.fixes for each in proved(project, str(hub), [replace(told[0], fixes=(idle,))], str(user))] == [()]
    assert project.run_reports(str(user)).others[str(hub)].diagnostics == told


def test_what_was_proved_is_known_until_the_text_changes(monkeypatch: pytest.MonkeyPatch):
    text = HEAD + textwrap.dedent(TOGETHER["two names that one branch leaves unbound"]).lstrip()
    project = Project(None)
    asked: list[str] = []
    supposing = Project.supposing

    def noted(self: Project, path: str, text: str, runner: str | None = None) -> Project:
        asked.append(text)
        return supposing(self, path, text, runner)

    monkeypatch.setattr(Project, "supposing", noted)
    project.set_text("a.py", text)
    first = proved(project, "a.py", project.check("a.py"))
    found = len(asked)
    assert proved(project, "a.py", project.check("a.py")) == first and len(asked) == found > 1
    project.set_text("a.py", f"# One line more.\n{text}")
    assert proved(project, "a.py", project.check("a.py")) != first and len(asked) == 2 * found
