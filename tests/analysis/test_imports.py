"""Names from other files of the project: what they define counts as if it stood here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from graphwright_analysis import Diagnostic, Project, Range, Settings, inlay_hints

HELPERS = "import tensorflow as tf\n\ndef half(x):\n    return tf.cast(x, tf.float16)\n\nSCALE = 2\n"
USER = """\
import tensorflow as tf
{imported}

@tf.function
def f(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = {call}
    else:
        y = tf.constant(1.0)
    return y
"""


def project(folder: Path, files: Mapping[str, str]) -> Project:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Project(folder, Settings())


def rules(found: tuple[Diagnostic, ...]) -> list[str]:
    return [diagnostic.rule for diagnostic in found]


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        ("from helpers import half", "half(x)"),
        ("from helpers import half as h", "h(x)"),
        ("import helpers as h", "h.half(x)"),
        ("from .helpers import half", "half(x)"),
        ("from . import helpers", "helpers.half(x)"),
        ("from reexporting import half", "half(x)"),
        ("from inner.deep import half", "half(x)"),
        ("from inner import deep", "deep.half(x)"),
    ],
)
def test_a_helper_in_another_file_is_followed(tmp_path: Path, imported: str, call: str):
    files = {
        "helpers.py": HELPERS,
        "reexporting.py": "from helpers import half\n",
        "inner/__init__.py": "",
        "inner/deep.py": HELPERS,
        "user.py": USER.format(imported=imported, call=call),
    }
    assert rules(project(tmp_path, files).check(str(tmp_path / "user.py"))) == ["branch-dtype-mismatch"]


def test_findings_in_the_other_file_are_its_own(tmp_path: Path):
    helper = USER.format(imported="", call="tf.constant(1)")
    files = {"helpers.py": helper, "user.py": "import tensorflow as tf\nfrom helpers import f\nf(tf.ones([2]))\n"}
    both = project(tmp_path, files)
    assert both.check(str(tmp_path / "user.py")) == ()
    assert rules(both.check(str(tmp_path / "helpers.py"))) == ["branch-dtype-mismatch"]


def test_an_edit_of_the_other_file_is_seen(tmp_path: Path):
    files = {"helpers.py": HELPERS, "user.py": USER.format(imported="from helpers import half", call="half(x)")}
    both = project(tmp_path, files)
    user, helpers = str(tmp_path / "user.py"), str(tmp_path / "helpers.py")
    assert rules(both.check(user)) == ["branch-dtype-mismatch"]
    both.set_text(helpers, HELPERS.replace("float16", "float32"))
    assert both.check(user) == ()
    both.forget(helpers)
    assert rules(both.check(user)) == ["branch-dtype-mismatch"]
    (tmp_path / "helpers.py").unlink()
    assert both.check(user) == ()


def test_files_that_import_each_other(tmp_path: Path):
    files = {
        "a.py": "from b import half\n" + USER.format(imported="", call="half(x)"),
        "b.py": "from a import f\n" + HELPERS,
        "c.py": "from d import nothing\n",
        "d.py": "from c import nothing\n",
    }
    all_of_them = project(tmp_path, files)
    assert rules(all_of_them.check(str(tmp_path / "a.py"))) == ["branch-dtype-mismatch"]
    assert [all_of_them.check(str(tmp_path / name)) for name in ("b.py", "c.py", "d.py")] == [(), (), ()]


def test_a_switch_of_another_file_is_not_folded(tmp_path: Path):
    text = "import tensorflow as tf\nfrom config import ON\n\n@tf.function\ndef f(x: tf.Tensor):\n    if ON:\n"
    text += "        y = x\n    return y\n"
    files = {"config.py": "ON = False\n", "user.py": text}
    assert project(tmp_path, files).check(str(tmp_path / "user.py")) == ()


def test_a_class_of_another_file_can_be_inherited(tmp_path: Path):
    base = "import tensorflow as tf\n\nclass Base(tf.Module):\n    def half(self, x):\n"
    base += "        return tf.cast(x, tf.float16)\n"
    user = "import tensorflow as tf\nfrom base import Base\n\nclass Net(Base):\n    @tf.function\n"
    user += "    def f(self, x: tf.Tensor):\n        if tf.reduce_sum(x) > 0:\n            y = self.half(x)\n"
    user += "        else:\n            y = tf.constant(1.0)\n        return y\n"
    files = {"base.py": base, "user.py": user}
    assert rules(project(tmp_path, files).check(str(tmp_path / "user.py"))) == ["branch-dtype-mismatch"]


SWITCH = """\
import tensorflow as tf
from switches import {name}

@tf.function
def f(x: tf.Tensor):
    if {name}:
        return tf.cast(x, tf.float16)
    return x

y = f(tf.zeros([2]))
"""


@pytest.mark.parametrize(("name", "shown"), [("DEBUG", ": ?"), ("UNSET", ": ?"), ("LEVEL", ": float16[2]")])
def test_a_switch_of_another_file_may_be_set_otherwise(tmp_path: Path, name: str, shown: str):
    switches = "DEBUG = True\nUNSET = None\nLEVEL = 3\n"
    text = SWITCH.format(name=name)
    opened = project(tmp_path, {"switches.py": switches, "user.py": text})
    hints = inlay_hints(opened, str(tmp_path / "user.py"), Range(text.index("y ="), len(text)), frozenset({"types"}))
    assert [hint.label for hint in hints] == [shown] * (shown != ": ?")


def test_what_is_still_is_looked_at_once_until_something_changes_after_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    files = {"helpers.py": HELPERS, "user.py": USER.format(imported="from helpers import half", call="half(x)")}
    project(tmp_path, files)
    still, user, helpers = Project(tmp_path, Settings(), still=True), str(tmp_path / "user.py"), tmp_path / "helpers.py"
    assert rules(still.check(user)) == ["branch-dtype-mismatch"]
    looked: list[object] = []
    stat = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **rest: (looked.append(path), stat(path, **rest))[1])
    assert rules(still.check(user)) == ["branch-dtype-mismatch"]
    assert looked == []
    helpers.write_text(HELPERS.replace("float16", "float32"))
    assert rules(still.check(user)) == ["branch-dtype-mismatch"]
    still.look_again()
    assert still.check(user) == ()
    still.set_text(str(helpers), HELPERS)
    assert rules(still.check(user)) == ["branch-dtype-mismatch"]
    still.forget(str(helpers))
    assert still.check(user) == ()
