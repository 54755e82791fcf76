"""The actions that have a finding allowed: once applied, it isn't told any more."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Action, Project, Settings, apply_edits, code_actions
from graphwright_analysis.settings_files import load_settings

HEAD = "import tensorflow as tf\n\n\n@tf.function\ndef f(x: tf.Tensor):\n"
PLAIN = HEAD + "    if tf.reduce_sum(x) > 0:\n        y = x\n    return y\n"


def actions(text: str, root: Path | None = None) -> list[Action]:
    project = Project(root, Settings())
    project.set_text("a.py", text)
    (found,) = project.check("a.py")
    return [action for action in code_actions(project, "a.py", found.range) if "undefined-in-branch" in action.title]


def allowed(text: str, title: str) -> str:
    (action,) = [action for action in actions(text) if title in action.title]
    result = apply_edits(text, action.edits)
    project = Project(None, Settings())
    project.set_text("a.py", result)
    assert project.check("a.py") == ()
    return result


def test_on_its_line():
    line = "    if tf.reduce_sum(x) > 0:  # graphwright: allow[undefined-in-branch]\n"
    assert line in allowed(PLAIN, "on this line")


def test_behind_a_comment_and_beside_another_name():
    text = PLAIN.replace("> 0:", "> 0:  # really")
    assert "# really  # graphwright: allow[undefined-in-branch]\n" in allowed(text, "on this line")
    text = PLAIN.replace("> 0:", "> 0:  # graphwright: allow[retracing]")
    assert "allow[retracing, undefined-in-branch]\n" in allowed(text, "on this line")


@pytest.mark.parametrize(
    "condition",
    ["tf.reduce_sum(\n        x) > 0", "tf.reduce_sum(x) > 0." + "0" * 90 + "1", "tf.reduce_sum(x) \\\n  > 0"],
)
def test_above_what_is_long(condition: str):
    text = HEAD + f"    if {condition}:\r\n        y = x\r\n    return y\r\n"
    assert "\n    # graphwright: allow[undefined-in-branch]\r\n    if" in allowed(text, "on this line")


def test_in_its_file_behind_what_must_come_first():
    text = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n" + PLAIN
    result = allowed(text, "in this file")
    assert result.startswith("#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# graphwright: allow-file[")
    assert allowed(PLAIN, "in this file").startswith("# graphwright: allow-file[undefined-in-branch]\nimport")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[project]\nname = 'a'", "[project]\nname = 'a'\n\n[tool.graphwright]\nignore = [\"undefined-in-branch\"]\n"),
        (
            "[tool.graphwright]  # ours\nselect = ['all']\n[tool.x]\nignore = [1]\n",
            "[tool.graphwright]  # ours\nignore = [\"undefined-in-branch\"]\nselect = ['all']\n"
            "[tool.x]\nignore = [1]\n",
        ),
        (
            "[tool.graphwright]\nignore = [\n'retracing']\n",
            "[tool.graphwright]\nignore = [\"undefined-in-branch\", \n'retracing']\n",
        ),
        ("[tool.graphwright]\nignore = []\n", '[tool.graphwright]\nignore = ["undefined-in-branch"]\n'),
    ],
)
def test_in_the_project(tmp_path: Path, before: str, after: str):
    settings = tmp_path / "pyproject.toml"
    settings.write_text(before)
    (action,) = [action for action in actions(PLAIN, tmp_path) if "project" in action.title]
    assert action.path == str(settings)
    assert apply_edits(before, action.edits) == after
    settings.write_text(after)
    assert "undefined-in-branch" in load_settings(tmp_path).ignore


def test_no_project_no_offer():
    assert [action.title for action in actions(PLAIN)][-1] == "Allow undefined-in-branch in this file"
