"""The account of traces: for every way in which a call differs from the one before, its cause and its remedy."""

from __future__ import annotations

import collections
import dataclasses
import functools
import gc
import inspect
import pickle
import re
import sys
import warnings

import keras
import numpy as np
import pytest
import tensorflow as tf
from graphwright import function
from graphwright.explaining import RetracingWarning

plain = functools.partial(function, autograph=False)
Pair = collections.namedtuple("Pair", "a b")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Thing:
    def method(self):
        return None


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float


def ragged(*lengths):
    return tf.RaggedTensor.from_row_lengths(tf.ones([sum(lengths)]), lengths)


def fresh():
    return lambda: None


NEW = {
    "python int": (lambda: 1, lambda: 2, "value", "x", "int 1", "int 2", True),
    "python float": (lambda: 1.5, lambda: 2.5, "value", "x", "float 1.5", "float 2.5", True),
    "python bool": (lambda: True, lambda: False, "value", "x", "bool True", "bool False", True),
    "python string": (lambda: "a", lambda: "b", "value", "x", "str 'a'", "str 'b'", True),
    "none and value": (lambda: None, lambda: 1, "none", "x", "None", "int 1", False),
    "none and tensor": (lambda: None, lambda: tf.constant(1), "none", "x", "None", None, False),
    "int and float": (lambda: 1, lambda: 1.0, "type", "x", "int 1", "float 1.0", False),
    "int and bool": (lambda: 1, lambda: True, "type", "x", "int 1", "bool True", False),
    "int and other float": (lambda: 1, lambda: 2.0, "type", "x", "int 1", "float 2.0", False),
    "minus zero": (lambda: 0.0, lambda: -0.0, "value", "x", "float 0.0", "float -0.0", True),
    "in a list": (lambda: [1, 2], lambda: [1, 3], "value", "x[1]", "int 2", "int 3", True),
    "in a tuple": (lambda: (1, (2,)), lambda: (1, (3,)), "value", "x[1][0]", "int 2", "int 3", True),
    "in a dict": (lambda: {"a": 1}, lambda: {"a": 2}, "value", "x['a']", "int 1", "int 2", True),
    "in a namedtuple": (lambda: Pair(1, 2), lambda: Pair(1, 3), "value", "x.b", "int 2", "int 3", True),
    "tolist": (lambda: np.array([1]).tolist(), lambda: np.array([2]).tolist(), "value", "x[0]", None, None, True),
    "np.str_": (lambda: np.str_("a"), lambda: np.str_("b"), "value", "x", None, None, True),
    "array shape": (lambda: np.ones(2), lambda: np.ones(3), "shape", "x", None, None, True),
    "array dtype": (lambda: np.ones(2, np.int32), lambda: np.ones(2, np.int64), "dtype", "x", None, None, False),
    "tensor shape": (
        lambda: tf.ones([2]),
        lambda: tf.ones([3]),
        "shape",
        "x",
        "float32[2]",
        "float32[3]",
        True,
    ),
    "tensor rank": (lambda: tf.ones([2]), lambda: tf.ones([2, 2]), "rank", "x", None, None, False),
    "tensor dtype": (lambda: tf.ones([2]), lambda: tf.ones([2], tf.int32), "dtype", "x", None, None, False),
    "tensor in a dict": (
        lambda: {"a": tf.ones([2])},
        lambda: {"a": tf.ones([3])},
        "shape",
        "x['a']",
        None,
        None,
        True,
    ),
    "list length": (lambda: [tf.ones([])] * 2, lambda: [tf.ones([])] * 3, "length", "x", None, None, True),
    "empty list": (list, lambda: [1], "length", "x", None, None, True),
    "list and tuple": (lambda: [1], lambda: (1,), "structure", "x", None, None, False),
    "namedtuple and tuple": (lambda: Pair(1, 2), lambda: (1, 2), "structure", "x", None, None, False),
    "dict keys": (lambda: {"a": 1}, lambda: {"b": 1}, "keys", "x", None, None, True),
    "variable and tensor": (lambda: KEPT["variable"], lambda: tf.constant(1.0), "kind", "x", None, None, False),
    "number and tensor": (lambda: 1, lambda: tf.constant(1), "kind", "x", None, None, False),
    "fresh lambda": (fresh, fresh, "callable", "x", None, None, True),
    "bound method": (lambda: KEPT["thing"].method, lambda: KEPT["thing"].method, "callable", "x", None, None, True),
    "partial": (lambda: functools.partial(len), lambda: functools.partial(len), "callable", "x", None, None, True),
    "generator": (lambda: (i for i in ()), lambda: (i for i in ()), "died", "x", None, None, True),
    "frozenset": (lambda: frozenset([1]), lambda: frozenset([1]), "died", "x", None, None, True),
    "plain object": (Thing, Thing, "died", "x", None, "a Thing object", True),
    "kept object": (lambda: KEPT["thing"], lambda: KEPT["other"], "object", "x", None, None, False),
    "temporary frozen dataclass": (lambda: Settings(1.0), lambda: Settings(1.0), "died", "x", None, None, True),
    "number of rows": (lambda: ragged(1, 2), lambda: ragged(1, 1, 1), "shape", "x", None, None, True),
}
SHARED = {
    "number": (lambda: 1, lambda: 1),
    "not a number": (lambda: float("nan"), lambda: float("nan")),
    "array of other values": (lambda: np.ones(2), lambda: np.zeros(2)),
    "numpy scalar": (lambda: np.float32(1), lambda: np.float32(2)),
    "tensor of other values": (lambda: tf.ones([2]), lambda: tf.zeros([2])),
    "dict order": (lambda: {"a": 1, "b": 2}, lambda: {"b": 2, "a": 1}),
    "another variable": (lambda: KEPT["variable"], lambda: KEPT["other variable"]),
    "same object": (lambda: KEPT["thing"], lambda: KEPT["thing"]),
    "equal frozen dataclass": (lambda: KEPT["settings"], lambda: Settings(1.0)),
    "row lengths": (lambda: ragged(1, 2), lambda: ragged(2, 1)),
}
KEPT = {
    "thing": Thing(),
    "other": Thing(),
    "settings": Settings(1.0),
    "variable": tf.Variable(1.0),
    "other variable": tf.Variable(2.0),
}


