"""Graph code from the text alone: the same as of the imported function, wherever the cursor is, half typed or not."""

from __future__ import annotations

import gc
import importlib.util
import random
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from graphwright import previews
from graphwright_analysis.syntax import parse_module

ROOT = Path(__file__).resolve().parents[2]

MODEL = """\
import numpy as np
import tensorflow as tf
from tensorflow import reduce_sum
from somewhere import helper

relu = tf.nn.relu
pi = np.pi


class Model(tf.Module):
    def __init__(self):
        self.__total = tf.Variable(0.0)

    @tf.function
    def step(self, x):
        '日本 🎉'; y = self.__total
        if reduce_sum(x) > 0:
            y = helper(x) + relu(x)
        return y

    def rows(self):
        yield 1


def make(scale):
    import keras

    def other(x):
        return x

    @tf.function
    def scaled(x):
        if x > scale:
            x = keras.ops.abs(x) + other(x)
        return x

    return scaled


squared = tf.function(lambda x: x * x if x > 0 else -x)
"""


def shown(text: str, marker: str, style: previews.PreviewStyle = "graphwright") -> previews.Preview:
    found = previews.preview_of_text(text, text.index(marker), style)
    assert found is not None
    return found


def test_a_method():
    found = shown(MODEL, "def step")
    assert found.refused is None
    assert found.text == (
        "def step(self, x):\n"
        "    '日本 🎉'\n"
        "    y = self._Model__total\n"
        "    y = gw.if_(\n"
        "        reduce_sum(x) > 0,\n"
        "        lambda y: gw.converted(helper)(x) + relu(x),\n"
        "        gw.unchanged,\n"
        "        y,\n"
        "    )\n"
        "    return y\n"
    )
    lines = MODEL.splitlines()
    origins = dict.fromkeys(lines[line].strip() for line in found.lines)
    assert [*origins] == [
        "def step(self, x):",
        "'日本 🎉'; y = self.__total",
        "if reduce_sum(x) > 0:",
        "y = helper(x) + relu(x)",
        "return y",
    ]


@pytest.mark.parametrize("marker", ["@tf.function\n    def step", "def step", "日本", "return y"])
def test_the_function_around_a_place(marker: str):
    offset = MODEL.index(marker) + 1
    found = previews.function_at(parse_module(MODEL), offset)
    assert found is not None
    assert (found.name, found.decorated) == ("Model.step", True)
    assert MODEL[found.range.start : found.range.end].startswith("    @tf.function\n    def step")
    assert MODEL[found.range.start : found.range.end].endswith("return y")


def test_a_function_in_a_function_is_a_part_of_it_or_converted_by_itself():
    module = parse_module(MODEL)
    part = previews.function_at(module, MODEL.index("def other"))
    alone = previews.function_at(module, MODEL.index("x > scale"))
    assert part and alone
    assert (part.name, alone.name) == ("make", "make.scaled")
    assert alone.free == {"keras", "other", "scale"}
    assert "keras.ops.abs(x) + gw.converted(other)(x)" in previews.preview(alone).text


def test_a_lambda():
    assert shown(MODEL, "x * x").text == "lambda x: gw.if_(x > 0, lambda: x * x, lambda: -x)\n"


def test_a_lambda_over_several_lines_parses():
    found = shown("square = tf.function(\n    lambda x:  # a comment\n        x * x\n)\n", "x * x")
    assert found.text == "(lambda x:  # a comment\n        x * x)\n"
    assert found.lines == (1, 2)


def test_outside_of_functions_there_is_nothing():
    assert previews.preview_of_text(MODEL, 0) is None
    assert previews.preview_of_text(MODEL, MODEL.index("class Model")) is None
    assert previews.preview_of_text(MODEL, len(MODEL) + 100) is None
    assert previews.preview_of_text("", 0) is None


def test_behind_the_end_but_indented_is_still_inside():
    text = "def f(x):\n    return x\n    \n\ny = 1\n"
    module = parse_module(text)
    assert previews.function_at(module, text.index("    \n") + 4) is not None
    assert previews.function_at(module, text.index("\n\ny") + 1) is None


def test_what_can_t_be_converted_says_why():
    found = shown(MODEL, "def rows")
    assert found.text == "" and found.refused is not None
    assert "`rows` is a generator" in found.refused.message
    assert MODEL.splitlines()[found.refused.line].strip() == "yield 1"
    assert not found.refused.half_typed


