"""Names from other files of the project: what they define counts as if it stood here."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import (
    Diagnostic,
    Project,
    Range,
    Settings,
    changing_files,
    code_lenses,
    inlay_hints,
    linking,
    star_imports,
)

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


def test_an_edit_in_a_circle_is_followed_to_its_end(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """What is known of a file is looked through while another one, which it asks for something, calls what is in it."""
    model = "\n\nclass Model(tf.keras.Model):\n    def __init__(self):\n        {}\n\n\nmodel.compile(loss='mse')\n"
    head = "import tensorflow as tf\n"
    files = {
        "one.py": head + "from two import model" + model.format("pass"),
        "two.py": head + "from one import Model\n\nmodel = Model()\n",
        "three.py": head + "from two import *\n\nmodel.fit(tf.zeros([4, 2]), tf.zeros([4, 1]))\n",
    }
    opened, one, two = project(tmp_path, files), str(tmp_path / "one.py"), str(tmp_path / "two.py")
    opened.trace(str(tmp_path / "three.py"))
    opened.set_text(one, files["one.py"].replace("pass", "self.dense = tf.keras.layers.Dense(2)"))
    assert opened.run_reports(two).called == {one: {"Model.__init__"}}
    assert caplog.messages == []


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


def runs_for_others(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are run for those that import them, from now on."""
    found: list[str] = []
    run = linking.exports_of

    def noted(*arguments: Any) -> Any:
        found.append(Path(arguments[-1]).name)
        return run(*arguments)

    monkeypatch.setattr(linking, "exports_of", noted)
    return found


STARRED = "".join(f"from .part{number} import *\n" for number in range(40))


def test_only_the_file_that_binds_a_starred_name_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    parts = {f"parts/part{number}.py": f"import tensorflow as tf\nname{number} = 1\n" for number in range(39)}
    files = parts | {
        "parts/__init__.py": STARRED,
        "parts/part39.py": HELPERS,
        "user.py": USER.format(imported="from parts import half", call="half(x)"),
    }
    ran = runs_for_others(monkeypatch)
    assert rules(project(tmp_path, files).check(str(tmp_path / "user.py"))) == ["branch-dtype-mismatch"]
    assert ran == ["__init__.py", "part39.py"]


@pytest.mark.parametrize(
    ("looking", "ran"),
    [
        ("names = [name for name in dir(unavailable) if name]", ["structure.py", "helpers.py"]),
        ("alias = unavailable", ["structure.py", "helpers.py"]),
        ("names = unavailable.SCALE", ["structure.py", "unavailable.py", "helpers.py"]),
        ("alias = unavailable\nnames = alias.SCALE", ["structure.py", "unavailable.py", "helpers.py"]),
    ],
)
def test_a_module_is_run_once_something_is_looked_up_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looking: str, ran: list[str]
):
    files = {
        "unavailable.py": HELPERS,
        "structure.py": f"import tensorflow as tf\nimport unavailable\n{looking}\nfrom helpers import half\n",
        "helpers.py": HELPERS,
        "user.py": USER.format(imported="from structure import half", call="half(x)"),
    }
    noted = runs_for_others(monkeypatch)
    assert rules(project(tmp_path, files).check(str(tmp_path / "user.py"))) == ["branch-dtype-mismatch"]
    assert noted == ran


def test_a_module_under_another_files_name_is_followed_and_watched(tmp_path: Path):
    files = {
        "helpers.py": HELPERS,
        "between.py": "import tensorflow as tf\nimport helpers\n\nchosen = helpers\n",
        "user.py": USER.format(imported="from between import chosen", call="chosen.half(x)"),
    }
    looked, user = project(tmp_path, files), str(tmp_path / "user.py")
    assert rules(looked.check(user)) == ["branch-dtype-mismatch"]
    looked.set_text(str(tmp_path / "helpers.py"), HELPERS.replace("float16", "float32"))
    assert looked.check(user) == ()


def test_a_circle_of_stars_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    parts = {f"parts/part{number}.py": STARRED + f"name{number} = 1\n" for number in range(40)}
    imported = "from parts.part0 import *\nfrom helpers import half"
    files = parts | {"helpers.py": HELPERS, "user.py": USER.format(imported=imported, call="half(name7)")}
    ran, asked = runs_for_others(monkeypatch), list[str]()
    looked = project(tmp_path, files)
    found = looked.sources.destination_in_project
    monkeypatch.setattr(
        looked.sources, "destination_in_project", lambda path, what: asked.append(path) or found(path, what)
    )
    looked.check(str(tmp_path / "user.py"))
    assert sorted(ran) == ["helpers.py", "part7.py"]
    # Each file is asked once where each of its stars leads, for each name that is looked up: `name7`, and `range`.
    assert len(asked) <= 40 * 41 * 3


