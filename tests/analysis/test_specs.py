"""What a function is called with, as a prompt is filled in with it."""

from __future__ import annotations

import pytest
from graphwright_analysis import Project, Settings, function_names, parameter_specs, specs_by_name

TEXT = """
import numpy as np
import tensorflow as tf


@tf.function
def scaled(x, n=3, *rest, flag=False):
    return x * n


scaled(tf.zeros([4, 3]))
scaled(tf.zeros([5, 3]), 4)


def product(x, y):
    def inner(z):
        return z

    return inner(x) @ y


product(tf.ones([2, 3]), np.ones((3, 4), np.float32))


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.int32), {"a": tf.TensorSpec([], tf.string)}])
def signed(x, d):
    return x


def annotated(x: tf.Tensor, k: int, s: tf.TensorSpec([3], tf.float32)):
    return x


class Model(tf.Module):
    def __init__(self, n):
        self.w = tf.Variable(tf.zeros([3, n]))

    @tf.function
    def step(self, x, y):
        return x @ self.w + y

    @staticmethod
    def helper(pair):
        return pair


model = Model(2)
for _ in range(10):
    model.step(tf.random.normal([8, 3]), tf.zeros([8, 2]))
Model.helper((tf.constant(1), [1.5]))
added = tf.function(lambda x: x + 1)
added(tf.constant([1, 2]))
"""

ARGUMENTS = {
    "scaled": ("x=tf.TensorSpec([None, 3], tf.float32), n=3", "calls"),
    "product": ("x=tf.TensorSpec([2, 3], tf.float32), y=tf.TensorSpec([3, 4], tf.float32)", "calls"),
    "signed": ('x=tf.TensorSpec([None, 3], tf.int32), d={"a": tf.TensorSpec([], tf.string)}', "signature"),
    "annotated": ("x=..., k=..., s=tf.TensorSpec([3], tf.float32)", "annotations"),
    "Model.__init__": ("n=2", "calls"),
    "Model.step": ("x=tf.TensorSpec([8, 3], tf.float32), y=tf.TensorSpec([8, 2], tf.float32)", "calls"),
    "Model.helper": ("pair=...", ""),
    "added": ("x=tf.TensorSpec([2], tf.int32)", "calls"),
}


@pytest.fixture(scope="module")
def project() -> Project:
    opened = Project(None, Settings())
    opened.set_text("a.py", TEXT)
    return opened


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(project: Project, name: str) -> None:
    found = specs_by_name(project, "a.py", name)
    assert found is not None
    assert (found.arguments, found.source) == ARGUMENTS[name]
    assert found.complete is ("..." not in found.arguments)


def test_names_in_the_order_of_the_text(project: Project) -> None:
    assert function_names(project, "a.py") == tuple(ARGUMENTS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("@tf.function\ndef scaled", "scaled"),
        ("tf.function(input_signature", "signed"),
        ("return x @ self", "Model.step"),
        ("return z", "product.<locals>.inner"),
        ("return inner", "product"),
        ("added = tf", "added"),
        ("lambda x", "added"),
        ("self.w = tf", "Model.__init__"),
    ],
)
def test_the_function_at_a_place(project: Project, text: str, name: str) -> None:
    found = parameter_specs(project, "a.py", TEXT.index(text) + 1)
    assert found is not None
    assert found.function == name
    assert found.nested is ("<locals>" in name)
    assert TEXT[found.range.start : found.range.end] == name.rpartition(".")[2]


@pytest.mark.parametrize("text", ["import numpy", "model.step", "self.w @", "class Model"])
def test_no_function(project: Project, text: str) -> None:
    assert text not in TEXT or parameter_specs(project, "a.py", TEXT.index(text)) is None


@pytest.mark.parametrize(
    "text", ["", "def", "@tf.function\ndef f(x", "f = tf.function(\n", "class A:\n def f(self): ("]
)
def test_never_raises(text: str) -> None:
    opened = Project(None, Settings())
    opened.set_text("b.py", "import tensorflow as tf\n" + text)
    for offset in range(len(text) + 26):
        parameter_specs(opened, "b.py", offset)
    function_names(opened, "b.py")
