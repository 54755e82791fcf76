"""Nothing in conversion or at run time calls TensorFlow's AutoGraph."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import differential
import graphwright as gw
import pytest
import tensorflow as tf
from graphwright.conversion import converted_function
from tensorflow.python.autograph.core import ag_ctx
from tensorflow.python.autograph.impl import api
from tensorflow.python.autograph.pyct import transpiler

_SUBJECT = differential.Subject(gw.function, converted_function)
_FAMILIES = ("conditionals", "jumps", "functions", "iterables", "text_and_errors")
_CHOSEN = [each for each in differential.programs() if each.family in _FAMILIES and not each.refused][::3]


@pytest.fixture
def converted_by_tensorflow(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What AutoGraph was asked to convert while the test ran."""
    seen: list[str] = []

    def noted(owner, name, describe):
        original = getattr(owner, name)

        def instead(*args, **kwargs):
            said = describe(*args, **kwargs)
            if said:
                seen.append(f"{name}: {said}")
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, instead)

    noted(transpiler.GenericTranspiler, "transform", lambda self, obj, *_: repr(obj))
    noted(transpiler.GenericTranspiler, "transform_function", lambda self, fn, *_: repr(fn))
    noted(transpiler.PyToPy, "transform_function", lambda self, fn, *_: repr(fn))
    noted(api, "_convert_actual", lambda entity, *_: repr(entity))
    noted(api, "to_graph", lambda entity, **_: repr(entity))
    noted(api, "converted_call", _user_code)
    yield seen


def _user_code(f, *_, **__):
    """A call that AutoGraph looks at; with conversion switched off by its context it passes the call on."""
    if ag_ctx.control_status_ctx().status == ag_ctx.Status.DISABLED:
        return ""
    module = getattr(f, "__module__", None) or ""
    return "" if module.startswith(("tensorflow", "keras")) else repr(f)


def test_the_fixture_notices_autograph(converted_by_tensorflow: list[str]) -> None:
    @tf.function
    def positive(x):
        return x if x > 0 else -x

    positive(tf.constant(-1.0))
    assert any(each.startswith("converted_call") or "transform" in each for each in converted_by_tensorflow)


@pytest.mark.parametrize("program", _CHOSEN, ids=str)
def test_programs_do_without(program: differential.Program, converted_by_tensorflow: list[str]) -> None:
    function, _ = program.build()
    given = differential.arguments(program.calls[0])
    # A Dataset that is an argument was made by TensorFlow before.
    converted_by_tensorflow.clear()
    # A failing program is judged elsewhere.
    with contextlib.suppress(Exception):
        gw.function(function, **program.options)(*given)
    assert converted_by_tensorflow == []


def test_functions_given_to_tensorflow_do_without(converted_by_tensorflow: list[str]) -> None:
    def rectified(x):
        if x < 0:
            return 0.0 * x
        return x

    @gw.function
    def call(xs):
        total = tf.reduce_sum(tf.map_fn(rectified, xs))
        for y in tf.data.Dataset.from_tensor_slices([1.0, -2.0]).map(rectified).filter(lambda x: x >= 0):
            total += y
        return tf.cond(total > 1.0, lambda: rectified(total), lambda: total) + tf.scan(lambda a, x: a + x, xs)[-1]

    assert float(call(tf.constant([3.0, -1.0]))) == pytest.approx(6.0)
    assert converted_by_tensorflow == []


def test_functions_in_functions_do_without(converted_by_tensorflow: list[str]) -> None:
    @gw.function
    def inner(x):
        return x * 2.0 if x > 0 else x

    @gw.function
    def outer(x):
        while x < 10.0:
            x = inner(x) + 1.0
        return x

    assert float(outer(tf.constant(1.0))) == 15.0
    assert converted_by_tensorflow == []


def test_keras_models_do_without(converted_by_tensorflow: list[str]) -> None:
    class Model(tf.keras.Model):
        @gw.convert()
        def call(self, x):  # pyright: ignore[reportIncompatibleMethodOverride]
            if tf.reduce_mean(x) > 0:
                return x * 2.0
            return x

    model = Model()
    step = gw.function(lambda x: model(x))
    assert step(tf.constant([[1.0]])).numpy().tolist() == [[2.0]]
    assert step(tf.constant([[-1.0]])).numpy().tolist() == [[-1.0]]
    assert converted_by_tensorflow == []


def test_graphs_and_eager_calls_do_without(converted_by_tensorflow: list[str]) -> None:
    @gw.convert()
    def sign(x):
        if x > 0:
            return 1
        return -1

    assert int(sign(tf.constant(3))) == 1
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        assert session.run(sign(tf.constant(-3))) == -1
    assert converted_by_tensorflow == []