@pytest.mark.parametrize("case", NEW)
def test_what_makes_a_trace(case: str):
    first, second, kind, argument, before, now, avoidable = NEW[case]
    f = plain(lambda x: None)
    f(first())
    f(second())
    assert [trace.number for trace in f.traces] == [1, 2] and f.experimental_get_tracing_count() == 2
    start, trace = f.traces
    assert (start.cause.kind, start.avoidable, start.cause.earlier) == ("first", False, None)
    assert (trace.cause.kind, trace.cause.argument, trace.cause.earlier) == (kind, argument, 1)
    assert before is None or trace.cause.before == before
    assert now is None or trace.cause.now == now
    assert trace.avoidable == avoidable
    assert len(trace.cause.changes) == 1
    assert trace.file == __file__ and trace.line == start.line + 1
    told = f.explain()
    assert argument in told and "traced twice" in told


@pytest.mark.parametrize("case", SHARED)
def test_what_shares_a_trace(case: str):
    first, second = SHARED[case]
    f = plain(lambda x: None)
    f(first())
    f(second())
    assert len(f.traces) == f.experimental_get_tracing_count() == 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="a slice can be hashed there")
def test_what_cannot_be_an_argument():
    f = plain(lambda x: None)
    with pytest.raises(TypeError):
        f(slice(1))
    assert f.traces == ()


def test_how_it_is_passed_does_not_matter():
    f = plain(lambda x, y=2, *, z=3: None)
    f(tf.constant(1))
    f(x=tf.constant(1), y=2)
    f(tf.constant(1), z=3, y=2)
    assert len(f.traces) == 1


