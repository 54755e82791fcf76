"""Gradient functions agree with the tape, for plain and traced functions, eagerly and inside a graph."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from graphwright import eager  # noqa: E402


def polynomial(x, y):
    return x * x * x * y - x * y * y


def traced(function):
    return tf.function(function, autograph=False)


def numbers(values):
    return [float(value) for value in values]


@pytest.mark.parametrize("wrap", [lambda function: function, traced])
def test_gradients_by_position_and_name(wrap):
    f = wrap(polynomial)
    assert numbers(eager.gradients_function(f)(2.0, 3.0)) == [27.0, -4.0]
    assert numbers(eager.gradients_function(f, ["y", "x"])(2.0, 3.0)) == [-4.0, 27.0]
    value, gradients = eager.value_and_gradients_function(f, params=[1])(2.0, 3.0)
    assert float(value) == 6.0 and numbers(gradients) == [-4.0]


def test_inside_a_graph_and_of_higher_order():
    def square(x):
        return x * x

    first = eager.gradients_function(square)
    second = eager.gradients_function(lambda x: first(x)[0])
    assert numbers(traced(first)(tf.constant(4.0))) == [8.0]
    assert numbers(second(4.0)) == [2.0]


def test_one_tensor_for_two_arguments():
    x = tf.constant(2.0)
    assert numbers(eager.gradients_function(polynomial)(x, x)) == [20.0, 0.0]


def test_structures_and_weights():
    (gradient,) = eager.gradients_function(lambda d: d["a"] * d["b"][0])({"a": 2.0, "b": [3.0]})
    assert float(gradient["a"]) == 3.0 and float(gradient["b"][0]) == 2.0
    (weighted,) = eager.gradients_function(lambda x: x * 2)(tf.constant([1.0, 2.0]), dy=tf.constant([1.0, 3.0]))
    assert weighted.numpy().tolist() == [2.0, 6.0]


@pytest.mark.parametrize("wrap", [lambda function: function, traced])
def test_implicit_gradients(wrap):
    w, b = tf.Variable(5.0), tf.Variable(10.0)
    f = wrap(lambda x: w * x + b)
    pairs = eager.implicit_gradients(f)(tf.constant(2.0))
    assert [
        (float(gradient), variable is owner) for (gradient, variable), owner in zip(pairs, (w, b), strict=True)
    ] == [
        (2.0, True),
        (1.0, True),
    ]
    value, again = eager.implicit_value_and_gradients(f)(tf.constant(2.0))
    assert float(value) == 20.0 and len(again) == 2


def test_methods_and_refusals():
    class Model:
        def square(self, x):
            return x * x

    assert numbers(eager.gradients_function(Model().square, ["x"])(3.0)) == [6.0]
    for call, words in (
        (lambda: eager.gradients_function(lambda x: None)(1.0), "returns None"),
        (lambda: eager.implicit_gradients(lambda x: x)(1.0), "no trainable variables"),
        (lambda: eager.gradients_function(polynomial, ["q"])(1.0, 2.0), "no argument 'q'"),
        (lambda: eager.gradients_function(polynomial, [1, "x"])(1.0, 2.0), "all strings or all integers"),
        (lambda: eager.gradients_function(polynomial)(1.0, y=2.0), "keyword"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_the_other_names_of_contrib_eager():
    eager.enable_eager_execution()
    assert eager.Variable is tf.Variable
    iterator = eager.Iterator(tf.data.Dataset.range(3))
    assert [int(iterator.next()), int(iterator.get_next()), int(next(iterator))] == [0, 1, 2]
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    scaled = eager.make_template("scaled", lambda x: x * tf.compat.v1.get_variable("weight", initializer=2.0))
    assert numbers([scaled(3.0), scaled(4.0)]) == [6.0, 8.0]
    assert len(scaled.variables) == 1


def test_defun_is_gw_function():
    @eager.defun
    def magnitude(x):
        if x < 0.0:
            x = -x
        return x

    typed = eager.defun(input_signature=[tf.TensorSpec([], tf.float32)])(lambda x: x * 2.0)
    assert numbers([magnitude(tf.constant(-3.0)), typed(4.0)]) == [3.0, 8.0]
    assert len(magnitude.traces) == 1