def test_a_starred_name_that_a_second_file_binds_is_unknown(tmp_path: Path):
    files = {
        "parts/__init__.py": "from .one import *\nfrom .two import *\n",
        "parts/one.py": HELPERS,
        "parts/two.py": "SCALE = 3\n",
        "user.py": USER.format(imported="from parts import half", call="half(x)"),
    }
    looked = project(tmp_path, files)
    user = str(tmp_path / "user.py")
    assert rules(looked.check(user)) == ["branch-dtype-mismatch"]
    (tmp_path / "parts/two.py").write_text("def half(x):\n    return x\n\n")
    assert rules(looked.check(user)) == []
    assert str(tmp_path / "parts/two.py") in looked.traced.files_looked_up(user)


def test_a_name_behind_too_many_stars_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(star_imports, "MOST_FILES", 10)
    files = {f"parts/part{number}.py": "" for number in range(39)} | {
        "parts/__init__.py": STARRED,
        "parts/part39.py": HELPERS,
        "user.py": USER.format(imported="from parts import *", call="half(x)"),
    }
    assert rules(project(tmp_path, files).check(str(tmp_path / "user.py"))) == []


SHARED = {
    "shared.py": "import tensorflow as tf\n\nSCALE = tf.constant(1.0)\nTABLE = [tf.constant(1)]\n",
    "first.py": """\
import tensorflow as tf
import shared

BEFORE = shared.SCALE
shared.SCALE = shared.TABLE[0]
AFTER = shared.SCALE


@tf.function
def scaled(x):
    y = x * AFTER
    return y
""",
    "second.py": "import shared\n\nUNCHANGED = shared.SCALE\nKEPT = shared.TABLE[0]\n",
    "third.py": """\
import tensorflow as tf
import shared

shared.TABLE.append(tf.constant([1.0, 2.0]))
LAST = shared.TABLE[-1]
""",
    "reader.py": """\
import shared
from first import AFTER
from second import KEPT
from third import LAST

KNOWN = [AFTER, KEPT, LAST]
SCALE = shared.SCALE
APPENDED = shared.TABLE[-1]
""",
    "program.py": """\
import tensorflow as tf
import shared
from reader import SCALE


@tf.function
def step(x):
    y = x * tf.cast(shared.SCALE, tf.float32)
    return y


step(tf.ones([3]))
""",
}


def shown_types(project: Project, path: Path) -> dict[str, str]:
    """The hints of a file, by the name that each stands beside."""
    text = project.text(str(path))
    hints = inlay_hints(project, str(path), Range(0, len(text)))
    return {text[: hint.offset].split()[-1]: hint.label for hint in hints if hint.kind == "types"}


def settled(folder: Path, order: Sequence[str], asked_meanwhile: bool) -> dict[str, object]:
    """All that is shown and found in files that were opened in this order, once nothing more is found out."""
    project, paths = Project(folder, Settings()), [folder / name for name in order]
    for path in paths:
        project.set_text(str(path), path.read_text())
        if asked_meanwhile:
            shown_types(project, path)
    project.refresh_importers()
    while sum(project.refresh_callers(str(path)) for path in paths):
        pass
    return {
        path.name: (shown_types(project, path), code_lenses(project, str(path)), project.check(str(path)))
        for path in sorted(paths)
    }


def test_what_a_file_changes_in_another_one_is_seen_by_those_that_use_it(tmp_path: Path):
    found = project(tmp_path, SHARED)
    assert shown_types(found, tmp_path / "first.py") == {
        "BEFORE": ": float32[]",
        "shared.SCALE": ": int32[]",
        "AFTER": ": int32[]",
        "y": ": int32[...]",
    }
    assert shown_types(found, tmp_path / "second.py") == {"UNCHANGED": ": float32[]", "KEPT": ": int32[]"}
    shown = shown_types(found, tmp_path / "reader.py")
    assert (shown["SCALE"], shown["APPENDED"]) == (": int32[]", ": float32[2]")


def test_the_order_in_which_files_are_opened_changes_nothing(tmp_path: Path):
    project(tmp_path, SHARED)
    orders = [*itertools.permutations(SHARED)]
    random.Random(7).shuffle(orders)
    expected = settled(tmp_path, [*SHARED], False)
    for index, order in enumerate([[*reversed(SHARED)], *orders[:40]]):
        assert settled(tmp_path, order, index % 2 == 0) == expected, order


def test_what_a_file_has_changed_counts_for_as_long_as_something_is_asked_of_it(tmp_path: Path):
    found, reader = project(tmp_path, SHARED), tmp_path / "reader.py"
    reader.write_text("import shared\nfrom first import AFTER\n\nKNOWN = [AFTER]\nscale = shared.SCALE\n")
    assert shown_types(found, reader) == {"scale": ": int32[]"}
    reader.write_text("import shared\n\nscale = shared.SCALE\n")
    assert shown_types(found, reader) == {"scale": ": float32[]"}