def test_what_is_left_alone_says_so():
    found = shown("import graphwright as gw\n\n@gw.do_not_convert\ndef f(x):\n    return x\n", "return")
    assert found.refused is not None
    assert "isn't converted" in found.refused.message


def test_one_broken_function_costs_no_other():
    broken = MODEL.replace("def rows(self):", "def rows(self")
    assert shown(broken, "def step").text == shown(MODEL, "def step").text
    half = MODEL.replace("helper(x) +", "helper(x +")
    found = shown(half, "reduce_sum(x) > 0")
    assert found.refused is not None and found.refused.half_typed
    assert shown(half, "keras.ops").text == shown(MODEL, "keras.ops").text


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_change_nothing(end: str):
    for marker in ("def step", "keras.ops", "x * x"):
        text = MODEL.replace("\n", end)
        assert shown(text, marker) == shown(MODEL, marker)


def test_plain_tensorflow():
    body = "def f(x: tf.Tensor):\n    if x > 0:\n        x = x + 1\n    return x\n"
    text = f"import tensorflow as tf\n\n\n@tf.function\n{body}"
    found = shown(text, "if x", "tensorflow")
    assert found.text == "def f(x: tf.Tensor):\n    x = tf.cond(x > 0, lambda: x + 1, lambda: x)\n    return x\n"
    assert found.lines == (4, 5, 7)


def test_plain_tensorflow_of_what_is_not_known_is_refused_at_its_line():
    text = "import tensorflow as tf\n\n\ndef f(x):\n    y = x\n    if x > 0:\n        y = 1\n    return y\n"
    found = shown(text, "if x", "tensorflow")
    assert found.refused is not None and found.refused.line == 5


def test_every_line_of_a_text_with_callees_has_a_line():
    text = (
        "import tensorflow as tf\n\n\ndef inner(x):\n    if x > 0:\n        return x\n    return -x\n\n\n"
        "@tf.function\ndef f(x: tf.Tensor):\n    return inner(x)\n"
    )
    found = shown(text, "return inner", "tensorflow")
    lines = found.text.splitlines()
    assert len(lines) == len(found.lines)
    place = next(number for number, line in enumerate(lines) if "tf.cond" in line)
    assert text.splitlines()[found.lines[place]].strip() == "if x > 0:"


def test_what_is_remembered_of_a_file_changes_no_answer():
    text = (
        MODEL
        + "\n\n@tf.function\ndef total(xs: tf.Tensor):\n    y = 0.0\n    for x in xs:\n        y += 1.0\n    return y\n"
    )
    edits = [
        ("y = 0.0", "y = 0"),
        ("y += 1.0", "y += x"),
        ("for x in xs", "while True"),
        ("y = 0", "y = xs"),
        ("xs:", "xs: "),
    ]
    for old, new in edits:
        text = text.replace(old, new)
        located = previews.function_at(parse_module(text), text.index("def total"))
        assert located is not None
        found = previews.preview(located, "tensorflow", text)
        previews._ejected.cache_clear()
        with ThreadPoolExecutor(1) as other_thread:
            assert other_thread.submit(previews.preview, located, "tensorflow", text).result() == found


METHOD = """\
import tensorflow as tf


def helper(v):
    # it is called
    if v > 0.0:
        return v
    return -v


class Scale(tf.Module):
    @tf.function
    def run(self, x: tf.Tensor):
        # it is a method
        if tf.reduce_sum(x) > 0.0:
            y = helper(tf.reduce_sum(x)) + 1.0
        else:
            y = tf.reduce_sum(x)
        return y

    @tf.function
    def alone(self, x: tf.Tensor):
        # it calls nothing
        if tf.reduce_sum(x) > 1.0:
            z = x + 1.0
        else:
            z = x
        return z


@tf.function
def run(x):
    if x > 0.0:
        x = helper(x)
    return x


run(tf.constant(1.0))
Scale().run(tf.constant([1.0]))
"""


