"""A tensor that counts isn't a Python number: beside another dtype it fails in the graph, as it does eagerly."""

import graphwright as gw
import pytest
import tensorflow as tf

XS = [1.0, -2.0, 3.0]


def test_a_tensor_that_counts_is_no_number() -> None:
    @gw.function
    def counted(xs):
        n = tf.constant(0)
        for _ in xs:
            n += 1
        return xs * n

    with pytest.raises(TypeError, match="Cast the other one"):
        counted(tf.constant(XS))


def test_positions_of_tf_range_are_tensors() -> None:
    @gw.function
    def summed(xs):
        total = 0.0
        for i in tf.range(3):
            total += xs[0] * i
        return total

    with pytest.raises(TypeError, match="does not match type float32"):
        summed(tf.constant(XS))


def test_what_is_no_code_of_graphwright_is_left_alone() -> None:
    @tf.function(autograph=False)
    def doubled(x):
        return x * (tf.shape(x)[0] + 1)

    with pytest.raises(TypeError, match="does not match type float32"):
        doubled(tf.constant(XS))


def counted_to(limit):
    n, found = 0, 0
    while n < limit:
        n += 1
        found += 1 if isinstance(n, int) and not isinstance(n, (float, bool, str)) else 100
    return found


def halved_to(limit):
    value, found = 8.0, 0
    while value > limit:
        value /= 2.0
        found += (
            1 if isinstance(value, float) and isinstance(value, (int, float)) and not isinstance(value, int) else 100
        )
    return found


def chosen_by(limit):
    if limit > 2:
        number, flag, text, pair = 3, True, "a", (1, 2.0)
    else:
        number, flag, text, pair = 4, False, "b", (3, 4.0)
    first, second = pair
    return (
        isinstance(number, int)
        and isinstance(flag, bool)
        and isinstance(text, str)
        and isinstance(first, int)
        and isinstance(second, float)
        and not isinstance(number, (list, str, complex))
    )


@pytest.mark.parametrize("function", [counted_to, halved_to, chosen_by])
@pytest.mark.parametrize("limit", [1, 3])
def test_a_number_of_python_is_an_instance_of_its_class(function, limit: int) -> None:
    assert gw.function(function)(tf.constant(float(limit))).numpy() == function(float(limit))


def test_a_tensor_is_an_instance_of_no_class_of_python() -> None:
    @gw.function
    def is_number(x):
        return isinstance(x, (int, float, bool, str)) or isinstance(x + 1, int)

    assert not is_number(tf.constant(1)).numpy()
    assert is_number(1).numpy()


WEIGHT = tf.Variable(2.0)


def found_in(xs):
    found = False
    for x in xs:
        if x > 2.0:
            found = True
    return found


def flags_among_numbers(xs):
    flag, count, total = found_in(xs), 0, 0.0
    for x in xs:
        count += flag
        total += x * (1 - flag) + flag * 0.5
    return flag + 1, 2.5 - flag, -flag, abs(flag), flag / 2, (flag + 1) ** 2, flag + flag, flag * True, count, total


def flags_among_tensors(xs):
    flag, scale = found_in(xs), WEIGHT * 1.0
    scale *= flag
    return (
        xs * flag,
        flag * xs,
        xs + flag,
        WEIGHT * flag,
        WEIGHT - flag,
        scale,
        tf.maximum(flag, xs),
        tf.where(flag, xs, 0.0),
    )


def flags_that_are_compared(xs):
    flag = found_in(xs)
    return flag < 1, flag == 1, flag == True, flag >= 0.5, max(flag, 0), min([flag, 2]), [5, 6][flag]  # noqa: E712


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("program", [flags_among_numbers, flags_among_tensors, flags_that_are_compared])
def test_a_flag_is_a_number_among_numbers(program, compiled: bool) -> None:
    for values in (XS, [1.0, 2.0, 0.0]):
        wanted, found = program(tf.constant(values)), gw.function(program, jit_compile=compiled)(tf.constant(values))
        for one, other in zip(wanted, found, strict=True):
            assert tf.convert_to_tensor(one).numpy().tolist() == tf.convert_to_tensor(other).numpy().tolist()
            assert (tf.convert_to_tensor(one).dtype == tf.bool) <= (other.dtype in (tf.bool, tf.int32))
