"""Python's built-ins on tensors: a graph gives what plain Python gives eagerly, or refuses what Python refuses."""

from __future__ import annotations

import functools

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright.runtime as gw  # noqa: E402

EMPTY = tf.constant([], tf.float32)
FLOATS = tf.constant([3.0, 1.0, 2.0])
INTEGERS = tf.constant([1, 1, 0, 2])
ROWS = tf.constant([[1], [0], [2]])
MATRIX = tf.constant([[1, 2], [3, 4]])

SCALARS = [3.7, -3.7, 2, True, 2.5, -2.5, 0.0, "12", " 1_2 "]


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value.numpy().tolist() if tf.is_tensor(value) else value


def outcome(function, *args):
    """The value, or the type of the error."""
    try:
        return plain(function(*args))
    except Exception as error:
        return type(error)


def staged(function, *args, dynamic=False):
    shape = (lambda arg: [None] * arg.shape.rank) if dynamic else (lambda arg: arg.shape)
    signature = [tf.TensorSpec(shape(arg), arg.dtype) for arg in args]
    return tf.function(function, autograph=False, input_signature=signature)(*args)


def agree(ours, pythons, *args):
    expected = outcome(pythons, *args)
    assert outcome(ours, *args) == expected
    for dynamic in (False, True):
        got = outcome(functools.partial(staged, ours, dynamic=dynamic), *args)
        if expected is ValueError and dynamic:
            assert got in (ValueError, tf.errors.InvalidArgumentError)
        elif isinstance(expected, float):
            assert got == pytest.approx(expected, nan_ok=True)
        else:
            assert got == expected


@pytest.mark.parametrize("value", SCALARS)
@pytest.mark.parametrize(("ours", "pythons"), [(gw.int, int), (gw.float, float), (gw.bool, bool)])
def test_conversions(ours, pythons, value):
    agree(ours, pythons, tf.constant(value))


def test_conversions_refuse_what_is_no_scalar():
    for ours, pythons in ((gw.int, int), (gw.float, float), (gw.bool, bool)):
        agree(ours, pythons, MATRIX)


def test_dtypes_of_conversions():
    def dtypes(x, y):
        assert gw.int(x).dtype == tf.int32 and gw.float(x).dtype == tf.float64
        assert gw.int(y).dtype == tf.int64 and gw.float(y).dtype == tf.float32

    staged(dtypes, tf.constant(1.5, tf.float64), tf.constant(1, tf.int64))


@pytest.mark.parametrize("value", [FLOATS, INTEGERS, ROWS, MATRIX, EMPTY, tf.constant([7]), tf.constant(3)])
@pytest.mark.parametrize(
    ("ours", "pythons"),
    [
        (gw.len, len),
        (gw.min, min),
        (gw.max, max),
        (lambda x: gw.min(x, default=7), lambda x: min(x, default=7)),
        (lambda x: gw.min(x, key=lambda v: -v), lambda x: min(x, key=lambda v: -v)),
        (lambda x: gw.max(x, key=lambda v: v * v), lambda x: max(x, key=lambda v: v * v)),
        (gw.sum, sum),
        (lambda x: gw.sum(x, 1), lambda x: sum(x, 1)),
        (gw.any, any),
        (gw.all, all),
        (lambda x: gw.sorted(x), sorted),
        (lambda x: gw.sorted(x, reverse=True), lambda x: sorted(x, reverse=True)),
        (lambda x: gw.sorted(x, key=lambda v: -v), lambda x: sorted(x, key=lambda v: -v)),
        (lambda x: gw.in_(1, x), lambda x: 1 in x),
        (lambda x: gw.not_in(2, x), lambda x: 2 not in x),
    ],
)
def test_vectors(ours, pythons, value):
    agree(ours, pythons, value)