def test_the_nearest_trace_is_compared_with():
    f = plain(lambda x, n: None)
    f(tf.ones([2]), 1)
    f(tf.ones([2, 2]), "a")
    f(tf.ones([3]), 1)
    assert (f.traces[2].cause.earlier, f.traces[2].cause.kind) == (1, "shape")
    assert len(f.traces[1].cause.changes) == 2 and not f.traces[1].avoidable


def test_more_arguments():
    f = plain(lambda *args, **kwargs: None)
    f(1)
    f(1, 2)
    f(1, k=2)
    assert [(trace.cause.kind, trace.cause.argument) for trace in f.traces[1:]] == [
        ("arguments", "args[1]"),
        ("arguments", "k"),
    ]
    f(3)
    assert (f.traces[3].cause.kind, f.traces[3].cause.argument) == ("value", "args[0]")


def test_the_same_variable_twice():
    f = plain(lambda a, b: None)
    f(KEPT["variable"], KEPT["other variable"])
    f(KEPT["variable"], KEPT["variable"])
    assert (f.traces[1].cause.kind, f.traces[1].avoidable) == ("alias", False)


def test_variables_made_on_the_first_call():
    made = []

    @plain
    def f(x):
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] * x

    f(tf.constant(1.0))
    assert [trace.cause.kind for trace in f.traces] == ["first", "variables"]
    assert not f.traces[1].avoidable and f.experimental_get_tracing_count() == 2
    assert "created variables" in f.explain()


def test_instances():
    class Model:
        @plain
        def call(self, x):
            return x

    one = Model()
    one.call(tf.constant(1))
    two = Model()
    two.call(tf.constant(1))
    two.call(tf.constant(1.0))
    assert [trace.cause.kind for trace in two.call.traces] == ["instance", "dtype"]
    assert [trace.cause.kind for trace in one.call.traces] == ["first"]
    assert len(Model.call.traces) == 3
    del two
    Model().call(tf.constant(1))
    last = Model.call.traces[-1]
    assert (last.number, last.cause.kind, last.avoidable) == (4, "instance died", True)
    assert re.search(r"Model\.call\(x: int32\[\]\)", str(last))


def test_temporaries_are_warned_of_at_their_line():
    class Model:
        @plain
        def call(self, x):
            return x

    with pytest.warns(RetracingWarning, match="Create the instance once") as caught:
        for _ in range(5):
            Model().call(tf.constant(1))
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_function_made_in_a_loop():
    with pytest.warns(RetracingWarning, match="outside the loop") as caught:
        for _ in range(15):
            f = plain(lambda x: x)
            f(tf.constant(1))
    assert len(caught) == 1 and caught[0].filename == __file__
    assert "has created this function 14 times before" in f.explain()  # pyright: ignore[reportPossiblyUnboundVariable]
    first = f.traces[0]  # pyright: ignore[reportPossiblyUnboundVariable]
    assert first.cause.kind == "first" and not first.avoidable


def test_nothing_is_advised_about_functions_that_keras_makes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tf, "function", function)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RetracingWarning)
        for _ in range(12):
            model = keras.Sequential([keras.layers.Rescaling(2.0)])
            model.predict(tf.ones([1, 1]), verbose=0)
            assert len(model.predict_function.traces) == 1  # pyright: ignore
            del model
            gc.collect()


def test_functions_that_are_kept_are_not_made_again():
    kept = [plain(lambda x: x) for _ in range(15)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RetracingWarning)
        for f in kept:
            f(tf.constant(1))
    assert {f.traces[0].cause.kind for f in kept} == {"first"}


