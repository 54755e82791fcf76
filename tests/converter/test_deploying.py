"""Lists that grow, loops and text under XLA, in TensorFlow Lite and in a SavedModel: the values of eager code."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf
from deployable import CONSTRUCTS, REFUSED
from tensorflow.python.eager import context

VECTOR = [3.0, 1.0, 4.0, 1.0, 5.0]
ROWS = [[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]]


def totals(xs):
    out, total = [], 0.0
    for x in xs:
        total += x
        out.append(total)
    return tf.stack(out)


def kept(xs):
    out = []
    for x in xs:
        if x > 2.0:
            out.append(x * x)
    return tf.stack(out)


def parted(xs):
    big, small = [], []
    for x in xs:
        if x > 2.0:
            big.append(x)
        else:
            small.append(x)
    return tf.stack([tf.reduce_sum(tf.stack(small)), tf.reduce_max(tf.stack(big))])


def until(xs):
    out = []
    for x in xs:
        out.append(x)
        if x > 3.5:
            break
    return tf.stack(out)


def nested(rows):
    out = []
    for row in rows:
        for x in row:
            out.append(x * 2.0)
    return tf.stack(out)


def states(xs):
    out = []
    for i in tf.range(4):
        xs = tf.roll(xs, 1, 0) * tf.cast(i, tf.float32)
        out.append(xs)
    return tf.stack(out)


def around(xs):
    out = [xs[0]]
    for x in xs:
        out.extend([x, -x])
    out.append(xs[1])
    return tf.stack(out)


def joined(rows):
    out = []
    for row in rows:
        out.append(row)
    return tf.concat(out, 0)


def sliced(xs):
    out = []
    for x in xs:
        out.append(x)
    out.reverse()
    return tf.stack(out[1:]) * out[-1]


def squares(xs):
    return tf.stack([x * x for x in xs if x > 1.0])


def popped(xs):
    out = []
    for x in xs:
        out.append(x)
        if x < 2.0:
            out.pop()
    return tf.stack(out) * tf.cast(len(out), tf.float32)


def counted(xs):
    i, out = 0, []
    while i < 6 and tf.reduce_sum(xs) > 1.0:
        xs = xs * 0.7
        out.append(tf.reduce_sum(xs))
        i += 1
    return tf.stack(out)


def downwards(xs):
    n = tf.constant(6)
    while n > 0:
        xs = tf.sin(xs)
        n -= 2
    return xs


def windows(xs):
    i, out = tf.constant(0), []
    while i + 2 <= len(xs):
        out.append(tf.reduce_mean(xs[i : i + 2]))
        i += 1
    return tf.stack(out)


def until_done(xs):
    i, done, total, out = 0, False, 0.0, []
    while not (done or i >= len(xs)):
        total += xs[i]
        out.append(total)
        if total > 7.0:
            done = True
        i += 1
    return tf.stack(out)


def inwards(xs):
    low, high, out = 0, 4, []
    while low < high:
        if xs[low] < xs[high]:
            out.append(xs[low])
            low += 1
        else:
            out.append(xs[high])
            high -= 2
    return tf.stack(out)


def skipping(xs):
    i, out = 0, []
    while i < len(xs):
        out.append(xs[i] * 2.0)
        if xs[i] > 3.5:
            i += 2
        else:
            i += 1
    return tf.stack(out)


def in_time(xs):
    t, ys = 0.0, []
    while t < 1.0:
        xs = xs - 0.1 * xs
        ys.append(tf.reduce_sum(xs))
        t += 0.1
    return tf.stack(ys)


def one_by_one(xs):
    out = []
    for i in range(5):
        if xs[i] > 2.0:
            out.append(xs[i] * xs[i])
    return tf.stack(out)


def decoded(xs):
    token, step, out = tf.constant(0), 0, []
    while step < 8:
        token = (token + 3) % 5  # pyright: ignore
        out.append(xs[token] * xs[token])
        if token == 2:
            break
        step += 1
    return tf.stack(out)


def last_few(xs):
    last = [xs[0]]
    for x in xs:
        last = [x]
        if x > 2.0:
            last.append(x * 2.0)
    return tf.stack(last)


def triangle(xs):
    out = []
    for i in tf.range(5):
        for j in tf.range(i, 5):
            if xs[j] > 4.5:
                break
            out.append(xs[i] * xs[j])
    return tf.stack(out)


def below(xs):
    i, out = 0, []
    while i < 5:
        j, total = i - 1, 0.0
        while j >= 0 and xs[j] < 4.5:
            total += xs[i] * xs[j]
            j -= 1
        out.append(total)
        i += 1
    return tf.stack(out)


def again(xs):
    big, out = [], []
    for x in xs:
        if x > 2.0:
            big.append(x)
    for x in big:
        if x > 3.5:
            out.append(x * x)
    return tf.stack(out)


def beside(xs):
    k, out = 0, []
    for x in xs:
        total = 0.0
        for j in range(k):
            total += xs[j] * x
        out.append(total + sum([xs[j] for j in range(k)]))
        k += 1  # noqa: SIM113
    return tf.stack(out)


def windowed(xs):
    last, sums = [], []
    for x in xs:
        last.append(x)
        if len(last) > 2:
            last.pop(0)
        sums.append(sum(last))
    return tf.stack(sums)


def put_in_order(xs):
    out = []
    for x in xs:
        i = 0
        while i < len(out) and out[i] < x:
            i += 1
        out.insert(i, x)
    return tf.stack(out)


def ordered(xs):
    out = []
    for x in xs:
        if x < 4.5:
            out.append(x * x)
    out.sort(key=lambda value: -value)
    return tf.stack(out[::-1]) + tf.add_n(out)


def without_one(xs):
    out = []
    for x in xs:
        if x < 4.5:
            out.append(x)
    place = out.index(4.0)
    out.remove(4.0)
    out.reverse()
    return tf.stack(out[-2:]) * tf.cast(place + out.count(1.0), tf.float32)


def by_size(xs):
    some, most = [xs[0]], []
    for x in xs:
        if x > 4.5:
            some.append(x)
        elif x > 2.0:
            most.append(x * 2.0)
        elif x > 0.5:
            some.append(x)
            most.append(x)
    return tf.stack(some) * most[-1]


def stopped(xs):
    out = []
    for i in range(5):
        xs = xs * 0.5
        out.append(tf.reduce_sum(xs))
        if out[-1] < 1.0 - i:
            break
    return tf.stack(out)


LISTS: list[tuple[Callable[..., Any], Any]] = [
    (totals, VECTOR),
    (kept, VECTOR),
    (parted, VECTOR),
    (until, VECTOR),
    (nested, ROWS),
    (states, VECTOR),
    (around, VECTOR),
    (joined, ROWS),
    (sliced, VECTOR),
    (squares, VECTOR),
    (popped, VECTOR),
    (counted, VECTOR),
    (downwards, VECTOR),
    (windows, VECTOR),
    (until_done, VECTOR),
    (inwards, VECTOR),
    (skipping, VECTOR),
    (in_time, VECTOR),
    (one_by_one, VECTOR),
    (decoded, VECTOR),
    (last_few, VECTOR),
    (triangle, VECTOR),
    (below, VECTOR),
    (again, VECTOR),
    (beside, VECTOR),
    (windowed, VECTOR),
    (put_in_order, VECTOR),
    (ordered, VECTOR),
    (without_one, VECTOR),
    (by_size, VECTOR),
    (stopped, VECTOR),
]
each_list = pytest.mark.parametrize(("program", "argument"), LISTS, ids=lambda part: getattr(part, "__name__", ""))


def with_gradient(function: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, Any]]:
    def run(x: Any) -> tuple[Any, Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
            loss = tf.reduce_sum(value * value)
        return value, tape.gradient(loss, x)

    return run


@each_list
def test_xla_compiles_the_values_and_gradients_of_eager_code(program: Callable[..., Any], argument: Any):
    x = tf.constant(argument)
    run = with_gradient(gw.function(program))
    compiled = tf.function(run, autograph=False, jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(program)(x), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)


@each_list
def test_xla_compiles_gradients_that_the_function_takes_itself(program: Callable[..., Any], argument: Any):
    x = tf.constant(argument)

    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = program(x)
            loss = tf.reduce_sum(value * value)
        return value, tape.gradient(loss, x)

    compiled = gw.function(run, jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(program)(x), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)


@pytest.mark.parametrize("program", [totals, kept, until, around, sliced, squares, counted])
def test_xla_compiles_for_sizes_that_are_known_when_it_compiles(program: Callable[..., Any]):
    compiled = tf.function(
        gw.to_graph(program), autograph=False, jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)]
    )
    for argument in (VECTOR, VECTOR + VECTOR[:3]):
        x = tf.constant(argument)
        np.testing.assert_allclose(compiled(x), program(x), rtol=1e-5)


@pytest.mark.parametrize(
    ("program", "argument"),
    [each for each in LISTS if each[0] not in (windowed, put_in_order)],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_tensorflow_lite_runs_them_with_its_own_operations(program: Callable[..., Any], argument: Any):
    x = tf.constant(argument)
    np.testing.assert_allclose(lite(gw.function(program), x), program(x), rtol=1e-5)


@each_list
def test_a_saved_model_keeps_them(program: Callable[..., Any], argument: Any, tmp_path: Path):
    x, module = tf.constant(argument), tf.Module()
    module.run = gw.function(program)
    module.run(x)
    tf.saved_model.save(module, str(tmp_path))
    np.testing.assert_allclose(tf.saved_model.load(str(tmp_path)).run(x), program(x), rtol=1e-5)


def lite(function: Any, x: Any) -> Any:
    return lite_results(function, (x,))[0]


def lite_results(function: Any, arguments: tuple[Any, ...]) -> list[Any]:
    """What TensorFlow Lite gives, in an order of its own."""
    # The converter leaves its functions in the process, and refuses others under their names.
    for name in map(tf.compat.as_str, context.context().list_function_names()):
        if name.startswith(("while_cond_function", "while_body_function")):
            context.context().remove_function(name)
    concrete = function.get_concrete_function(*map(spec_of, arguments))
    content = tf.lite.TFLiteConverter.from_concrete_functions([concrete]).convert()
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    for place, x in zip(interpreter.get_input_details(), filter(tf.is_tensor, arguments), strict=True):
        interpreter.set_tensor(place["index"], x.numpy())
    interpreter.invoke()
    return [interpreter.get_tensor(place["index"]) for place in interpreter.get_output_details()]


def spec_of(argument: Any) -> Any:
    return tf.TensorSpec(argument.shape, argument.dtype) if tf.is_tensor(argument) else argument


def in_any_order(values: Any) -> list[tuple[list[int], list[str]]]:
    """The tensors of a result, rounded, sorted by what they hold."""
    tensors = [np.asarray(tf.convert_to_tensor(value)) for value in tf.nest.flatten(values) if value is not None]
    return sorted((list(each.shape), [rounded(item) for item in each.reshape(-1).tolist()]) for each in tensors)


def rounded(item: Any) -> str:
    return f"{item:.4g}" if isinstance(item, float) else str(item)


def run_under_xla(function: Any, arguments: tuple[Any, ...], folder: Path) -> Any:
    return gw.function(function, jit_compile=True)(*arguments)


def run_in_lite(function: Any, arguments: tuple[Any, ...], folder: Path) -> Any:
    with gw.text_while_tracing():
        return lite_results(gw.function(function), arguments)


def run_from_saved_model(function: Any, arguments: tuple[Any, ...], folder: Path) -> Any:
    module = tf.Module()
    module.run = gw.function(function)
    module.run.get_concrete_function(*map(spec_of, arguments))
    tf.saved_model.save(module, str(folder))
    return tf.saved_model.load(str(folder)).run(*arguments)


RUNS = {"xla": run_under_xla, "lite": run_in_lite, "saved": run_from_saved_model}


@pytest.mark.parametrize("way", RUNS)
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_runs_deployed_as_eagerly(way: str, name: str, tmp_path: Path):
    function, arguments = CONSTRUCTS[name]
    refused = REFUSED[way].get(name)
    expected = pytest.raises(Exception, match=refused) if refused else contextlib.nullcontext()
    with expected:
        result = RUNS[way](function, arguments, tmp_path)
    if not refused:
        assert in_any_order(result) == in_any_order(function(*arguments))


def last_kind(xs):
    kind = "none"
    for x in xs:
        if x > 4.5:
            kind = "large"
        elif x > 2.0:
            kind = "middle"
    return kind


def first_kind(xs):
    if xs[0] > 5.0:
        return "large"
    if xs[0] > 4.0:
        return "middle"
    return "small" if xs[0] > 2.0 else "none"


def compared_kinds(xs):
    kind = "none"
    if xs[0] > 2.0:
        kind = "large"
    total = xs[0]
    while total < 10.0:
        total = total * 2.0
        if kind == "large" and total > 8.0:
            kind = "done"
        elif kind == "done":
            break
    return total if kind == "done" else 0.0


@pytest.mark.parametrize("program", [last_kind, first_kind, compared_kinds])
def test_tensorflow_lite_runs_branches_that_give_texts(program: Callable[..., Any]):
    # Under tf.function, it ends the process.
    x = tf.constant(VECTOR)
    assert in_any_order(lite(gw.function(program), x)) == in_any_order(program(x))


def large(xs):
    out = []
    for x in xs:
        if x > 2.0:
            out.append(x * x)
    return tf.stack(out)


def masked(xs):
    return xs[xs > 2.0]


FROM_THE_END: list[Callable[[Any], Any]] = [
    lambda xs: xs[-1],
    lambda xs: xs[-tf.constant(2)],
    lambda xs: xs[-2:] * 2.0,
    lambda xs: xs[-3:-1] + xs[-9:-1],
    lambda xs: max(xs) * xs[-1],
]


@pytest.mark.parametrize("made", [large, masked])
@pytest.mark.parametrize("read", FROM_THE_END)
def test_xla_counts_from_the_end_of_what_a_tensor_holds(made: Callable[..., Any], read: Callable[..., Any]):
    def program(xs):
        return read(made(xs))

    x = tf.constant(VECTOR)
    np.testing.assert_allclose(gw.function(program, jit_compile=True)(x), program(x))


def test_xla_has_the_gradient_of_an_item_from_the_end():
    def program(xs):
        return large(xs)[-1] * masked(xs)[-2]

    x = tf.constant(VECTOR)
    compiled = gw.function(with_gradient(program), jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(program)(x), strict=True):
        np.testing.assert_allclose(one, two)


def running(xs):
    return tf.cumsum(masked(xs))


def rolled(xs):
    return tf.roll(large(xs), 1, 0)


def unique(xs):
    return tf.unique(large(xs))[0]


def backwards(xs):
    return masked(xs)[::-1]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (running, "XLA can't run tf.cumsum "),
        (rolled, "XLA can't run tf.roll "),
        (unique, "XLA can't run tf.unique "),
        (backwards, "XLA can't take a slice with a step "),
    ],
)
def test_what_xla_gets_wrong_of_unknown_size_is_refused(program: Callable[..., Any], message: str):
    with pytest.raises(TypeError, match=rf"{message}\(test_deploying.py:\d+\) .*whose size only the run decides"):
        gw.function(program, jit_compile=True)(tf.constant(VECTOR))


def test_xla_knows_the_sizes_that_a_signature_leaves_open():
    @gw.function(jit_compile=True, input_signature=[tf.TensorSpec([None])])
    def known(xs):
        return tf.cumsum(xs)[::-1] + tf.roll(xs, 1, 0) + tf.cast(tf.range(len(xs))[::-1], tf.float32)

    assert known(tf.constant([1.0, 2.0])).numpy().tolist() == [6.0, 2.0]


def test_the_gradient_of_a_slice_of_unknown_size_is_refused_by_xla_in_words():
    def program(xs):
        return tf.reduce_sum(large(xs)[-2:])

    with pytest.raises(TypeError, match="XLA can't take the gradient of a slice"):
        gw.function(with_gradient(program), jit_compile=True)(tf.constant(VECTOR))


def roots(x):
    out = []
    while x > 1.1:
        x = tf.sqrt(x)
        out.append(x)
    return tf.stack(out)


def test_a_list_without_bound_is_refused_by_xla_in_words():
    with pytest.raises(TypeError, match="maximum_iterations"):
        gw.function(roots, jit_compile=True)(tf.constant(9.0))
    np.testing.assert_allclose(gw.function(roots)(tf.constant(9.0)), roots(tf.constant(9.0)))


def halvings(x):
    out = []
    while x > 1.0:
        x = x / 2.0
        out.append(x)
    return tf.stack(out)


def tenths(x):
    out = []
    while x > 0.0:
        x = x * 0.1
        out.append(x)
    return tf.stack(out[:5]) + out[-2]


def doublings(x):
    out = []
    while x < 100.0:
        x = 2.0 * x
        if x > 90.0:
            break
        out.append(x)
    return tf.stack(out)


def digits(n):
    out = []
    while n > 0:
        out.append(n % 3)
        n //= 3
    return tf.stack(out)


def binary(n):
    out = []
    while n:
        out.append(n % 2)
        n //= 2
    return tf.stack(out)


def powers(n):
    out = []
    while n <= 1000:
        n *= 3
        out.append(n)
    return tf.stack(out)


@pytest.mark.parametrize(
    ("program", "argument"),
    [
        (halvings, 9.0),
        (halvings, 3e38),
        (tenths, 3e38),
        (doublings, 3.0),
        (doublings, 1e-30),
        (digits, 27),
        (digits, 2**31 - 1),
        (binary, 2**31 - 1),
        (powers, 1),
    ],
)
def test_what_is_divided_or_multiplied_bounds_its_loop(program: Callable[..., Any], argument: Any):
    x = tf.constant(argument)
    for options in ({}, {"jit_compile": True}):
        np.testing.assert_allclose(gw.function(program, **options)(x), program(x), rtol=1e-4)


def written_until(xs):
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(5):
        array = array.write(i, xs[i] * xs[i])
        if xs[i] > 3.5:
            break
    return array.stack()


def written_by_size(xs):
    array = tf.TensorArray(tf.float32, 0, True)
    for x in xs:
        if x > 2.0:
            array = array.write(array.size(), x * x)
    return array.stack() * tf.cast(array.size(), tf.float32)


def written_from_earlier(xs):
    array = tf.TensorArray(tf.float32, size=1, dynamic_size=True, clear_after_read=False)
    array = array.write(0, xs[0]).write(1, xs[1])
    for i in tf.range(2, 8):
        array = array.write(i, array.read(i - 1) * array.read(i - 2))
    return array.stack() + array.read(4)


def written_beside(xs):
    array, k = tf.TensorArray(tf.float32, size=0, dynamic_size=True), 0
    for _ in tf.range(2):
        for x in xs:
            if x > 2.0:
                array = array.write(k, tf.stack([x, x * x]))
                k += 1
    return array.concat()


def written_in_while(xs):
    array, i = tf.TensorArray(tf.float32, size=0, dynamic_size=True), 0
    while i < len(xs) and xs[i] < 4.5:
        array = array.write(i, xs[i] * xs[i])
        i += 1
    return array.stack()


@pytest.mark.parametrize(
    "program", [written_until, written_by_size, written_from_earlier, written_beside, written_in_while]
)
def test_xla_compiles_tensor_arrays_that_grow(program: Callable[..., Any]):
    x = tf.constant(VECTOR)
    compiled = tf.function(with_gradient(gw.function(program)), autograph=False, jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(program)(x), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)


def test_an_index_of_which_nothing_is_known_is_refused_by_xla_in_words():
    def scattered(xs, n):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        return array.write(n, xs[0]).stack()

    with pytest.raises(TypeError, match="XLA can't let this TensorArray grow: nothing says how large the index"):
        gw.function(scattered, jit_compile=True)(tf.constant(VECTOR), tf.constant(2))


def stacked_inside(xs):
    total = 0.0
    for i in tf.range(3):
        inner = []
        for x in xs:
            if x > tf.cast(i, tf.float32):
                inner.append(x * x)
        total += tf.reduce_sum(tf.stack(inner))
    return total


def picked_inside(xs):
    total = 0.0
    for i in tf.range(3):
        if xs[i] > 0.0:
            total += tf.reduce_sum(tf.square(xs[xs > tf.cast(i, tf.float32)]))
    return total


def sliced_inside(xs):
    total = 0.0
    for i in tf.range(5):
        total += tf.reduce_sum(xs[: i + 1] ** 2) * xs[i]
    return total


@pytest.mark.parametrize("program", [stacked_inside, picked_inside, sliced_inside])
def test_gradients_that_xla_gets_wrong_are_refused(program: Callable[..., Any]):
    x = tf.constant(VECTOR)
    np.testing.assert_allclose(gw.function(program, jit_compile=True)(x), program(x), rtol=1e-5)
    with pytest.raises(TypeError, match=r"XLA computes wrong gradients of .* \(test_deploying.py:\d+\)"):
        tf.function(with_gradient(gw.function(program)), autograph=False, jit_compile=True)(x)


def test_slices_of_one_length_have_their_gradient_under_xla():
    def pairs(xs):
        total = 0.0
        for i in tf.range(4):
            total += tf.reduce_prod(xs[i : i + 2])
        return total

    x = tf.constant(VECTOR)
    compiled = tf.function(with_gradient(gw.function(pairs)), autograph=False, jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(pairs)(x), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)


def looping_in_branch(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = 0.0
        if x[0] > 2.0:
            for i in tf.range(3):
                total += x[i] * x[i]
    return tape.gradient(total, x)


def ranging(x):
    total = 0
    for i in tf.range(5):
        total += tf.reduce_sum(tf.range(i))
    return tf.cast(total, tf.float32) * x


def eigen(x):
    return tf.math.real(tf.linalg.eigvals(tf.reshape(x[:4], [2, 2])))


def named(x):
    return "small" if x[0] < 1.0 else "big"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (looping_in_branch, "it can't take the gradient of a loop in an `if` "),
        (ranging, "it must know the size of what Range makes "),
        (eigen, "it has no Eig "),
        (named, "it has no texts "),
    ],
)
def test_what_xla_refuses_names_the_line(program: Callable[..., Any], message: str):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        gw.function(program, jit_compile=True)(tf.constant(VECTOR))
    assert f"XLA can't compile `{program.__name__}`: {message}(test_deploying.py:" in str(raised.value)


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_none_in_what_a_loop_returns_is_refused(options: Any):
    def place_of(xs):
        for i, x in enumerate(xs):
            if x > 4.5:
                return i, x
        return None, xs[0]

    with pytest.raises(TypeError, match=r"'place_of' .*returns None here and a value elsewhere"):
        gw.function(place_of, **options)(tf.constant(VECTOR[:3]))


def test_a_counter_is_no_bound_where_another_test_lets_the_loop_go_on():
    def longer(xs):
        i, total, out = 0, tf.reduce_sum(xs), []
        while i < 3 or total > 5.0:
            total = total * 0.8
            out.append(total)
            i += 1
        return tf.stack(out)

    x = tf.constant(VECTOR)
    np.testing.assert_allclose(gw.function(longer)(x), longer(x), rtol=1e-6)
    with pytest.raises(TypeError, match="maximum_iterations"):
        gw.function(longer, jit_compile=True)(x)


def test_a_bound_that_is_said_is_one_for_xla():
    def bounded(x):
        out = []
        while x > 1.1:
            gw.set_loop_options(maximum_iterations=30)
            x = tf.sqrt(x)
            out.append(x)
        return tf.stack(out)

    x = tf.constant(9.0)
    compiled = tf.function(with_gradient(gw.function(bounded)), autograph=False, jit_compile=True)(x)
    for one, two in zip(compiled, with_gradient(roots)(x), strict=True):
        np.testing.assert_allclose(one, two)


def test_a_long_loop_of_python_that_the_graph_leaves_is_traced_in_time():
    def decoded(xs):
        out = [xs[0]]
        for _ in range(24):
            out.append(out[-1] * 0.5 + xs[1])
            if out[-1] < 2.1:
                break
        return tf.stack(out)

    x = tf.constant(VECTOR)
    np.testing.assert_allclose(gw.function(decoded, jit_compile=True)(x), decoded(x), rtol=1e-5)


def test_an_index_behind_the_last_element_fails_though_there_is_room():
    def behind(xs, n):
        out = []
        for x in xs:
            if x > 2.0:
                out.append(x)
        return out[n]

    run = gw.function(behind)
    assert run(tf.constant(VECTOR), tf.constant(2)).numpy() == 5.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.constant(VECTOR), tf.constant(3))


def test_a_list_may_grow_by_other_shapes_after_its_loop():
    def uneven(xs):
        out = []
        for x in xs:
            out.append(tf.stack([x, x]))
        out.append(tf.stack([1.0, 2.0, 3.0]))
        return out[-1]

    assert gw.function(uneven)(tf.constant(VECTOR)).numpy().tolist() == [1.0, 2.0, 3.0]


def test_xla_writes_text_as_tf_function_does(capsys: pytest.CaptureFixture[str]):
    def report(x):
        print(f"loss {x:.3f}", "%5.2f" % x, "{!r}".format(x))  # noqa: UP031, UP032
        return x

    assert gw.function(report, jit_compile=True)(tf.constant(2.0)).numpy() == 2.0
    assert capsys.readouterr().out.count('Tensor("x:0"') == 3


def printing(x):
    total = 0.0
    for i in tf.range(3):
        total += tf.reduce_sum(x)
        print(f"{i}: {total:.2f}")
    if total > 3.0:
        print("large", total)
    assert total > 0.0, f"not {total}"
    return total


def test_text_that_tensorflow_lite_has_no_operations_for_can_be_written_while_tracing(
    capfd: pytest.CaptureFixture[str],
):
    x = tf.constant(VECTOR)
    with gw.text_while_tracing():
        assert lite(gw.function(printing), x) == 42.0
    assert "large Tensor(" in capfd.readouterr().out
    assert gw.function(printing)(x).numpy() == 42.0
    assert capfd.readouterr().out == "0: 14.00\n1: 28.00\n2: 42.00\nlarge 42.0\n"
