"""The examples that were published for AutoGraph, `tf.function` and the eager helpers run with `gw` in their place.

Each is called as it was published: as an op, in a `tf.Graph` with a Session where that was so, or as a function.
"""

from __future__ import annotations

import inspect
import re
import timeit
from collections.abc import Callable
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf

v1 = tf.compat.v1
DELTA = 0.5


def in_session(build: Callable[[], Any]) -> Any:
    """What one `session.run` of what is built gives, in a graph of its own."""
    with tf.Graph().as_default(), v1.Session() as session:
        fetched = build()
        session.run(v1.global_variables_initializer())
        return session.run(fetched)


# A function with the decorator, called as an op.


@gw.convert()
def huber_loss(a):
    if tf.abs(a) <= DELTA:
        loss = a * a / 2
    else:
        loss = DELTA * (tf.abs(a) - DELTA / 2)
    return loss


@pytest.mark.parametrize(("value", "wanted"), [(0.2, 0.02), (-0.2, 0.02), (0.5, 0.125), (9.0, 4.375), (-9.0, 4.375)])
def test_huber_loss(value: float, wanted: float):
    assert float(huber_loss(value)) == pytest.approx(wanted)
    assert huber_loss(tf.constant(value)).numpy() == pytest.approx(wanted)
    assert tf.function(huber_loss, autograph=False)(tf.constant(value)).numpy() == pytest.approx(wanted)


def test_huber_loss_in_a_session():
    with tf.Graph().as_default():
        loss = huber_loss(tf.constant(9.0))
        assert isinstance(loss, tf.Tensor)
        with v1.Session() as session:
            assert session.run(loss) == pytest.approx(4.375)


def test_huber_loss_of_a_placeholder():
    with tf.Graph().as_default(), v1.Session() as session:
        a = v1.placeholder(tf.float32, [])
        loss = huber_loss(a)
        [gradient] = tf.gradients(loss, [a])
        assert session.run([loss, gradient], {a: 9.0}) == pytest.approx([4.375, 0.5])
        assert session.run([loss, gradient], {a: 0.2}) == pytest.approx([0.02, 0.2])


# A function that is converted by name, and its code.


