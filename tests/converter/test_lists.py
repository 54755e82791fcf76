"""Lists of converted code: as Python's eagerly, and the same values and gradients from a graph."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

import graphwright.runtime as gw  # noqa: E402
from graphwright.runtime.lists import graph_lists, list_methods, list_stores, subscripts, whole_lists  # noqa: E402

Pair = namedtuple("Pair", "left right")


def repeat(count: Any, turn: Any, xs: Any) -> Any:
    """The list after turns of a loop, which is staged where a graph is built."""
    return gw.for_(gw.range(count), turn, xs, names=["the list"])


def plain(value: Any) -> Any:
    if isinstance(value, graph_lists.GraphList):
        value = whole_lists.as_result(value)
    if isinstance(value, list) and value and not isinstance(value[0], (list, tuple, dict)):
        return tf.stack(value)
    return value


def numbers(value: Any) -> Any:
    return [np.asarray(part) for part in tf.nest.flatten(value)]


def agree(function: Any, *arguments: Any, relaxed: bool = True) -> Any:
    """Eager and graph give the same, and the gradient by the float arguments is the same."""
    arguments = tuple(tf.convert_to_tensor(argument) for argument in arguments)

    def run(*given: Any) -> Any:
        return tf.nest.map_structure(tf.convert_to_tensor, plain(function(*given)))

    eager = run(*arguments)
    specs = [tf.TensorSpec([None] * a.shape.rank if relaxed else a.shape, a.dtype) for a in arguments]
    traced = tf.function(run, autograph=False, input_signature=specs)
    graph = traced(*arguments)
    for one, two in zip(numbers(eager), numbers(graph), strict=True):
        np.testing.assert_allclose(one, two) if one.dtype.kind in "fiu" else np.testing.assert_array_equal(one, two)
        assert one.dtype == two.dtype
    floats = [a for a in arguments if a.dtype.is_floating]
    if floats and any(part.dtype.is_floating for part in tf.nest.flatten(eager)):
        gradients = []
        for way in (run, traced):
            with tf.GradientTape() as tape:
                tape.watch(floats)
                parts = [p for p in tf.nest.flatten(way(*arguments)) if p.dtype.is_floating]
                total = tf.add_n([tf.reduce_sum(p * p * (k + 1.0)) for k, p in enumerate(parts)])
            gradients.append(tape.gradient(total, floats, unconnected_gradients="zero"))
        for one, two in zip(*gradients, strict=True):
            np.testing.assert_allclose(tf.convert_to_tensor(one), tf.convert_to_tensor(two), rtol=1e-5)
    return eager


def grown(x: Any, n: Any = 4) -> Any:
    """A list `[0 x, 1 x, ...]` that a loop filled."""
    return repeat(n, lambda i, xs: list_methods.append(xs, x * tf.cast(i, x.dtype)), [])


W = [1.0, 2.0]
N = 4


def test_python_lists_are_changed_in_place() -> None:
    xs: Any = [3, 1, 2]
    assert list_methods.append(xs, 4) is xs
    assert list_methods.extend(xs, [5, 6]) is xs
    assert list_methods.insert(xs, 0, 9) is xs
    assert list_methods.pop(xs) == (xs, 6)
    assert list_methods.pop(xs, 0) == (xs, 9)
    assert list_methods.remove(xs, 4) is xs
    assert list_methods.reverse(xs) is xs and xs == [5, 2, 1, 3]
    assert list_methods.sort(xs, reverse=True) is xs and xs == [5, 3, 2, 1]
    assert subscripts.set_item(xs, 1, 7) is xs and subscripts.get_item(xs, 1) == 7
    assert subscripts.set_item(xs, slice(0, 2), [8]) is xs and xs == [8, 2, 1]
    assert list_methods.clear(xs) is xs and xs == []
    with pytest.raises(IndexError, match="pop from empty list"):
        list_methods.pop(xs)
    with pytest.raises(ValueError):
        list_methods.remove(xs, 1)


def test_other_objects_use_their_own_methods() -> None:
    class Bag:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def append(self, value: Any) -> str:
            self.seen.append(value)
            return "ignored"

        def pop(self, default: Any = None) -> Any:
            return default

    bag = Bag()
    assert list_methods.append(bag, 1) is bag and bag.seen == [1]
    assert list_methods.pop(bag, default=5) == (bag, 5)
    assert list_methods.pop({"a": 1}, "a") == ({}, 1)
    assert list_methods.pop({}, "a", 3) == ({}, 3)
    assert list_methods.remove({1, 2}, 1) == {2}
    with pytest.raises(AttributeError):
        list_methods.append(tf.constant([1]), 1)


def last_of_all(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    xs, last = list_methods.pop(xs)
    return xs[0], xs[-1], last, list_methods.stack(xs)


def inserting(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    for place in (0, 2, -1, 100):
        xs = list_methods.insert(xs, place, w * 10.0)
    return xs


def popping_inside(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    xs, a = list_methods.pop(xs, 0)
    xs, b = list_methods.pop(xs, -2)
    return a, b, list_methods.stack(xs)


def joining(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    ys = xs + [w * 5.0]
    zs = [w * 7.0] + xs
    return (
        list_methods.stack(ys),
        list_methods.stack(zs),
        list_methods.stack(xs * 2),
        list_methods.stack(list_methods.extend(xs, zs)),
    )


def slicing(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    return [list_methods.stack(part) for part in (xs[1:], xs[:-1], xs[::-1], xs[1:3], xs[:])] and tuple(
        list_methods.stack(part) for part in (xs[1:], xs[:-1], xs[::-1], xs[1:3], xs[:])
    )


def assigning(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    xs = subscripts.set_item(xs, 1, w * 9.0)
    xs = subscripts.set_item(xs, -1, w * 8.0)
    return subscripts.set_item(xs, n - 2, w * 7.0)


def assigning_slices(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    return subscripts.set_item(xs, slice(1, 3), [w * 9.0])


def ordering(n: Any, w: Any) -> Any:
    xs = repeat(n, lambda i, xs: list_methods.append(xs, w[0] * tf.cast((i * 3) % 4, w.dtype)), [])
    first = list_methods.stack(xs)
    xs = list_methods.reverse(xs)
    second = list_methods.stack(xs)
    xs = list_methods.sort(xs)
    third = list_methods.stack(xs)
    xs = list_methods.sort(xs, key=lambda x: (x - 3.0) * (x - 3.0), reverse=True)
    return first, second, third, list_methods.stack(xs)


def removing(n: Any, w: Any) -> Any:
    xs = repeat(n, lambda i, xs: list_methods.append(xs, w[1] * tf.cast(i % 2, w.dtype)), [])
    return list_methods.remove(xs, w[1])


def pairs(n: Any, w: Any) -> Any:
    xs = repeat(n, lambda i, xs: list_methods.append(xs, (w * tf.cast(i, w.dtype), i)), [])
    a, b = xs[-1]
    c, d = xs[0]
    return a, tf.cast(b, tf.int32), c, tf.cast(d, tf.int32)


def named(n: Any, w: Any) -> Any:
    xs = repeat(n, lambda i, xs: list_methods.append(xs, Pair(w, {"k": w * tf.cast(i, w.dtype)})), [])
    return xs[1].left, xs[-1].right["k"]


def clearing(n: Any, w: Any) -> Any:
    return list_methods.append(list_methods.clear(grown(w, n)), w)


def deleting(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    del xs[1]
    del xs[2:]
    return xs


def emptied_and_filled(n: Any, w: Any) -> Any:
    """A stack: pushed and popped in the same loop."""

    def turn(i: Any, xs: Any) -> Any:
        xs = list_methods.append(xs, w * tf.cast(i, w.dtype))
        xs, top = list_methods.pop(xs)
        return list_methods.extend(xs, [top, top * 2.0])

    return repeat(n, turn, [w])


@pytest.mark.parametrize(
    "program",
    [
        last_of_all,
        inserting,
        popping_inside,
        joining,
        slicing,
        assigning,
        assigning_slices,
        ordering,
        removing,
        pairs,
        named,
        clearing,
        deleting,
        emptied_and_filled,
    ],
)
@pytest.mark.parametrize("relaxed", [True, False])
def test_a_list_filled_in_a_loop(program: Any, relaxed: bool) -> None:
    agree(program, N, W, relaxed=relaxed)


def test_a_loop_without_turns_leaves_an_empty_list() -> None:
    @tf.function(autograph=False)
    def run(n: Any, w: Any) -> Any:
        xs = grown(w, n)
        return xs.length(), list_methods.stack(xs)

    length, rows = run(tf.constant(0), tf.constant(W))
    assert length.numpy() == 0 and rows.shape == (0, 2)


def test_numbers_take_the_dtype_of_the_tensors_beside_them() -> None:
    agree(lambda n, w: repeat(n, lambda i, xs: list_methods.append(xs, w[0] * 2.0), [0.5]), N, W)
    agree(lambda n, w: repeat(n, lambda i, xs: list_methods.append(xs, w[0] * 2.0), [1.0, w[1]]), N, W)


def test_elements_of_different_length_stay_apart_until_they_are_joined() -> None:
    def ragged(n: Any, w: Any) -> Any:
        xs = repeat(n, lambda i, xs: list_methods.append(xs, tf.repeat(w, i + 1)), [])
        joined = list_methods.concatenated(xs) if isinstance(xs, graph_lists.GraphList) else tf.concat(xs, 0)
        xs, head = list_methods.pop(xs, 0)
        return joined, head, xs[1]

    agree(ragged, N, W)


def test_joining_along_another_axis() -> None:
    def wide(n: Any, w: Any) -> Any:
        xs = repeat(n, lambda i, xs: list_methods.append(xs, tf.reshape(w, [1, 2]) + tf.cast(i, w.dtype)), [])
        graph = isinstance(xs, graph_lists.GraphList)
        return [list_methods.concatenated(xs, axis) if graph else tf.concat(xs, axis) for axis in (0, 1, -1)][1]

    agree(wide, N, W)


def test_concat_joins_the_elements() -> None:
    for axis in (0, 1, -1):
        agree(lambda n, w, axis=axis: tf.concat(grown(tf.reshape(w, [1, 2]), n), axis), N, W)
    agree(lambda n, w: tf.concat(values=grown(w, n), axis=0), N, W)
    agree(lambda n, w: tf.concat([tf.stack(grown(w, n))], 0), N, W)
    agree(lambda n, w: tf.concat([list_methods.stack(grown(w, n)), tf.stack(grown(w, n))], 0), N, W)


def test_element_type_of_an_empty_list() -> None:
    xs = list_methods.set_element_type([], tf.int32)
    assert list_methods.stack(xs).dtype == tf.int32 and xs == []
    assert list_methods.stack(list_methods.set_element_type([], tf.float64, [3])).shape == (0, 3)
    assert list_methods.stack(list_methods.append(list_methods.set_element_type([], tf.float64), 1)).dtype == tf.float64

    def published(n: Any) -> Any:
        a = list_methods.set_element_type([], tf.int32)
        a = repeat(n, lambda i, a: list_methods.append(a, i), a)
        return list_methods.stack(a)

    assert agree(published, 5).numpy().tolist() == [0, 1, 2, 3, 4]
    assert published(tf.constant(0)).dtype == tf.int32


def test_stack_of_a_tensor_is_the_tensor() -> None:
    x = tf.constant([1, 2])
    assert list_methods.stack(x) is x


def test_conversion_and_operators() -> None:
    agree(lambda n, w: tf.reduce_sum(grown(w, n), axis=0) + tf.convert_to_tensor(grown(w, n))[1], N, W)
    agree(lambda n, w: w + tf.convert_to_tensor(grown(w, n)), N, W)


def test_lists_of_lists() -> None:
    def rows(n: Any, w: Any) -> Any:
        xs = repeat(n, lambda i, xs: list_methods.append(xs, [w, w * tf.cast(i, w.dtype)]), [])
        return xs[2][1]

    agree(rows, N, W)

    @tf.function(autograph=False)
    def growing_rows(n: Any, w: Any) -> Any:
        xs = repeat(n, lambda i, xs: list_methods.append(xs, grown(w, i + 1)), [])
        return list_methods.stack(xs[2]), xs[3].length()

    part, length = growing_rows(tf.constant(N), tf.constant(W))
    assert length.numpy() == 4
    np.testing.assert_allclose(part, [[0, 0], [1, 2], [2, 4]])


def test_python_index_methods_with_tensors() -> None:
    agree(lambda i, w: list_methods.pop([w, w * 2.0, w * 3.0], i)[1], 1, W)
    agree(lambda i, w: list_methods.stack(list_methods.pop([w, w * 2.0, w * 3.0], i)[0]), 1, W)
    agree(lambda i, w: list_methods.stack(list_methods.insert([w, w * 2.0], i, w * 5.0)), 1, W)
    agree(lambda w: list_methods.stack(list_methods.remove([w[0], w[1]], w[1])), W)
    agree(lambda w: list_methods.stack(list_methods.sort([w[1], w[0], w[1] * 0.1])), W)
    agree(lambda w: list_methods.stack(list_methods.sort([w[1], w[0], w[1] * 0.1], key=lambda x: -x)), W)
    agree(lambda w: list_methods.stack(list_methods.extend([w[0]], w)), W, relaxed=False)
    agree(lambda w: list_methods.stack(list_methods.extend([w[0]], w)), W)


def changed_in_a_branch(n: Any, w: Any) -> Any:
    xs = grown(w, n)
    return tf.cond(n > 0, lambda: list_methods.append(xs, w)[0], lambda: w)


def test_what_is_refused_says_why() -> None:
    def trace(function: Any) -> Any:
        return tf.function(function, autograph=False).get_concrete_function(
            tf.TensorSpec([], tf.int32), tf.TensorSpec([2], tf.float32)
        )

    cases = [
        (lambda n, w: list_methods.append(grown(w, n), tf.constant([1, 2])), "the same dtype"),
        (lambda n, w: list_methods.append(grown(w, n), (w, w)), "structure"),
        (lambda n, w: list_methods.append(grown(w, n), None), "None can't be an element"),
        (lambda n, w: list_methods.append(grown(w, n), object()), "object can't be an element"),
        (lambda n, w: list(grown(w, n)), "can't be unpacked"),
        (lambda n, w: len(grown(w, n)), "gw.len"),
        (lambda n, w: bool(grown(w, n)), "empty"),
        (lambda n, w: graph_lists.as_growable([]), "set_element_type"),
        (changed_in_a_branch, "change would be lost"),
    ]
    for function, text in cases:
        with pytest.raises(TypeError, match=text):
            trace(lambda n, w, function=function: (function(n, w), n)[1])


def test_indexes_outside_fail_when_the_graph_runs() -> None:
    for function in (
        lambda n, w: grown(w, n)[n],
        lambda n, w: [w, w][n],
        lambda n, w: list_methods.pop(list_methods.clear(grown(w, n))),
    ):
        run = tf.function(lambda n, w, function=function: subscripts_of(function, n, w), autograph=False)
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(tf.constant(4), tf.constant(W))


def subscripts_of(function: Any, n: Any, w: Any) -> Any:
    try:
        return function(n, w)
    except TypeError:
        return subscripts.get_item([w, w], n)


@pytest.mark.parametrize("index", [0, 1, -1, -3])
def test_an_element_chosen_by_a_tensor(index: int) -> None:
    get = subscripts.get_item
    agree(lambda i, w: get([w, w * 2.0, w * 3.0], i), index, W)
    agree(lambda i, w: get((w, w * 2.0, w * 3.0), i), index, W)
    agree(lambda i, w: get([tf.repeat(w, 2), w, w * 3.0], i), index, W, relaxed=False)
    agree(lambda i, w: get([(w, w[0]), (w * 2.0, w[1]), (w, w[1])], i), index, W)
    agree(lambda i, w: w * get([1.0, 2.0, 5.0], i), index, W)
    agree(lambda i, w: tf.strings.join([get(["a", "b", "c"], i)]), index, W)
    agree(lambda i, w: tf.strings.join([get("abc", i)]), index, W)
    agree(lambda i, w: tf.convert_to_tensor(get(range(3, 12, 3), i)), index, W)
    agree(lambda i, w: tf.convert_to_tensor(get(np.array([4, 5, 6]), i)), index, W)
    agree(lambda i, w: get(tf.stack([w, w, w * 4.0]), i), index, W)


def test_keys_and_slices_by_tensors() -> None:
    names = {1: 10.0, 4: 40.0}

    def look(k: Any, w: Any) -> Any:
        key = int(k) if tf.executing_eagerly() else k
        return w * subscripts.get_item({1: w, 4: w * 3.0}, key) * subscripts.get_item(names, key)

    agree(look, 4, W)
    agree(lambda i, w: list_methods.stack(subscripts.get_item([w, w * 2.0, w * 3.0], slice(i, None))), 1, W)
    run = tf.function(lambda k: subscripts.get_item(names, k), autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="KeyError"):
        run(tf.constant(2))
    with pytest.raises(TypeError, match="can't select"):
        tf.function(lambda k: subscripts.get_item([abs, 1.0], k), autograph=False)(tf.constant(0))


def test_assignment_by_a_tensor_index() -> None:
    put = subscripts.set_item
    agree(lambda i, w: put([w, w * 2.0, w * 3.0], i, w * 7.0), 1, W)
    agree(lambda i, w: put([w, w * 2.0, w * 3.0], i, w * 7.0), -1, W)
    agree(lambda i, w: put([w, w * 2.0, w * 3.0], i, w * 7.0), 2, W, relaxed=False)

    def counted(k: Any, w: Any) -> Any:
        counts = {1: w, 4: w * 2.0}
        counts = put(counts, int(k) if tf.executing_eagerly() else k, w * 9.0)
        return counts[1], counts[4]

    agree(counted, 4, W)


X = np.arange(12.0, dtype=np.float32).reshape(3, 4)
INDEXES: list[Any] = [
    0,
    -1,
    (1, 2),
    (-1, -2),
    slice(0, 2),
    slice(None, None, 2),
    slice(None, None, -1),
    (slice(None), 1),
    (slice(1, 3), slice(0, 2)),
    ...,
    (..., 0),
    (0, ...),
    (0, None),
]


@pytest.mark.parametrize("index", INDEXES, ids=str)
def test_assigning_into_a_tensor(index: Any) -> None:
    expected = X.copy()
    expected[index] = -5.0

    def assign(x: Any) -> Any:
        return subscripts.set_item(x, index, -5.0)

    np.testing.assert_allclose(agree(assign, X), expected)
    agree(lambda x: subscripts.set_item(x, index, x[index] * 3.0), X)
    agree(assign, X, relaxed=False)
    variable = tf.Variable(X)
    assert subscripts.set_item(variable, index, -5.0) is variable
    np.testing.assert_allclose(variable, expected)


def test_assigning_by_tensors_and_masks() -> None:
    put = subscripts.set_item
    agree(lambda i, x: put(x, i, x[0] * 5.0), 2, X)
    agree(lambda i, x: put(x, (i, 1), 5.0), -1, X)
    agree(lambda i, x: put(x, slice(i), 5.0), 2, X)
    agree(lambda i, x: put(x, x > tf.cast(i, x.dtype), 5.0), 6, X)
    for way in (lambda x: put(x, [0, 2], 5.0), lambda x: put(x, np.array([0, 2]), x[:2] * 2.0)):
        agree(way, X)
    np.testing.assert_allclose(agree(lambda x: put(x, ([0, 1], [2, 3]), 9.0), X)[1, 3], 9.0)
    agree(lambda n: put(tf.zeros([3], tf.int32), 1, n), 7)
    with pytest.raises(TypeError, match=r"tf\.cast"):
        put(tf.zeros([3], tf.int32), 1, tf.constant(0.5))


def test_assigning_into_arrays_and_dicts_is_pythons() -> None:
    array, table = np.zeros(3), {"a": 1}
    assert subscripts.set_item(array, 1, 5.0) is array and array[1] == 5.0
    assert subscripts.set_item(table, "b", 2) is table and table == {"a": 1, "b": 2}


def test_a_branch_that_appends() -> None:
    def branch(n: Any, w: Any) -> Any:
        xs: Any = [w]
        if tf.executing_eagerly():
            return list_methods.append(xs, w * 2.0) if n > 0 else xs
        kind = graph_lists.merge_lists(xs, [w * 2.0])
        handles = tf.cond(
            n > 0,
            lambda: graph_lists.as_growable([w, w * 2.0], kind).store.tensors(),
            lambda: graph_lists.as_growable(xs, kind).store.tensors(),
        )
        return graph_lists.GraphList(list_stores.store_of(handles, True), kind)

    agree(branch, 1, W)
    agree(branch, -1, W)


def test_membership_index_and_count() -> None:
    def ask(n: Any, w: Any) -> Any:
        xs = repeat(n, lambda i, xs: list_methods.append(xs, w[0] * tf.cast(i % 3, w.dtype)), [])
        if isinstance(xs, list):
            ys = [float(x) for x in xs]
            return tf.constant(ys.index(2.0)), tf.constant(ys.count(0.0)), tf.constant(2.0 in ys)
        return xs.index(2.0), xs.count(0.0), xs.contains(2.0)

    agree(ask, 5, W)
