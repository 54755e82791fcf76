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


WITHIN = """
import tensorflow as tf

SIZE = 3


def pair(row):
    return row["b"], row["a"] + 1


def opened(row):
    return [row[key] for key in row]


table = {"a": tf.zeros([10, 3]), "b": tf.zeros([10], tf.int32), "c": 1}
rows = tf.data.Dataset.from_tensor_slices({"a": tf.zeros([10, 3]), "b": tf.zeros([10], tf.int32)})
rows.map(pair).filter(lambda b, a: b > SIZE).map(lambda b, a: a)
rows.map(opened)


def make(size, tensor):
    def helper(x):
        return x + size

    def through(x):
        return helper(x) * SIZE

    def captures(x):
        return x + tensor

    return tf.data.Dataset.range(10).map(through).map(captures).map(lambda x: [x * size for _ in range(2)])


make(3, tf.constant(1.0))


class Base:
    def shared(self, x):
        return x


class Agent(Base):
    def __init__(self, n, rate=0.5, units=None):
        self.n = n

    def prepare(self, x):
        return x * self.n

    @classmethod
    def parse(cls, x):
        return x

    def data(self):
        return tf.data.Dataset.range(5).map(self.prepare).map(lambda x: x * self.n)


class Free:
    def call(self, x):
        return x


class Held(Agent):
    def held(self, x):
        return x


held = Held(4)


def main(n, path):
    Agent(open(path), rate=0.1)
    agent = Agent(n, rate=0.1, units=SIZE)
    agent.shared(tf.constant(1))
    agent.data()
    Free()


main(7, "file")
"""

FILTER = WITHIN[: WITHIN.index("rows.map(pair)")].count("\n") + 1
DATA = WITHIN[: WITHIN.index("lambda x: x * self.n")].count("\n") + 1

OUTER = {
    "pair": "row={'a': tf.TensorSpec([3], tf.float32), 'b': tf.TensorSpec([], tf.int32)}",
    "opened": "row=...",
    f"<lambda>@{FILTER}": "b=tf.TensorSpec([], tf.int32), a=tf.TensorSpec([3], tf.float32)",
    f"<lambda>@{FILTER}.2": "b=tf.TensorSpec([], tf.int32), a=tf.TensorSpec([3], tf.float32)",
    "make.<locals>.through": "size=3, x=tf.TensorSpec([], tf.int64)",
    "make.<locals>.captures": "tensor=..., x=tf.TensorSpec([], tf.int64)",
    "Base.shared": "x=tf.TensorSpec([], tf.int32)",
    "Agent.prepare": "x=tf.TensorSpec([], tf.int64)",
    "Agent.parse": "x=...",
    "Free.call": "x=...",
    "Held.held": "x=...",
}


@pytest.mark.parametrize("name", OUTER)
def test_what_it_reads_of_functions_around_it(name: str) -> None:
    """An instance that the module makes needn't be given: Held is one of each of these classes."""
    assert specs_of(WITHIN, name) == OUTER[name]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Base.shared", "self=Agent(7, rate=0.1, units=SIZE), x=tf.TensorSpec([], tf.int32)"),
        ("Agent.prepare", "self=Agent(7, rate=0.1, units=SIZE), x=tf.TensorSpec([], tf.int64)"),
        ("Agent.data", "self=Agent(7, rate=0.1, units=SIZE)"),
        ("Agent.parse", "x=..."),
        ("Agent.__init__", "n=..."),
        ("Free.call", "x=..."),
        (f"<lambda>@{DATA}", "self=Agent(7, rate=0.1, units=SIZE), x=tf.TensorSpec([], tf.int64)"),
    ],
)
def test_an_instance_is_written_as_the_code_makes_one(name: str, given: str) -> None:
    assert specs_of(WITHIN.replace("held = Held(4)", ""), name) == given


def test_what_means_something_in_a_function_alone_is_left_open() -> None:
    text = WITHIN.replace("held = Held(4)", "").replace("Agent(n, ", "Agent(path.n, ")
    assert specs_of(text, "Agent.data") == "self=Agent(open(path), rate=0.1)".replace("open(path)", "...")


def test_another_module_s_class_of_the_same_name_makes_no_instance() -> None:
    text = "import other\n\nclass A:\n    def f(self, x):\n        return other.A(3).f(x)\n\nother.A(2)\n"
    opened = Project(None, Settings())
    opened.set_text(
        "other.py", "class A:\n    def __init__(self, n):\n        pass\n    def f(self, x):\n        return x\n"
    )
    opened.set_text("a.py", text)
    found = specs_by_name(opened, "a.py", "A.f")
    assert found is not None and found.outer == ()


def specs_of(text: str, name: str) -> str:
    opened = Project(None, Settings())
    opened.set_text("a.py", text)
    found = specs_by_name(opened, "a.py", name)
    assert found is not None
    assert found.complete is ("..." not in found.arguments)
    at = parameter_specs(opened, "a.py", found.range.start)
    assert at is not None and at.function == name, "a prompt for the place asks for the same"
    return found.arguments


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