def collatz(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


def test_collatz():
    graph_collatz = gw.to_graph(collatz)
    assert collatz(27) == graph_collatz(27) == 111
    assert in_session(lambda: graph_collatz(tf.constant(27))) == 111
    assert gw.function(collatz)(tf.constant(27)).numpy() == 111


def test_the_code_of_collatz_is_readable():
    code = gw.to_code(collatz)
    assert code.startswith("def collatz(a):")
    assert "get_state" not in code
    assert "set_state" not in code
    for kept in ("a // 2", "3 * a + 1", "counter + 1"):
        assert kept in code


# Nested control flow, with what is printed.


def f(n):
    if n >= 0:
        while n < 5:
            n += 1
            print(n)
    return n


def test_nested_control_flow_prints(capfd: pytest.CaptureFixture[str]):
    assert gw.function(f)(tf.constant(2)).numpy() == 5
    assert "".join(capfd.readouterr()).split() == ["3", "4", "5"]
    assert gw.function(f)(tf.constant(-2)).numpy() == -2
    assert "".join(capfd.readouterr()).split() == []


def test_nested_control_flow_prints_in_a_session(capfd: pytest.CaptureFixture[str]):
    assert in_session(lambda: gw.to_graph(f)(tf.constant(2))) == 5
    assert "".join(capfd.readouterr()).split() == ["3", "4", "5"]


def test_nested_control_flow_prints_in_python(capfd: pytest.CaptureFixture[str]):
    assert gw.to_graph(f)(2) == 5
    assert "".join(capfd.readouterr()).split() == ["3", "4", "5"]


# A list that is filled in a loop.


def numbers(n):
    z = []
    gw.set_element_type(z, tf.int32)
    for i in range(n):
        z.append(i)
    return gw.stack(z)


def squares(nums):
    result = []
    gw.set_element_type(result, tf.int64)
    for num in nums:
        result.append(num * num)
    return gw.stack(result)


def test_a_list_is_filled():
    wanted = [0, 1, 2, 3, 4]
    assert gw.to_graph(numbers)(5).numpy().tolist() == wanted
    assert gw.function(numbers)(tf.constant(5)).numpy().tolist() == wanted
    assert in_session(lambda: gw.to_graph(numbers)(tf.constant(5))).tolist() == wanted


def test_an_empty_list_has_the_type_that_was_said():
    result = gw.function(numbers)(tf.constant(0))
    assert result.dtype == tf.int32
    assert result.shape[0] == 0


def test_squares():
    wanted = [0, 1, 4, 9, 16]
    assert in_session(lambda: gw.to_graph(squares)(tf.constant(np.arange(5)))).tolist() == wanted
    assert gw.function(squares)(tf.constant(np.arange(5))).numpy().tolist() == wanted


# Assertions.


def checked(x):
    assert x != 0, "Do not pass zero!"
    return x * x


def test_assert():
    assert gw.function(checked)(tf.constant(3)).numpy() == 9
    with pytest.raises(tf.errors.InvalidArgumentError, match="Do not pass zero!"):
        gw.function(checked)(tf.constant(0))
    with pytest.raises(AssertionError, match="Do not pass zero!"):
        gw.to_graph(checked)(0)


def test_assert_in_a_session():
    assert in_session(lambda: gw.to_graph(checked)(tf.constant(3))) == 9
    with pytest.raises(tf.errors.InvalidArgumentError, match="Do not pass zero!"):
        in_session(lambda: gw.to_graph(checked)(tf.constant(0)))


# The smaller examples of the guide.


def square_if_positive(x):
    if x > 0:
        x = x * x
    else:
        x = 0.0
    return x


def sum_even(items):
    s = 0
    for c in items:
        if c % 2 > 0:
            continue
        s += c
    return s


def nearest_odd_square(x):
    if x > 0:
        x = x * x
        if x % 2 == 0:
            x = x + 1
    return x


def square_until_stop(x, y):
    while x < y:
        x = x * x
    return x


def argwhere_cumsum(x, threshold):
    current_sum = 0.0
    idx = 0
    for i in tf.range(len(x)):
        idx = i
        if current_sum >= threshold:
            break
        current_sum += x[i]
    return idx


def fizzbuzz(i, n):
    while i < n:
        msg = ""
        if i % 3 == 0:
            msg += "Fizz"
        if i % 5 == 0:
            msg += "Buzz"
        if msg == "":
            msg = tf.as_string(i)
        print(msg)
        i += 1
    return i


GUIDE = [
    (square_if_positive, (9.0,), 81.0),
    (square_if_positive, (-9.0,), 0.0),
    (sum_even, ([10, 12, 15, 20],), 42),
    (nearest_odd_square, (4,), 17),
    (nearest_odd_square, (5,), 25),
    (nearest_odd_square, (-6,), -6),
    (square_until_stop, (4, 100), 256),
    (argwhere_cumsum, ([1.0] * 10, 5.0), 5),
]


@pytest.mark.parametrize(("function", "arguments", "wanted"), GUIDE)
def test_the_guide(function: Callable[..., Any], arguments: tuple[Any, ...], wanted: float):
    assert gw.function(function)(*map(tf.constant, arguments)).numpy() == wanted
    assert in_session(lambda: gw.to_graph(function)(*map(tf.constant, arguments))) == wanted


def test_fizzbuzz(capfd: pytest.CaptureFixture[str]):
    assert gw.function(fizzbuzz)(tf.constant(10), tf.constant(16)).numpy() == 16
    assert "".join(capfd.readouterr()).split() == ["Buzz", "11", "Fizz", "13", "14", "FizzBuzz"]


# A recurrent network, and its training, by one call.


def rnn(kernel, inputs, length):
    state = tf.zeros([inputs.shape[1], kernel.shape[1]])
    outputs = []
    gw.set_element_type(outputs, tf.float32, [2, 4])
    for i in range(length):
        state = tf.tanh(tf.concat([inputs[i], state], 1) @ kernel)
        outputs.append(state)
    return gw.stack(outputs), state


def train_rnn(kernel, inputs, length, steps):
    losses = []
    gw.set_element_type(losses, tf.float32)
    step = 0
    while step < steps:
        with tf.GradientTape() as tape:
            outputs, _ = rnn(kernel, inputs, length)
            loss = tf.reduce_mean((outputs - 0.5) ** 2)
        kernel.assign_sub(0.5 * tape.gradient(loss, kernel))
        losses.append(loss)
        step += 1
    return gw.stack(losses)


def rnn_by_hand(kernel: np.ndarray, inputs: np.ndarray, length: int) -> np.ndarray:
    state, outputs = np.zeros([2, 4], np.float32), []
    for i in range(length):
        state = np.tanh(np.concatenate([inputs[i], state], 1) @ kernel)
        outputs.append(state)
    return np.stack(outputs)


KERNEL = np.random.default_rng(0).normal(size=[7, 4]).astype(np.float32)
INPUTS = np.random.default_rng(1).normal(size=[6, 2, 3]).astype(np.float32)


def test_rnn():
    outputs, state = gw.function(rnn)(tf.constant(KERNEL), tf.constant(INPUTS), tf.constant(5))
    wanted = rnn_by_hand(KERNEL, INPUTS, 5)
    np.testing.assert_allclose(outputs, wanted, 1e-5, 1e-6)
    np.testing.assert_allclose(state, wanted[-1], 1e-5, 1e-6)


def eager_losses() -> Any:
    return train_rnn(tf.Variable(KERNEL), tf.constant(INPUTS), 5, 8).numpy()


def test_a_training_loop_is_one_call():
    kernel = tf.Variable(KERNEL)
    losses = gw.function(train_rnn)(kernel, tf.constant(INPUTS), tf.constant(5), tf.constant(8))
    np.testing.assert_allclose(losses, eager_losses(), 1e-4)
    assert losses[-1] < losses[0]
    assert not np.allclose(kernel.numpy(), KERNEL)


def test_a_training_loop_is_one_session_run():
    def build():
        kernel = tf.Variable(KERNEL)
        return gw.to_graph(train_rnn)(kernel, tf.constant(INPUTS), tf.constant(5), tf.constant(8))

    np.testing.assert_allclose(in_session(build), eager_losses(), 1e-4)


# What is a loop variable.


def countdown(x, y):
    while x > 0:
        x = x - y
    return x


def test_what_a_loop_leaves_alone_is_no_loop_variable():
    code = gw.to_code(countdown)
    assert re.search(r"^    x = gw\.while_\(.*, x\)$", code, re.MULTILINE), code
    assert not re.search(r"lambda x, y|turn\(x, y\)", code)
    assert gw.function(countdown)(tf.constant(7), tf.constant(3)).numpy() == -2


# Automatic control dependencies.


def test_variables_are_assigned_in_order():
    a, b = tf.Variable(1.0), tf.Variable(2.0)

    @gw.function
    def step(x, y):
        a.assign(y * b)
        b.assign_add(x * a)
        return a + b

    assert step(1.0, 2.0).numpy() == 10.0
    assert (a.numpy(), b.numpy()) == (4.0, 6.0)


def test_a_branch_sees_what_was_assigned_before_it():
    v = tf.Variable(0)
    evens = tf.Variable(0)

    @gw.function
    def count():
        v.assign(v + 1)
        if v % 2 == 0:  # pyright: ignore[reportOperatorIssue]
            evens.assign_add(1)
        return v.read_value()

    assert [count().numpy() for _ in range(4)] == [1, 2, 3, 4]
    assert evens.numpy() == 2


# A Keras model whose call decides by a tensor.


class CustomModel(tf.keras.Model):
    @gw.function
    def call(self, input_data):
        if tf.reduce_mean(input_data) > 0:
            return input_data
        return input_data // 2


class ConvertedModel(tf.keras.Model):
    @gw.convert()
    def call(self, input_data):  # pyright: ignore[reportIncompatibleMethodOverride]
        if tf.reduce_mean(input_data) > 0:
            return input_data
        return input_data // 2


@pytest.mark.parametrize("kind", [CustomModel, ConvertedModel])
def test_a_keras_model(kind: type[Any]):
    model = kind()
    assert model(tf.constant([-2.0, -4.0])).numpy().tolist() == [-1.0, -2.0]
    assert model(tf.constant([2.0, 4.0])).numpy().tolist() == [2.0, 4.0]


def test_a_keras_model_predicts():
    model = ConvertedModel()
    model.compile()
    assert model.predict(np.array([[-2.0, -4.0]]), verbose=0).tolist() == [[-1.0, -2.0]]


# Training in the graph over a Dataset.


def train_one_step(model, optimizer, loss_of, accuracy, x, y):
    with tf.GradientTape() as tape:
        logits = model(x)
        loss = loss_of(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    accuracy(y, logits)
    return loss


def test_training_in_the_graph(capfd: pytest.CaptureFixture[str]):
    tf.keras.utils.set_random_seed(2)  # the weights' beginnings, too: how far it comes in 25 steps depends on them
    random = np.random.default_rng(2)
    xs = random.normal(size=[25 * 8, 5]).astype(np.float32)
    ys = (xs.sum(1) > 0).astype(np.int64)
    data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(8)
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
    model.build([None, 5])
    optimizer = tf.keras.optimizers.Adam(0.05)
    optimizer.build(model.trainable_variables)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    @gw.function
    def train(model, optimizer):
        step = 0
        loss = 0.0
        for x, y in data:
            step += 1
            loss = train_one_step(model, optimizer, loss_of, accuracy, x, y)
            if step % 10 == 0:
                tf.print("Step", step, ": loss", loss, "; accuracy", accuracy.result())
        return step, loss, accuracy.result()

    step, loss, reached = train(model, optimizer)
    assert step.numpy() == 25
    assert loss.numpy() < 0.6
    assert reached.numpy() > 0.7
    lines = [line for line in "".join(capfd.readouterr()).splitlines() if line.startswith("Step")]
    assert [line.split()[1] for line in lines] == ["10", "20"]


# A function and its traces.


def test_double_is_traced_for_each_type(capsys: pytest.CaptureFixture[str]):
    @gw.function
    def double(a):
        print("Tracing with", type(a).__name__)
        return a + a

    assert double(tf.constant(1)).numpy() == 2
    assert double(tf.constant(1.5)).numpy() == 3.0
    assert double(tf.constant("a")).numpy() == b"aa"
    assert double(tf.constant("b")).numpy() == b"bb"
    assert capsys.readouterr().out.count("Tracing with") == 3
    printed = double.pretty_printed_concrete_signatures()
    for wanted in ("int32", "float32", "string"):
        assert wanted in printed
    strings = double.get_concrete_function(tf.TensorSpec([], tf.string))
    assert strings(a=tf.constant("c")).numpy() == b"cc"


@gw.function
def add(a, b):
    return a + b


@gw.function
def dense_layer(x, w, b):
    return add(tf.matmul(x, w), b)


def test_a_function_calls_a_function():
    assert add(tf.ones([2, 2]), tf.ones([2, 2])).numpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    result = dense_layer(tf.ones([3, 2]), tf.ones([2, 2]), tf.ones([2]))
    assert result.numpy().tolist() == [[3.0, 3.0]] * 3


def test_the_gradient_with_respect_to_a_variable():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        result = add(v, 1.0)
    assert tape.gradient(result, v).numpy() == 1.0


def test_a_convolution_is_timed():
    layer = tf.keras.layers.Conv2D(4, 3)

    @gw.function
    def conv_fn(image):
        return layer(image)

    image = tf.zeros([1, 16, 16, 8])
    np.testing.assert_allclose(layer(image), conv_fn(image))
    assert timeit.timeit(lambda: layer(image), number=3) > 0
    assert timeit.timeit(lambda: conv_fn(image), number=3) > 0


# The eager helpers.


def square(x):
    return tf.multiply(x, x)


def absolute(x):
    return x if x > 0.0 else -x


def test_square_and_its_gradients():
    assert square(3.0).numpy() == 9.0
    grad = gw.eager.gradients_function(square)
    assert [g.numpy() for g in grad(3.0)] == [6.0]
    gradgrad = gw.eager.gradients_function(lambda x: grad(x)[0])
    assert [g.numpy() for g in gradgrad(3.0)] == [2.0]


def test_the_gradients_of_a_branch():
    grad = gw.eager.gradients_function(absolute)
    assert [g.numpy() for g in grad(3.0)] == [1.0]
    assert [g.numpy() for g in grad(-3.0)] == [-1.0]
    assert [g.numpy() for g in gw.eager.gradients_function(gw.function(absolute))(tf.constant(-3.0))] == [-1.0]


def test_the_value_and_chosen_gradients():
    both = gw.eager.value_and_gradients_function(lambda x, y: x * x * y, params=["x"])
    value, gradients = both(3.0, 2.0)
    assert value.numpy() == 18.0
    assert [g.numpy() for g in gradients] == [12.0]


def linear():
    w, b = tf.Variable(5.0), tf.Variable(1.0)

    def loss(x, y):
        return tf.reduce_mean(tf.square(x * w + b - y))

    return w, b, loss


@pytest.mark.parametrize("how", [lambda loss: loss, gw.to_graph, gw.function])
def test_the_gradients_of_a_loss(how: Callable[..., Any]):
    w, b, loss = linear()
    x, y = tf.constant([1.0, 2.0]), tf.constant([5.0, 8.0])
    value, pairs = gw.eager.implicit_value_and_gradients(how(loss))(x, y)
    assert value.numpy() == pytest.approx(5.0)
    got = {id(variable): gradient.numpy() for gradient, variable in pairs}
    assert got == {id(w): pytest.approx(7.0), id(b): pytest.approx(4.0)}
    again = gw.eager.implicit_gradients(how(loss))(x, y)
    assert {id(variable): gradient.numpy() for gradient, variable in again} == got
    for gradient, variable in again:
        variable.assign_sub(0.1 * gradient)
    assert loss(x, y) < value


# How long the generated code is.


def first_negative(xs):
    for x in xs:
        if x < 0:
            return x
    return 0


@pytest.mark.parametrize(
    "function",
    [
        huber_loss,
        collatz,
        f,
        first_negative,
        numbers,
        checked,
        countdown,
        sum_even,
        nearest_odd_square,
        square_until_stop,
        argwhere_cumsum,
    ],
    ids=lambda function: function.__name__,
)
def test_generated_code_is_at_most_twice_as_long(function: Callable[..., Any]):
    source = [line for line in inspect.getsource(function).splitlines() if not line.startswith("@")]
    code = gw.to_code(function)
    assert len(code.splitlines()) <= 2 * len(source), code


def test_an_early_return_in_a_loop():
    xs = tf.constant([3, 1, -4, 1, -5])
    assert gw.function(first_negative)(xs).numpy() == -4
    assert gw.function(first_negative)(tf.abs(xs)).numpy() == 0


# What one branch changes in place, the other doesn't see.


def lowest_and_highest(xs):
    found = {"low": xs[0], "high": [xs[0]]}
    for x in xs:
        if x < found["low"]:
            found["low"] = x
        elif x > found["high"][0]:
            found["high"][0] = x
    return found["low"], found["high"][0]


def test_a_dict_that_branches_change():
    assert [value.numpy() for value in gw.function(lowest_and_highest)(tf.constant([4, 1, 8]))] == [1, 8]
