"""What the agent says of functions of every kind, under the real TensorFlow; its process is tested with the server."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graphwright.agent import arguments, failures, wire, working

pytestmark = pytest.mark.truth

MODULE = """
import graphwright as gw
import tensorflow as tf

factor = 3.0


def plain(x, n=2):
    return x * n


@tf.function
def traced(x, n):
    if tf.reduce_sum(x) > 0.0:
        x = x + 1.0
    for i in tf.range(n):
        x = x * tf.cast(i, tf.float32)
    return x


@gw.function
def wright(x, n):
    found = []
    for i in tf.range(3):
        found.append(x * n)
    return tf.stack(found)


@tf.function(input_signature=[tf.TensorSpec([None, 3]), {"a": tf.TensorSpec([], tf.int32)}])
def signed(x, table):
    return x * tf.cast(table["a"], tf.float32)


@tf.function
def differs(x):
    if x > 0.0:
        y = 1
    else:
        y = 2.0
    return y


@tf.function
def fails_when_run(x):
    y = x + 1.0
    return tf.debugging.check_numerics(y / 0.0, "not a number")


@gw.function
def wright_differs(x):
    if x > 0.0:
        y = tf.constant(1)
    else:
        y = tf.constant("a")
    return y


class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones([3, 2]))

    @tf.function
    def step(self, x):
        return x @ self.w

    def plain_step(self, x):
        return x @ self.w

    @staticmethod
    def doubled(x):
        return 2 * x

    @property
    def size(self):
        return 3


class Sized(tf.Module):
    def __init__(self, units, *, scale):
        self.w = tf.Variable(scale * tf.ones([3, units]))

    @tf.function
    def __call__(self, x):
        return x @ self.w


class Held(Sized):
    pass


held = Held(4, scale=2.0)


class Layer(tf.keras.layers.Layer):
    def call(self, x):
        return 2.0 * x


def outer(x):
    def inner(y):
        return y

    return inner(x)


class Gated(tf.keras.layers.Layer):
    def call(self, x):
        if tf.reduce_sum(x) > 1.0:
            x = x / 2.0
        return x


gated = Gated()


@tf.function
def through_a_layer(x):
    return gated(x)


net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
warm = tf.function(lambda x: x + 1)
warm(tf.zeros([2]))
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agent") / "module_for_agent.py"
    path.write_text(MODULE)
    return path


Ask = Callable[..., wire.AgentReport]