@pytest.mark.parametrize("name", ["def run(self", "def alone", "def run(x"])
def test_comments_and_blank_lines_move_what_is_remembered(name: str):
    edits = [
        ("    @tf", "\n    @tf"),
        ("        if tf", "\n        # one\n        if tf"),
        ("            y = tf", "            # that\n            y = tf"),
        ("        # it is a method\n", ""),
        ("    # it is called", "    # it is called\n    # there"),
        ("        # it calls nothing\n", "        # it calls\n\n        # nothing\n"),
        ("            z = x\n", "            # that\n            z = x\n"),
        ("    if x > 0.0:", "    # plain\n\n    if x > 0.0:"),
    ]
    text = METHOD
    for old, new in (("", ""), *edits):
        text = text.replace(old, new, 1)
        located = previews.function_at(parse_module(text), text.index(name) + 4)
        assert located is not None
        found = previews.preview(located, "tensorflow", text)
        assert found.refused is None
        previews._ejected.cache_clear()
        with ThreadPoolExecutor(1) as other_thread:
            assert other_thread.submit(previews.preview, located, "tensorflow", text).result() == found


def test_whatever_is_typed_nothing_fails():
    choose = random.Random(3)
    pieces = ["", "(", "\n", '"', '"""', ":", " ", "\t", "lambda x: ", "@", "é🎉", "\r", "def f(x):\n", "yield "]
    for _ in range(150):
        text = MODEL
        for _ in range(choose.randrange(4)):
            place = choose.randrange(len(text))
            text = text[:place] + choose.choice(pieces) + text[place + choose.choice([0, 1, 3, 40]) :]
        module = parse_module(text)
        offset = choose.randrange(len(text))
        located = previews.function_at(module, offset)
        if located is None:
            assert previews.header_at(module, offset) is None
            continue
        found = previews.preview(located)
        assert found.text.count("\n") == len(found.lines)
        lines = [*found.lines, *([found.refused.line] if found.refused else [])]
        assert all(0 <= line < len(module.lines.starts) for line in lines)


FILES = [
    *sorted((ROOT / "tests" / "converter" / "programs").glob("*.py")),
    *sorted(path for path in (ROOT / "examples").glob("*.py") if path.stem != "variables_and_arrays"),
]


@pytest.mark.truth
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_text_gives_what_the_imported_function_gives(path: Path):
    pytest.importorskip("tensorflow")
    import graphwright as gw

    functions = functions_of(path)
    assert functions
    text = path.read_text()
    module = parse_module(text)
    lines = text.splitlines(keepends=True)
    for function in functions:
        line = function.__code__.co_firstlineno - 1
        offset = module.lines.starts[line] + len(lines[line]) - len(lines[line].lstrip())
        located = previews.function_at(module, offset)
        assert located is not None
        if located.name.rpartition(".")[2] != function.__name__:
            continue  # a part of another function
        found = previews.preview(located)
        try:
            expected = gw.to_code(function)
        except gw.ConversionError as error:
            assert found.refused is not None and found.refused.message == error.reason
            continue
        assert (found.text, found.refused) == (expected, None), function.__qualname__


def functions_of(path: Path) -> list[types.FunctionType]:
    """The functions that importing a file makes, one of each `def`."""
    spec = importlib.util.spec_from_file_location(f"previewed_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = {
        function.__code__: function
        for function in gc.get_objects()
        # Not `isinstance`, which asks a proxy for the class of what may be gone.
        if type(function) is types.FunctionType
        and function.__code__.co_filename == str(path)
        and function.__name__ != "<lambda>"
        and function.__module__ == spec.name
        # What was converted while the file was imported has its file, but no source of its own.
        and not hasattr(function, "autograph_info__")
    }
    return list(found.values())


def test_nothing_is_imported_and_tensorflow_isn_t_needed(tmp_path: Path):
    trap = tmp_path / "trap"
    body = "@tf.function\ndef f(x: tf.Tensor):\n    return -x if x > 0 else x\n"
    text = f"import tensorflow as tf\nopen({str(trap)!r}, 'w')\n\n{body}"
    code = (
        "import sys\nfrom graphwright import previews\n"
        f"text = {text!r}\n"
        "for style in ('graphwright', 'tensorflow'):\n"
        "    print(previews.preview_of_text(text, len(text) - 3, style).text)\n"
        "assert not {'tensorflow', 'numpy', 'keras'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "gw.if_(x > 0" in done.stdout and "tf.cond(x > 0" in done.stdout
    assert not trap.exists()
