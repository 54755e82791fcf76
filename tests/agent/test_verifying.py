"""What the agent says of a function that runs in every way: equal, different from which line on, or why not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from graphwright.agent import wire, working
from graphwright.agent.differences import differences, printed_differences
from graphwright.agent.snapshots import copied

MODULE = """
import graphwright as gw
import tensorflow as tf

calls = 0


def agrees(x, n):
    total = x
    for i in tf.range(n):
        if total > 3.0:
            total -= 1.0
        else:
            total = total * 2.0 + 1.0
    return {"total": total, "pair": [n, total]}


def counted(x):
    global calls
    calls += 1
    scaled = x * calls
    return [{"x": scaled}]


def nested(x):
    y = x + 1.0
    for i in range(3):
        if tf.inside_function() and i == 1:
            y = y * 2.0
        y = y + 1.0
    return y, {"x": [y]}


def prints(x):
    print("called")
    tf.print("value", x)
    return x


history = [0]


def collects(x):
    history.append(1)
    return x


def draws(x):
    return x + tf.random.normal([])


def breaks(x):
    return x.numpy() + 1


def raises(x):
    if x > -100.0:
        raise ValueError("no")
    return x


def squares(x, w):
    return tf.reduce_sum(tf.stop_gradient(x) * x if tf.inside_function() else x * x) * w


class Model(tf.Module):
    def __init__(self, start=2.0):
        self.w = tf.Variable(start)
        self.__hidden = 1.0

    @gw.function
    def step(self, x):
        self.w.assign_add(tf.reduce_sum(x))
        return self.w * x

    def wrong(self, x):
        by = 2.0 if tf.inside_function() else 1.0
        self.w.assign_add(by)
        return x * self.__hidden


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x):
        return tf.nn.relu(self.dense(x))
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verify") / "module_to_verify.py"
    path.write_text(MODULE)
    return path


Verify = Callable[..., dict[str, wire.VerifiedWay]]


@pytest.fixture
def verify(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Verify]:
    """What the agent's process does, in this one: TensorFlow is imported once."""
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def verified(function: str, text: str, **changes: Any) -> dict[str, wire.VerifiedWay]:
        request = wire.AgentRequest(str(file), function, text, wire.VERIFY, **changes)
        report = working.work(request, working.StepReporter(lambda step: None, lambda: None), time.perf_counter())
        sys.modules.pop(file.stem, None)
        assert report.ok
        return {each.way: each for each in report.ways}

    yield verified


def agreements(ways: dict[str, wire.VerifiedWay]) -> set[str]:
    return {each.agreement for each in ways.values() if each.way != wire.EAGER}


SCALAR = "tf.TensorSpec([])"


def test_all_ways_agree(verify: Verify) -> None:
    ways = verify("agrees", f"x={SCALAR}, n=tf.constant(4)")
    assert list(ways) == [wire.EAGER, *wire.COMPARED]
    assert agreements(ways) == {wire.EQUAL}


def test_a_side_effect_of_python_happens_once(verify: Verify) -> None:
    ways = verify("counted", "x=tf.TensorSpec([2, 3])", calls=2)
    for way in wire.COMPARED:
        difference, line = ways[way].difference, ways[way].first_line
        assert difference is not None and line is not None, way
        assert (difference.path, difference.call) == ("result[0]['x'][0, 0]", 2)
        assert (line.name, line.eager, line.other, line.text) == ("calls", "2", "1", "calls += 1")


def test_the_first_line_that_differs(verify: Verify) -> None:
    ways = verify("nested", "x=tf.constant(1.0)", ways=(wire.TF_FUNCTION, wire.GW_FUNCTION, wire.XLA))
    for way in (wire.TF_FUNCTION, wire.GW_FUNCTION, wire.XLA):
        difference, line = ways[way].difference, ways[way].first_line
        assert difference == wire.ReportedDifference("result[0]", "5.0", "8.0", 1)
        assert line is not None
        assert (line.text, line.name) == ("if tf.inside_function() and i == 1:", "y after it")
        assert (line.eager, line.other, line.visit) == ("3.0", "6.0", 2)


def test_prints(verify: Verify) -> None:
    ways = verify("prints", f"x={SCALAR}", calls=2)
    for way in (wire.TF_FUNCTION, wire.GW_FUNCTION):
        difference = ways[way].difference
        assert difference is not None
        assert (difference.path, difference.eager, difference.call) == ("printed line 1", "'called'", 2)
        assert difference.other.startswith("'value ")


