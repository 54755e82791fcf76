"""Whatever happened to the files of a program, and whatever was asked meanwhile, all that is told is a fresh look's.

`random_histories.py`, run as a script, does it with any number of other seeds, and with copies of published code.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from graphwright_analysis.sources import Sources
from graphwright_analysis.tracing.machine import run
from histories import History, Step, history
from random_files import drawn
from random_histories import reduced
from replaying import Fault, faults
from tiers import part


def found(history: History, folder: Path) -> list[Fault]:
    """What differs, but where files import each other in a circle: there it may hang on which is run first."""
    return [fault for fault in faults(history, folder) if not fault.in_circle]


IN_A_MINUTE = [*range(12)]
LATER = [pytest.param(seed, marks=pytest.mark.thorough) for seed in part(range(12, 60), 2)]


@pytest.mark.parametrize("seed", IN_A_MINUTE + LATER)
def test_what_led_to_it_changes_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "BREATH", 1)
    dice = random.Random(f"history {seed}")
    _, program = drawn(dice)
    assert found(history(dice, program, 12), tmp_path.resolve()) == []


FORGOTTEN = History(
    {"one.py": "import tensorflow as tf\n\nx = tf.constant(1)\n"},
    (
        Step("trace", "one.py"),
        Step("open", "two.py", "import one\n\ny = one.x\n"),
        Step("close", "two.py"),
        Step("compare"),
        Step("write", "one.py", "import tensorflow as tf\n\n\nx = tf.constant(1.0)\n"),
        Step("compare"),
    ),
)


def test_what_differs_is_noticed_and_cut_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert found(FORGOTTEN, tmp_path.resolve()) == []
    # Nobody sees that files change on the disk.
    monkeypatch.setattr(Sources, "stamp_of", lambda sources, path: (1, 1))
    first = next(faults(FORGOTTEN, tmp_path.resolve()))
    assert (first.after, first.path, first.what) == (5, "one.py", "values")
    assert [step.what for step in reduced(FORGOTTEN, first).steps] == ["compare", "write", "compare"]


CALLED = "def scaled(x):\n    if x > 0:\n        y = x\n    return y\n"
CALLING = """import tensorflow as tf
from called import scaled


@tf.function
def f(x):
    return scaled(x)


f(tf.constant(1.0))
"""


@pytest.mark.parametrize("patience", range(5))
def test_what_an_older_trace_reports_is_where_the_code_is_now(patience: int, tmp_path: Path):
    steps = (
        Step("open", "called.py", "\n" + CALLED),
        Step("refresh", "called.py"),
        Step("with callers", "called.py"),
        Step("open", "called.py", CALLED),
        Step("check", "called.py", patience=patience),
        Step("run_reports", "calling.py"),
        Step("compare", number=1),
    )
    assert found(History({"called.py": CALLED, "calling.py": CALLING}, steps, still=True), tmp_path.resolve()) == []


EXTENDING = """import tensorflow as tf


def install(name, function):
    setattr(tf.Tensor, name, function)


install("mean", tf.math.reduce_mean)
"""
EXTENDED = """import tensorflow as tf
import extending


@tf.function
def mean(x):
    return x.mean()


mean(tf.ones([2]))
"""


def test_what_a_file_stores_on_classes_of_tensorflow_is_part_of_its_result(tmp_path: Path):
    """Installed before there is a function to do it, nothing is stored, though each name of the file is as it was."""
    head, definition, call = EXTENDING.split("\n\n\n")
    steps = (
        Step("compare", number=1),
        Step("open", "extending.py", "\n\n\n".join((head, call, definition))),
        Step("compare", number=1),
    )
    program = {"extending.py": EXTENDING, "extended.py": EXTENDED}
    assert found(History(program, steps), tmp_path.resolve()) == []


def test_a_module_that_can_be_read_again_is_looked_in_again(tmp_path: Path):
    """What it brings by a star import is no name of its own, so none of its cells changes."""
    layers = "import tensorflow as tf\nimport brought as keras\n\n\nclass Doubled(keras.layers.Layer):\n"
    layers += "    def call(self, x):\n        if tf.reduce_sum(x) > 0.0:\n            x = x * 2\n        return x\n"
    star = "from tensorflow.keras import *\n"
    steps = (Step("spoil", "brought.py"), Step("compare"), Step("open", "brought.py", star), Step("compare"))
    assert found(History({"brought.py": star, "layers.py": layers}, steps), tmp_path.resolve()) == []


def test_fixes_are_looked_for_again_once_a_caller_reports_another_thing(tmp_path: Path):
    """The first time, the fix of the switch brought a finding to light that the caller reports in any case now."""
    step = "import tensorflow as tf\n\n\n@tf.function\n@tf.function\ndef step(x):\n    if x > 0:\n        y = x\n"
    step += "    return y\n\n\ntf.config.run_functions_eagerly(True)\nstep(tf.constant(1.0))\n"
    caller = "import tensorflow as tf\nfrom step import *\n"
    steps = (
        Step("compare", number=1),
        Step("write", "caller.py", f"{caller}step(tf.constant(1.0))\n"),
        Step("compare", number=1),
    )
    assert found(History({"step.py": step, "caller.py": caller}, steps), tmp_path.resolve()) == []


def test_a_class_that_another_one_of_its_name_had_replaced_is_used_again(tmp_path: Path):
    """What is no longer there was last met among the methods of the class, whose own changes are undone."""
    head = "import tensorflow as tf\n\n\n"
    net = "class Net(tf.Module):\n    def __init__(self, n):\n        self.layers = [n]\n\n\n"
    test = "class Test:\n    def test(self):\n        return Net(self.n)\n\n\n"
    steps = (Step("compare"), Step("open", "nets.py", f"{head}{net}{test}"), Step("compare"))
    assert found(History({"nets.py": f"{head}{net}{test}{net}"}, steps), tmp_path.resolve()) == []