TWO = {
    "min": (lambda x, y: gw.min(x, y), lambda x, y: min(x, y)),
    "mixed": (lambda x, y: gw.min(x, 5, y), lambda x, y: min(x, 5, y)),
    "max of list": (lambda x, y: gw.max([x, y, 5]), lambda x, y: max([x, y, 5])),
    "key": (lambda x, y: gw.min((x, y), key=lambda v: -v), lambda x, y: min((x, y), key=lambda v: -v)),
    "pairs": (lambda x, y: gw.min((x, 1), (y, 0)), lambda x, y: min((x, 1), (y, 0))),
    "sorted": (lambda x, y: gw.sorted([x, y, 5]), lambda x, y: sorted([x, y, 5])),
    "sorted pairs": (
        lambda x, y: gw.sorted([(x, 1), (y, 2), (x, 3)], key=lambda p: p[0], reverse=True),
        lambda x, y: sorted([(x, 1), (y, 2), (x, 3)], key=lambda p: p[0], reverse=True),
    ),
    "any": (lambda x, y: gw.any([x > 5, False, y > 5]), lambda x, y: any([x > 5, False, y > 5])),
    "all": (lambda x, y: gw.all([x > 2, True, y > 2]), lambda x, y: all([x > 2, True, y > 2])),
    "sum": (lambda x, y: gw.sum([x, y], 1), lambda x, y: sum([x, y], 1)),
    "in list": (lambda x, y: gw.in_(x, [y, 2, None]), lambda x, y: x in [y, 2, None]),
    "in range": (lambda x, y: gw.in_(x, range(20, 1, -3)), lambda x, y: x in range(20, 1, -3)),
    "in pairs": (lambda x, y: gw.in_((x, 1), [(4, 1), (y, 2)]), lambda x, y: (x, 1) in [(4, 1), (y, 2)]),
    "pow": (lambda x, y: gw.pow(x, y), lambda x, y: pow(x, y)),
    "isinstance": (lambda x, y: gw.isinstance(x, (int, float)), lambda x, y: isinstance(x, (int, float))),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("pair", [(4, 7), (7, 4), (4, 4), (2, 5)])
def test_several_values(name, pair):
    agree(*TWO[name], *(tf.constant(number) for number in pair))


def test_nan_decides_as_in_python():
    for pair in ((1.0, float("nan")), (float("nan"), 1.0)):
        got = staged(lambda x, y: gw.min(x, y), *map(tf.constant, pair))
        assert plain(got) == pytest.approx(min(pair), nan_ok=True)


def test_round_goes_to_even():
    for number in (2.5, 3.5, -2.5, 2.4, 7.0):
        assert plain(staged(gw.round, tf.constant(number))) == round(number)
        assert plain(staged(lambda x: gw.round(x, 1), tf.constant(number + 0.26))) == pytest.approx(
            round(number + 0.26, 1)
        )
    for number in (15, 25, -15, 149, -151):
        assert plain(staged(lambda x: gw.round(x, -1), tf.constant(number))) == round(number, -1)


def test_divmod_and_modular_power():
    for left, right in ((7, 3), (-7, 3), (7, -3)):
        assert plain(staged(gw.divmod, tf.constant(left), tf.constant(right))) == list(divmod(left, right))
    assert plain(staged(lambda x: gw.pow(x, 1000, 2_000_003), tf.constant(123456))) == pow(123456, 1000, 2_000_003)
    assert plain(staged(lambda x: gw.pow(x, exp=2, mod=5), tf.constant(3))) == 4
    with pytest.raises(TypeError, match="unless all arguments are integers"):
        staged(lambda x: gw.pow(x, 2, 5.0), tf.constant(3))
    with pytest.raises(ValueError, match="cannot be 0"):
        staged(lambda x: gw.pow(x, 2, 0), tf.constant(3))


def test_membership_in_keys_with_symbolic_element():
    for number in (1, 5):
        assert plain(staged(lambda x: gw.in_(x, {1: "a", 2: "b"}), tf.constant(number))) == (number in {1, 2})


def test_length_of_datasets_and_ragged():
    @tf.function(autograph=False)
    def lengths(n):
        known = gw.len(tf.data.Dataset.range(5))
        return known, gw.len(tf.data.Dataset.range(n)), gw.len(tf.ragged.constant([[1], [2, 3]]))

    assert plain(lengths(tf.constant(4, tf.int64))) == [5, 4, 2]


def test_reductions_of_datasets():
    @tf.function(autograph=False)
    def reduced():
        numbers = tf.data.Dataset.range(1, 5)
        return gw.sum(numbers, 1), gw.any(numbers), gw.all(numbers), gw.in_(3, numbers)

    assert plain(reduced()) == [11, True, True, True]


def test_objects_answer_by_their_own_methods():
    class Box:
        def __init__(self, tensor):
            self.tensor = tensor

        def __len__(self):
            return tf.size(self.tensor)

        def __abs__(self):
            return tf.abs(self.tensor)

        def __contains__(self, element):
            return tf.reduce_any(self.tensor == element)

    def asked(x):
        box = Box(x)
        return gw.len(box), gw.abs(box), gw.in_(-1, box)

    assert plain(staged(asked, tf.constant([-1, 2]), dynamic=True)) == [2, [1, 2], True]


def test_empty_dynamic_vector_has_no_extreme():
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty"):
        staged(gw.min, EMPTY, dynamic=True)


def test_gradient_goes_to_the_extreme():
    with tf.GradientTape() as tape:
        tape.watch(FLOATS)
        value = staged(gw.max, FLOATS)
    assert plain(tape.gradient(value, FLOATS)) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("make", [tuple, list, lambda parts: dict(enumerate(parts)).values()])
def test_sum_of_one_tensor_several_times_in_a_branch(make):
    def summed(x):
        return gw.if_(x > 0, lambda: gw.sum(make([x, x])), lambda: gw.sum(make([x])))

    for x in (1.0, -1.0):
        found = tf.function(summed, autograph=False)(tf.constant(x))
        assert found.numpy() == (2 * x if x > 0 else x), "TensorFlow's optimizer makes an empty tensor of 0 + x + x"