def test_the_warning_comes_with_the_second_avoidable_trace_and_once_for_a_cause():
    f = plain(lambda x, n: None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(tf.ones([1]), 1)
        f(tf.ones([1]), 2)
        assert caught == []
        line = inspect.currentframe().f_lineno + 1
        f(tf.ones([1]), 3)
        assert len(caught) == 1
        f(tf.ones([1]), 4)
        assert len(caught) == 1
        f(tf.ones([2]), 4)
    assert [type(warning.message) for warning in caught] == [RetracingWarning] * 2
    assert (caught[0].filename, caught[0].lineno) == (__file__, line)
    text = str(caught[0].message)
    assert "`n` was int 2 in trace 2 and is int 3 now" in text
    assert "`n=tf.constant(3)`" in text
    assert "reduce_retracing=True" in str(caught[1].message)


def test_a_warning_made_an_error_leaves_the_function_usable():
    f = plain(lambda n: tf.constant(n))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RetracingWarning)
        f(1)
        f(2)
        with pytest.raises(RetracingWarning):
            f(3)
        assert f(3).numpy() == 3 and f(4).numpy() == 4
    assert len(f.traces) == 4


def test_traces_that_are_asked_for_are_not_warned_of():
    f = plain(lambda x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size in range(5):
            f.get_concrete_function(tf.TensorSpec([size], tf.float32))
    assert all(trace.requested and not trace.avoidable for trace in f.traces)


def test_what_reduce_retracing_relaxes_is_not_avoidable():
    f = plain(lambda x: x, reduce_retracing=True)
    for size in range(1, 6):
        f(tf.ones([size]))
    assert [trace.cause.kind for trace in f.traces] == ["first", "shape"]
    assert f.traces[1].cause.now == "float32[?]" and not f.traces[1].avoidable


def test_surroundings():
    f = plain(lambda x: x)
    f(tf.constant(1))
    with tf.Graph().as_default():
        f(tf.constant(1))
    assert f.traces[1].cause.kind == "context" and not f.traces[1].avoidable
    assert "a different tf.Graph" in f.explain()


def test_what_is_measured():
    f = plain(lambda x: tf.math.sin(x) + 1)
    f(tf.constant(1.0))
    [trace] = f.traces
    assert trace.operations == len(f.get_concrete_function(tf.constant(1.0)).graph.get_operations())
    assert 0 < trace.seconds < 60
    assert trace.signature[0].dtype == "float32" and trace.signature[0].shape == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.line = 3


def test_nested_calls_name_the_line_in_the_function():
    inner = plain(lambda x: x)

    @plain
    def outer(x):
        return inner(x)

    outer(tf.constant(1))
    assert inner.traces[0].line == outer.python_function.__code__.co_firstlineno + 2
    assert inner.traces[0].seconds <= outer.traces[0].seconds


def test_a_call_in_a_dataset_names_the_line_of_the_map():
    f = plain(lambda x: x)
    list(tf.data.Dataset.range(2).map(f))
    assert f.traces[0].file == __file__


def test_failed_and_recursive_traces_do_not_disturb_the_account():
    @plain
    def f(n, x):
        if n == 0:
            raise ValueError
        return x if n == 1 else f(n - 1, x)

    f(3, tf.constant(1))
    assert [trace.signature[0].words for trace in f.traces] == ["int 1", "int 2", "int 3"]
    with pytest.raises(ValueError):
        f(0, tf.constant(1))
    assert len(f.traces) == 3


def test_explain_before_the_first_call():
    f = plain(lambda x: x)
    assert f.explain().endswith("hasn't been traced yet.") and f.traces == ()


def test_a_remedy_is_told_once():
    @plain
    def train(n):
        return None

    for n in range(4):
        train(n)
    told = train.explain()
    assert told.startswith("train was traced 4 times in ") and "(3 avoidable)" in told
    assert told.count("A Python value is a constant in the graph") == 1 and told.count("see trace 2.") == 2
    assert "train(n=0)" in told


def test_long_and_strange_values_are_shown_short():
    class Odd:
        __slots__ = ()

        def __repr__(self):
            raise RuntimeError

    f = plain(lambda x: None)
    f("a" * 1000)
    f(Odd())
    f([1] * 50)
    assert all(len(argument.words) < 120 for trace in f.traces for argument in trace.signature)


def test_traces_are_plain_data():
    f = plain(lambda x, n: x)
    f(tf.constant(1), 2)
    assert pickle.loads(pickle.dumps(f.traces)) == f.traces