def test_what_a_file_changes_from_now_on_is_seen_by_those_that_ask_it_for_something(tmp_path: Path):
    found, reader = project(tmp_path, SHARED | {"first.py": "AFTER = 1\n"}), tmp_path / "reader.py"
    reader.write_text("import shared\nfrom first import AFTER\n\n\ndef f(x):\n    scale = shared.SCALE\n\n\nf(AFTER)\n")
    assert shown_types(found, reader) == {"scale": ": float32[]"}
    (tmp_path / "first.py").write_text("import shared\n\nshared.SCALE = shared.TABLE[0]\nAFTER = 1\n")
    assert shown_types(found, reader) == {"scale": ": int32[]"}


def test_what_a_file_has_changed_in_another_one_goes_with_it(tmp_path: Path):
    found = project(tmp_path, SHARED)
    reader = "import shared\nfrom first import AFTER\n\nKNOWN = [AFTER]\nscale = shared.SCALE\n"
    (tmp_path / "reader.py").write_text(reader)
    assert shown_types(found, tmp_path / "reader.py") == {"scale": ": int32[]"}
    (tmp_path / "first.py").write_bytes(b"x = '\xff'\0")
    assert shown_types(found, tmp_path / "reader.py") == {"scale": ": float32[]"}
    (tmp_path / "first.py").write_text(SHARED["first.py"])
    assert shown_types(found, tmp_path / "reader.py") == {"scale": ": int32[]"}


def test_what_files_change_each_on_its_own_is_known_as_far_as_they_agree(tmp_path: Path):
    files = {
        "shared.py": "SCALE = None\n",
        "one.py": "import shared, tensorflow as tf\n\nshared.SCALE = tf.constant(1.0)\nONE = 1\n",
        "other.py": "import shared, tensorflow as tf\n\nshared.SCALE = tf.constant([1.0])\nOTHER = 1\n",
        "user.py": (
            "import shared\nfrom one import ONE\nfrom other import OTHER\n\n"
            "numbers = ONE + OTHER\nfound = shared.SCALE\n"
        ),
    }
    shown = shown_types(project(tmp_path, files), tmp_path / "user.py")
    assert shown["found"] == ": float32[...]"


MAKES = """\
import tensorflow as tf


class Scale(tf.Module):
    @tf.function
    def __call__(self, x):
        self.by = tf.Variable(2.0)
        return x * self.by


scale = Scale()
"""
CALLS = "import tensorflow as tf\nfrom makes import scale\n\nscale(tf.constant(1.0))\nNUMBER = 1\n"


def test_what_another_file_has_called_counts_for_those_alone_that_use_it(tmp_path: Path):
    files = {
        "makes.py": MAKES,
        "calls.py": CALLS,
        "calls_too.py": CALLS,
        "uses.py": "import tensorflow as tf\nfrom calls import NUMBER\n\ntwice = tf.constant(1) + NUMBER\n",
    }
    opened = project(tmp_path, files)
    before = opened.run_reports(str(tmp_path / "calls_too.py"))
    assert [each.rule for each in before.others[str(tmp_path / "makes.py")].diagnostics] == [
        "variable-created-in-function"
    ]
    other = project(tmp_path, files)
    other.trace(str(tmp_path / "uses.py"))
    assert other.run_reports(str(tmp_path / "calls_too.py")) == before


def test_a_program_that_imports_a_file_that_cannot_be_read_is_checked(tmp_path: Path):
    user = USER.format(imported="from helpers import half", call="tf.cast(x, tf.float16)") + "\n\nf(half)\n"
    both = project(tmp_path, {"user.py": user})
    (tmp_path / "helpers.py").write_bytes(b"x = '\xff'\0")
    assert rules(both.run_reports(str(tmp_path / "user.py")).own.diagnostics) == ["branch-dtype-mismatch"]


def test_a_file_that_is_imported_by_those_that_it_imports_is_no_caller_of_its_own(tmp_path: Path):
    files = {
        "helpers.py": "from user import f\n" + HELPERS + "f(SCALE)\n",
        "user.py": USER.format(imported="from helpers import half", call="half(x)") + "\n\nf(tf.ones([2]))\n",
    }
    both, (helpers, user) = project(tmp_path, files), (str(tmp_path / name) for name in files)
    assert both.run_reports(user).called == {helpers: {"half"}}


def test_a_file_that_is_too_long_costs_those_that_import_it_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    searched: list[int] = []

    def may_change(text: str) -> bool:
        searched.append(len(text))
        return False

    monkeypatch.setattr(changing_files, "may_change", may_change)
    user = USER.format(imported="import big, small", call="x")
    files = {"big.py": "x = 1\n" * 1_000_000, "small.py": "y = 1\n", "user.py": user}
    project(tmp_path, files).check(str(tmp_path / "user.py"))
    assert searched == [len(files["small.py"])]