@pytest.fixture
def ask(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """What the agent's process does, in this one: TensorFlow is imported once."""
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def asked(function: str, text: str = "", action: str = wire.TRACE, **changes: Any) -> wire.AgentReport:
        request = wire.AgentRequest(str(file), function, text, action, **changes)
        progress = working.StepReporter(lambda step: None, lambda: None)
        sys.modules.pop(file.stem, None)
        return working.work(request, progress, time.perf_counter())

    yield asked
    sys.modules.pop(file.stem, None)


def error_of(ask: Ask, *asked: Any) -> wire.ReportedFailure:
    with pytest.raises(BaseException) as caught:
        ask(*asked)
    return failures.failure(caught.value, "tracing")


SPEC = "x=tf.TensorSpec([None, 3])"

SIGNATURES = [
    ("plain", f"{SPEC}, n=4", "plain(x: float32[?, 3], n=4)"),
    ("plain", SPEC, "plain(x: float32[?, 3], n=2)"),
    ("traced", "tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)", "traced(x: float32[?, 3], n: int32[])"),
    ("wright", f"{SPEC}, n=factor", "wright(x: float32[?, 3], n=3.0)"),
    ("signed", "", "signed(x: float32[?, 3], table: {'a': int32[]})"),
    ("Model.step", SPEC, "Model.step(x: float32[?, 3])"),
    ("Model.plain_step", SPEC, "Model.plain_step(x: float32[?, 3])"),
    ("Model.doubled", "x=np.zeros([2], np.float32)", "Model.doubled(x: float32[2])"),
    ("Sized.__call__", f"{SPEC}, self=Sized(2, scale=1.0)", "Sized.__call__(x: float32[?, 3])"),
    ("Sized.__call__", SPEC, "Sized.__call__(x: float32[?, 3])"),
    ("held", SPEC, "held(x: float32[?, 3])"),
    ("Layer.call", SPEC, "Layer.call(float32[?, 3])"),
    ("Layer", SPEC, "Layer(float32[?, 3])"),
    ("net", "tf.TensorSpec([4, 3])", "net(float32[4, 3])"),
    ("outer", "x=tf.TensorSpec(None)", "outer(x: float32[...])"),
]


@pytest.mark.parametrize(("function", "text", "signature"), SIGNATURES)
def test_functions_of_every_kind_are_traced(ask: Ask, function: str, text: str, signature: str) -> None:
    report = ask(function, text)
    assert report.ok
    assert report.graph is not None and report.graph.size > 0
    shown = report.traces[0].signature.replace("inputs: ", "").replace("args_0: ", "").replace("x: ", "")
    assert shown == signature.replace("x: ", "")


def test_an_instance_is_named(ask: Ask) -> None:
    assert ask("Model.step", SPEC).notes == ("Model.step was called on a new Model().",)
    assert ask("Sized.__call__", SPEC).notes == ("Sized.__call__ was called on held, which the module creates.",)


@pytest.mark.parametrize(
    ("function", "text", "message"),
    [
        ("Sized.__call__", "", None),
        ("nothing", "", "module_for_agent doesn't define nothing."),
        ("Model.nothing", "", "Model doesn't define Model.nothing."),
        ("Model", "", "Model is a class. Name one of its methods, such as Model.__call__."),
        ("Model.size", "", "Model.size is a property, not a function."),
        ("factor", "", "factor is a value of type float, not a function."),
        ("traced", SPEC, "traced also needs n, for example n=tf.TensorSpec([None, 3], tf.float32)."),
        ("traced", "x=..., n=1", "x needs a value, such as x=tf.TensorSpec([None, 3], tf.float32)."),
        ("traced", "x=nope, n=1", "x=nope can't be evaluated: NameError: name 'nope' is not defined"),
        ("traced", "x=?, n=1", "Not valid call arguments: x=?, n=1 (invalid syntax)."),
        ("traced", "y=1", "The arguments don't fit traced(x, n): got an unexpected keyword argument 'y'."),
        ("plain", "1, 2, 3", "The arguments don't fit plain(x, n=2): too many positional arguments."),
    ],
)
def test_what_is_missing_is_told(ask: Ask, function: str, text: str, message: str | None) -> None:
    error = error_of(ask, function, text)
    assert error.type == "Invalid request"
    assert error.frames == ()
    if message is not None:
        assert error.message.partition(" (expected")[0] == message


def test_an_instance_that_cant_be_made(ask: Ask, file: Path) -> None:
    text = MODULE.replace("held = Held(4, scale=2.0)", "held = None")
    error = failures.failure(_raised(lambda: ask("Sized.__call__", SPEC, texts={str(file): text})), "tracing")
    assert error.message == (
        "Sized.__call__ needs an instance, and Sized can't be created without units and scale. Add "
        "self=Sized(units=..., scale=...) to the arguments, or create one in the module."
    )


def _raised(call: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("function", ["traced", "wright"])
def test_the_account_of_several_traces(ask: Ask, function: str) -> None:
    report = ask(function, f"{SPEC}, n=1; {SPEC}, n=2\nx=tf.TensorSpec([3]), n=2; {SPEC}, n=1")
    assert [trace.signature.partition("(")[2] for trace in report.traces] == [
        "x: float32[?, 3], n=1)",
        "x: float32[?, 3], n=2)",
        "x: float32[3], n=2)",
        "x: float32[?, 3], n=1)",
    ]
    causes = [trace.cause for trace in report.traces]
    assert causes[0] == "The first call."
    assert causes[1] == "`n` was int 1 in trace 1 and is int 2 now."
    assert "`x` was" in causes[2]
    assert causes[3] == "No new trace: the graph of argument set 1 is reused."


def test_a_trace_that_was_there_is_told(ask: Ask) -> None:
    assert "Already traced when the module was imported." in ask("warm", "tf.TensorSpec([2])").traces[0].cause


def test_the_graph_leads_back_to_the_source(ask: Ask, file: Path) -> None:
    report = ask("traced", "tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)")
    assert report.graph is not None
    lines = MODULE.splitlines()
    nodes = {node.id: node for node in report.graph.nodes}
    assert len(nodes) == len(report.graph.nodes) == sum(each.count for each in report.graph.operations)
    control = {node.op: node for node in nodes.values() if node.op in ("StatelessIf", "StatelessWhile")}
    assert lines[control["StatelessIf"].line or 0].strip() == "if tf.reduce_sum(x) > 0.0:"
    assert lines[control["StatelessWhile"].line or 0].strip() == "for i in tf.range(n):"
    inside = {(node.parent, node.branch) for node in nodes.values() if node.parent}
    assert {branch for parent, branch in inside if parent == control["StatelessIf"].id} == {"then", "else"}
    assert {branch for parent, branch in inside if parent == control["StatelessWhile"].id} == {"condition", "body"}
    (casting,) = (node for node in nodes.values() if node.op == "Mul" and node.branch == "body")
    assert lines[casting.line or 0].strip() == "x = x * tf.cast(i, tf.float32)"
    assert casting.file == str(file)
    assert all(each in nodes for node in nodes.values() for each in (*node.inputs, *node.control))
    assert [node.id for node in nodes.values() if node.detail == "argument"] == ["x", "n"]
    assert sum(node.detail == "result" for node in nodes.values()) == 1


def test_converted_code_leads_back_to_the_source(ask: Ask) -> None:
    graph = ask("wright", f"{SPEC}, n=2.0").graph
    assert graph is not None
    assert all(node.line is not None for node in graph.nodes if node.op in ("Mul", "StatelessWhile", "While"))


def test_running_makes_tensors_up_and_says_so(ask: Ask) -> None:
    report = ask("traced", "tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)", wire.RUN)
    assert report.result is not None
    assert report.result.spec == "float32[2, 3]"
    assert report.notes == (
        "x: float32[2, 3] filled with random numbers, size 2 for each None.",
        "n: int32[] filled with ones.",
    )
    assert report.traces == () and report.graph is None


def test_values_are_taken_as_they_are(ask: Ask) -> None:
    result = ask("plain", "tf.constant([1.0, 2.0])", wire.RUN).result
    assert result is not None and "[2., 4.]" in result.text
    result = ask("signed", "", wire.RUN).result
    assert result is not None and result.spec == "float32[2, 3]"


def test_times_of_both_ways(ask: Ask) -> None:
    import tensorflow as tf

    report = ask("traced", "tf.ones([2, 3]), tf.constant(50)", wire.TIME, timeout=2.0)
    assert report.times is not None
    assert len(report.times.eager) >= 3 and len(report.times.graph) >= 3
    assert report.times.first > min(report.times.graph)
    assert min(report.times.eager) > min(report.times.graph)
    assert not tf.config.functions_run_eagerly()


def test_the_line_in_a_layer_that_fails_is_the_innermost(ask: Ask) -> None:
    error = error_of(ask, "through_a_layer", "tf.constant(1.0)")
    assert [frame.text for frame in error.frames[-2:]] == ["return gated(x)", "if tf.reduce_sum(x) > 1.0:"]


@pytest.mark.parametrize(
    ("function", "action", "kind", "line", "words"),
    [
        ("differs", wire.TRACE, "TypeError", "if x > 0.0:", "'y' has dtype int32 in the main branch"),
        ("wright_differs", wire.TRACE, "TypeError", "if x > 0.0:", "y"),
        ("fails_when_run", wire.RUN, "InvalidArgumentError", "check_numerics(y / 0.0", "not a number"),
    ],
)
def test_errors_are_at_the_users_line(ask: Ask, function: str, action: str, kind: str, line: str, words: str) -> None:
    error = error_of(ask, function, "tf.constant(1.0)", action)
    assert kind in error.type
    assert line in error.frames[-1].text
    assert MODULE.splitlines()[error.frames[-1].line].strip() == error.frames[-1].text
    assert words in error.message
    assert "in user code" not in error.message and "[[{{node" not in error.message
    assert "graphwright/agent" not in error.traceback


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [""]),
        ("x=1", ["x=1"]),
        ("x=1; y=2", ["x=1", "y=2"]),
        ("x=1\ny=2\n", ["x=1", "y=2"]),
        ("x=[1,\n 2]; y=';'\n\n", ["x=[1,\n 2]", "y=';'"]),
        ("x=(", ["x=("]),
        ("x='a;b', y={'c': 1}", ["x='a;b', y={'c': 1}"]),
    ],
)
def test_sets_of_arguments(text: str, found: list[str]) -> None:
    assert arguments.sets(text) == found
