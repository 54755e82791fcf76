"""Calls of functions from outside the project, with arguments that fit and arguments that don't.

Nothing that a file calls raises in the analysis: whatever is missing, surplus, starred or passed by name alone.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import json
import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import graphwright_analysis.tracing.library as library
import pytest
from graphwright_analysis import Project, Settings
from graphwright_analysis.tracing.functions import decorators
from graphwright_analysis.tracing.library import library_calls
from graphwright_analysis.values.tensorflow import tables
from tiers import part

HEAD = """
import abc, collections, contextlib, copy, functools, itertools, logging, math, random, time, timeit, tqdm, typing
import graphwright
import numpy as np
import tensorflow as tf

tensor = tf.ones([2, 3])
unknown = time.something()
variable = tf.Variable(1.0)
numbers = [1, 2, 3]
options = {"name": "here", "axis": 0}

def fun(a, b=1):
    return a

def both(x):
    return x, lambda upstream: upstream

def wild(*args, **kwargs):
    return args

class Plain:
    def method(self, x):
        return x

class Layer(tf.keras.layers.Layer):
    def call(self, x, training=None):
        return x

class Mask(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
"""
"""Each call is made in a function of its own, so that one that fails hides no other."""

VALUES = (
    "tensor", "variable", "unknown", "unknown", "numbers", "options", "fun", "both", "wild", "Plain",
    "Plain()", "Layer()",
    "None", "True", "-1", "0", "3.5", "'text'", "b''", "()", "[]", "{}", "(1, None)", "[2, -1]", "lambda: 1",
    "tf.float32",
    "tf.TensorSpec([2])", "tf.TensorShape(None)", "np.zeros(3)", "range(3)", "[tensor, tensor]", "tf.Variable",
    "tf.function(fun)", "functools.partial(fun)", "tf.keras.Input([3])", "tf.data.Dataset.range(3)", "object()",
    "tf.TensorArray(tf.float32, 3)", "tf.ragged.constant([[1]])", "Plain().method", "10 ** 30", "float('nan')",
)  # fmt: skip
STARS = ("*numbers", "*unknown", "*[]", "*tensor", "*[fun] * 9", "**options", "**unknown", "**{}", "**{'f': fun}")
RECEIVERS = (
    "tensor", "variable", "unknown", "numbers", "options", "'{} text'", "(1, 2)", "{1, 2}", "np.zeros([2, 3])",
    "Plain()", "Layer()",
    "tf.data.Dataset.range(9)", "tf.data.Dataset.from_tensor_slices({'a': tensor})", "tf.TensorArray(tf.float32, 3)",
    "tf.GradientTape()", "tf.ragged.constant([[1]])", "tf.sparse.from_dense(tensor)", "tf.TensorShape([2, None])",
    "tf.distribute.MirroredStrategy()", "tf.random.Generator.from_seed(1)", "np.random.default_rng()",
    "random.Random()",
    "tf.keras.Sequential([tf.keras.layers.Dense(3)])", "tf.keras.layers.LSTM(3)", "tf.keras.optimizers.Adam()",
    "tf.keras.metrics.Mean()", "tf.keras.Input([3])", "tf.function(fun)", "collections.deque(numbers)",
    "collections.defaultdict(list)", "collections.Counter()", "logging.getLogger()", "Mask", "super()", "tf.Module()",
    "graphwright.function(fun)", "Mask(tensor, tensor)", "tf.data.Iterator", "iter(numbers)", "fun", "Plain",
)  # fmt: skip
CALLED = (
    "tf.custom_gradient(both)", "tf.custom_gradient(f=both)", "tf.custom_gradient()", "functools.lru_cache()(fun)",
    "functools.lru_cache(fun)", "functools.partial(tf.function)", "tf.function()", "tf.function(func=fun)",
    "graphwright.function()", "functools.wraps(fun)", "functools.wraps(fun)(wild)", "unknown(fun)", "property(fun)",
    "staticmethod(fun)", "classmethod(fun)", "Mask", "Mask.Spec", "functools.partial(Mask.Spec)",
    "eval('lambda x: 1 if x else 2')", "eval('lambda: 1')", "tf.py_function(func=fun)", "tf.numpy_function(fun)",
    "tf.keras.layers.LSTM(3, return_state=True)", "tf.keras.layers.MultiHeadAttention(2, 3)", "tf.keras.Sequential()",
    "tf.keras.layers.Dense(3)", "tf.keras.Model(tf.keras.Input([3]), tf.keras.Input([3]))", "tf.keras.losses.Huber()",
    "tf.keras.layers.Concatenate()", "tf.float32", "collections.namedtuple('P', 'x y')",
    "collections.namedtuple('P', ())",
    "tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(3))", "tf.keras.layers.Lambda(fun)",
    "tf.init_scope()", "tensor",
)  # fmt: skip
"""What isn't a name and is called."""


def written_in_library() -> list[str]:
    """All names that the modules of the library mention as text: of functions, of methods and of parameters."""
    sources = sorted(Path(library.__path__[0]).glob("*.py"))
    nodes = (node for source in sources for node in ast.walk(ast.parse(source.read_text("utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return sorted(text for text in texts if text.isidentifier())


def functions() -> list[str]:
    """The names of all functions that anything is known of."""
    table = [
        f"tf.{name}" for name in json.loads(Path(tables.__file__).with_name("table.json").read_text())["functions"]
    ]
    others = {
        *library_calls.handled(),
        *decorators.KEEPING,
        *table,
        *(name for name in dir(builtins) if name[0] != "_"),
    }
    modules = (itertools, "itertools"), (__import__("math"), "math"), (__import__("numpy"), "np")
    others |= {f"{name}.{each}" for module, name in modules for each in dir(module) if each[0] != "_"}
    return sorted(name for name in others if name.replace(".", "").isidentifier())


def arguments(draw: random.Random, names: Sequence[str]) -> str:
    """Some arguments, which hardly ever fit."""
    kind = draw.random()
    count = 0 if kind < 0.1 else draw.choice((1, 1, 1, 2, 2, 3, 12))
    positional = [draw.choice(VALUES) for _ in range(count if draw.random() < 0.6 else 0)]
    named = (
        [f"{name}={draw.choice(VALUES)}" for name in draw.sample(names, min(count, len(names)))] if kind > 0.5 else []
    )
    stars = draw.sample(STARS, draw.choice((0, 0, 0, 1, 2)))
    first = [each for each in stars if not each.startswith("**")]
    return ", ".join((*positional, *first, *named, *(each for each in stars if each.startswith("**"))))


def calls(draw: random.Random, times: int) -> Iterator[str]:
    mentioned = written_in_library()
    for name in functions():
        entry = tables.entry(name.removeprefix("tf."))
        parameters = [*dict.fromkeys(entry.parameters)] if entry is not None else mentioned
        yield f"{name}({parameters[0]}=fun)" if parameters else f"{name}()"
        for _ in range(times):
            yield f"{name}({arguments(draw, parameters)})"
        first, later = arguments(draw, parameters), arguments(draw, parameters)
        yield f"functools.partial({name}, {first})({later})"
    for callee in CALLED:
        yield from (f"{callee}({arguments(draw, mentioned)})" for _ in range(20 * times))
        yield from (f"{callee}({arguments(draw, ('f', 'x', 'func', 'inputs'))})" for _ in range(5 * times))
    for receiver in RECEIVERS:
        yield from (f"{receiver}.{name}({arguments(draw, mentioned)})" for name in mentioned)


def programs(draw: random.Random, times: int, size: int = 500) -> Iterator[str]:
    made = (
        f"{draw.choice(('', '', '@tf.function'))}\ndef in_{n}():\n    made = {call}\n    return made()"
        for n, call in enumerate(calls(draw, times))
    )
    for chunk in iter(lambda: list(itertools.islice(made, size)), []):
        yield "\n\n".join((HEAD, *chunk))


@pytest.mark.thorough
def test_no_arguments_make_the_analysis_fail(caplog: pytest.LogCaptureFixture) -> None:
    failed = list[str]()
    for text in part(programs(random.Random(25), times=2), 4):
        project = Project(None, Settings())
        project.set_text("model.py", text)
        with caplog.at_level(logging.ERROR):
            project.check("model.py")
        failed += [
            record.exc_text or record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
        ]
        caplog.clear()
    assert not failed, f"{len(failed)} calls failed, among them:\n" + "\n".join(failed[:5])