def test_what_a_call_changes(verify: Verify) -> None:
    found = verify("collects", f"x={SCALAR}", ways=(wire.TF_FUNCTION,), calls=2)[wire.TF_FUNCTION]
    assert found.difference == wire.ReportedDifference("len(history)", "3", "2", 2)


def test_random_results_are_not_compared(verify: Verify) -> None:
    ways = verify("draws", f"x={SCALAR}")
    assert agreements(ways) == {wire.NOT_COMPARED}
    assert ways[wire.XLA].reason == "result changes between eager calls (random numbers, the time)"


def test_what_cannot_run_has_a_reason_and_a_line(verify: Verify) -> None:
    ways = verify("breaks", "x=tf.constant(1)")
    assert agreements(ways) == {wire.CANT_RUN}
    graph = ways[wire.TF_FUNCTION]
    assert graph.reason.startswith("AttributeError: ") and "numpy" in graph.reason
    assert graph.line == MODULE.splitlines().index("    return x.numpy() + 1")


def test_errors_are_compared(verify: Verify) -> None:
    ways = verify("raises", "x=tf.constant(1.0)")
    assert ways[wire.EAGER].reason == "raises ValueError: no"
    assert ways[wire.GW_FUNCTION].agreement == wire.EQUAL
    assert ways[wire.XLA].difference == wire.ReportedDifference("the call", "raises ValueError", "returns", 1)


def test_gradients(verify: Verify) -> None:
    arguments = "x=tf.constant([1.0, 2.0]), w=tf.constant(3.0)"
    assert verify("squares", arguments, ways=(wire.GW_FUNCTION,))[wire.GW_FUNCTION].agreement == wire.EQUAL
    found = verify("squares", arguments, ways=(wire.GW_FUNCTION,), gradients=True)[wire.GW_FUNCTION]
    assert found.difference == wire.ReportedDifference("gradients['x'][0]", "6.0", "3.0", 1)


def test_methods_and_their_variables(verify: Verify) -> None:
    assert agreements(verify("Model.step", "x=tf.TensorSpec([2])", gradients=True)) == {wire.EQUAL}
    wrong = verify("Model.wrong", f"x={SCALAR}, self=Model(5.0)", ways=(wire.GW_FUNCTION,))[wire.GW_FUNCTION]
    assert wrong.difference == wire.ReportedDifference("self.w", "6.0", "7.0", 1)
    assert wrong.first_line is not None and wrong.first_line.name == "by"


def test_keras_models_have_the_same_weights(verify: Verify) -> None:
    ways = verify("Net", "tf.TensorSpec([None, 3])", ways=(wire.TF_FUNCTION, wire.GW_FUNCTION), gradients=True)
    assert agreements(ways) == {wire.EQUAL}


@pytest.mark.parametrize(
    ("value", "other", "path", "first", "second"),
    [
        ([1, {"x": tf.constant([[1.0, 2.0]])}], [1, {"x": tf.constant([[1.0, 3.0]])}], "r[1]['x'][0, 1]", "2.0", "3.0"),
        (tf.constant(1), tf.constant(1.0), "r", "int32[]", "float32[]"),
        (tf.zeros([2]), tf.zeros([2, 1]), "r", "float32[2]", "float32[2, 1]"),
        ((1, 2), [1, 2], "r", "(1, 2)", "[1, 2]"),
        ([1, 2], [1], "len(r)", "2", "1"),
        ({"a": 1}, {"b": 1}, "r['a']", "1", "nothing"),
        (None, tf.constant(0), "r", "None", "0"),
        (tf.constant(["a", "b"]), tf.constant(["a", "c"]), "r[1]", "b'b'", "b'c'"),
        (True, tf.constant(1), "r", "True", "1"),
    ],
)
def test_where_values_differ(value: Any, other: Any, path: str, first: str, second: str) -> None:
    assert next(differences(copied(value, tf), copied(other, tf), "r")) == (path, first, second)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (3, tf.constant(3)),
        (2.5, tf.constant(2.5)),
        ([tf.constant([1]), tf.constant([2])], tf.constant([[1], [2]])),
        (float("nan"), tf.constant(float("nan"))),
        ("text", tf.constant("text")),
        (tf.constant(1.0), tf.constant(1.00001)),
        (None, None),
    ],
)
def test_what_counts_as_equal(value: Any, other: Any) -> None:
    assert list(differences(copied(value, tf), copied(other, tf), "r")) == []


def test_printed_lines() -> None:
    assert list(printed_differences("a\nb\n", "a\nc\n")) == [("printed line 2", "'b'", "'c'")]
    assert list(printed_differences("a\n", "")) == [("printed line 1", "'a'", "nothing")]
    assert list(printed_differences("a\n", "a\n")) == []
