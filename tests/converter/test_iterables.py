"""range, enumerate, zip, map..., iter, next and comprehensions: eagerly the builtins, the same from a graph."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from graphwright import runtime as gw  # noqa: E402
from graphwright.runtime.lists import graph_lists, staged_sequences, whole_lists  # noqa: E402


def walked(xs: Any) -> Any:
    """What a `for` sees, each part stacked: by iteration eagerly, by length() and get(i) in a staged loop."""
    if isinstance(xs, graph_lists.GraphList) and not xs.element.simple:
        return whole_lists.as_result(xs)
    if tf.executing_eagerly() or not staged_sequences.is_staged(xs):
        items = list(xs)
        return tf.nest.map_structure(lambda *parts: tf.stack(parts), *items)
    sequence = staged_sequences.as_sequence(xs)
    return whole_lists.as_result(gw.collect(lambda item: item, Opaque(sequence)))


class Opaque(staged_sequences.Staged):
    """A sequence whose length isn't known while the graph is built."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def length(self) -> Any:
        return tf.compat.v1.placeholder_with_default(self.source.length(), [])

    def get(self, index: Any) -> Any:
        return self.source.get(index)


def agree(function: Any, *arguments: Any) -> Any:
    arguments = tuple(tf.convert_to_tensor(argument) for argument in arguments)
    eager = tf.nest.map_structure(tf.convert_to_tensor, walked(function(*arguments)))
    for relaxed in (True, False):
        specs = [tf.TensorSpec([None] * a.shape.rank if relaxed else a.shape, a.dtype) for a in arguments]

        @tf.function(autograph=False, input_signature=specs)
        def traced(*given: Any) -> Any:
            return walked(function(*given))

        graph = traced(*arguments)
        tf.nest.assert_same_structure(eager, graph)
        for one, two in zip(tf.nest.flatten(eager), tf.nest.flatten(graph), strict=True):
            assert one.dtype == two.dtype
            np.testing.assert_allclose(one, two)
        floats = [a for a in arguments if a.dtype.is_floating]
        if not floats:
            continue
        results = []
        for way in (lambda *given: walked(function(*given)), traced):
            with tf.GradientTape() as tape:
                tape.watch(floats)
                parts = [p for p in tf.nest.flatten(way(*arguments)) if tf.as_dtype(p.dtype).is_floating]
                total = tf.add_n([tf.reduce_sum(p * p) for p in parts])
            results.append(tape.gradient(total, floats, unconnected_gradients="zero"))
        for one, two in zip(*results, strict=True):
            np.testing.assert_allclose(tf.convert_to_tensor(one), tf.convert_to_tensor(two), rtol=1e-5)
    return eager


X = [3.0, -1.0, 2.0, 0.0]
Y = [10.0, 20.0, 30.0]


def test_python_values_get_the_builtins() -> None:
    assert gw.range(3) == range(3) and gw.range(1, 7, 2) == range(1, 7, 2)
    for mine, theirs in ((gw.enumerate, enumerate), (gw.zip, zip), (gw.reversed, reversed), (gw.iter, iter)):
        assert type(mine([1, 2])) is type(theirs([1, 2]))
    assert type(gw.map(abs, [1])) is map and type(gw.filter(None, [1])) is filter
    assert list(gw.enumerate("ab", 1)) == [(1, "a"), (2, "b")]
    assert list(gw.zip([1, 2], "ab")) == [(1, "a"), (2, "b")]
    assert list(gw.map(lambda a, b: a + b, [1, 2], [3, 4])) == [4, 6]
    assert gw.next(gw.iter([5])) == 5 and gw.next(iter([]), 7) == 7
    assert list(gw.iter(iter([1, 2, 0]).__next__, 0)) == [1, 2]
    with pytest.raises(StopIteration):
        gw.next(iter([]))
    with pytest.raises(TypeError):
        gw.range(1.5)
    with pytest.raises((TypeError, AttributeError)):
        gw.range(tf.constant(1.5))
    assert gw.collect(lambda x: x * 2, [1, 2, 3], lambda x: x != 2) == [2, 6]
    assert gw.collect(lambda x: [x, x], [1, 2], flat=True) == [1, 1, 2, 2]
    assert list(gw.unrolled({"a": 1})) == ["a"]


@pytest.mark.parametrize("bounds", [(5,), (2, 7), (7, 2), (0, 10, 3), (10, 0, -3), (10, 0, -4), (1, 9, 4), (-3, 3)])
def test_ranges(bounds: Any) -> None:
    expected = list(range(*bounds))

    @tf.function(autograph=False)
    def run(*given: Any) -> Any:
        xs = gw.range(*given)
        return xs.length(), tf.convert_to_tensor(xs), whole_lists.stacked(gw.collect(lambda i: i, xs))

    for dtype in (tf.int32, tf.int64):
        length, whole, items = run(*(tf.constant(bound, dtype) for bound in bounds))
        assert length.numpy() == len(expected) and whole.numpy().tolist() == expected == items.numpy().tolist()
        assert whole.dtype == items.dtype == dtype
    mixed = tf.function(lambda n: gw.range(*bounds[:-1], n).length(), autograph=False) if len(bounds) < 3 else None
    assert mixed is None or mixed(tf.constant(bounds[-1])).numpy() == len(expected)
    stepped = tf.function(lambda n: tf.convert_to_tensor(gw.range(n, *bounds[1:])), autograph=False)
    if len(bounds) == 3:
        assert stepped(tf.constant(bounds[0])).numpy().tolist() == expected


def test_what_ranges_answer() -> None:
    @tf.function(autograph=False)
    def run(n: Any) -> Any:
        xs = gw.range(2, n, 3)
        down = gw.range(n, 0, -2)
        backwards = tf.convert_to_tensor(gw.reversed(xs))
        return xs[1], xs[-1], xs.contains(8), xs.contains(9), down.contains(4), down.contains(12), backwards

    assert [x.numpy().tolist() for x in run(tf.constant(12))] == [5, 11, True, False, True, True, [11, 8, 5, 2]]


def test_ranges_refuse_what_pythons_refuses() -> None:
    trace = lambda f, *a: tf.function(f, autograph=False)(*a)  # noqa: E731
    with pytest.raises(TypeError, match=r"tf\.cast"):
        trace(lambda n: gw.range(n).length(), tf.constant(2.0))
    with pytest.raises(ValueError, match="must not be zero"):
        trace(lambda n: gw.range(0, n, 0).length(), tf.constant(2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must not be zero"):
        trace(lambda n: gw.range(0, 4, n).length(), tf.constant(0))


def test_enumerate_zip_map_reversed() -> None:
    agree(lambda x: gw.enumerate(x), X)
    agree(lambda x: gw.enumerate(x, 5), X)
    agree(lambda x, n: gw.enumerate(x, n), X, 3)
    agree(lambda n: gw.enumerate([4, 5], n), 3)
    agree(lambda x, y: gw.zip(x, y), X, Y)
    agree(lambda x: gw.zip(x, range(3)), X)
    agree(lambda x: gw.zip(x, [1.0, 2.0]), X)
    agree(lambda x, y: gw.zip([y, y * 2.0], x), X, Y)
    agree(lambda x, y: gw.enumerate(gw.zip(x, y)), X, Y)
    agree(lambda x: gw.map(lambda a: a * a, x), X)
    agree(lambda x, y: gw.map(lambda a, b: a * b, x, y), X, Y)
    agree(lambda x: gw.reversed(x), X)
    agree(lambda x: gw.enumerate(gw.reversed(x)), X)
    agree(lambda x: gw.zip(x, x[1:]), X)
    agree(lambda x: gw.map(lambda row: row * 2.0, x), [[1.0, 2.0], [3.0, 4.0]])


def test_filter_keeps_what_the_function_says() -> None:
    agree(lambda x: gw.filter(lambda a: a > 0, x), X)
    agree(lambda x: gw.filter(None, x), X)
    agree(lambda x: gw.map(lambda a: a * 3.0, gw.filter(lambda a: a > 0, x)), X)
    agree(lambda x: gw.filter(lambda row: tf.reduce_sum(row) > 3.0, x), [[1.0, 1.0], [2.0, 2.0]])
    agree(lambda x, y: gw.filter(lambda pair: pair[0] > 0, gw.zip(x, y)), X, Y)
    agree(lambda x: gw.filter(lambda a: a > 0, [x[0], x[1], x[2]]), X)


def test_objects_that_cannot_be_chosen_are_unrolled_beside_a_tensor() -> None:
    run = tf.function(lambda x: [f(v) for f, v in gw.zip([tf.abs, tf.sqrt], x)], autograph=False)
    assert [r.numpy() for r in run(tf.constant([-3.0, 4.0]))] == [3.0, 2.0]
    relaxed = tf.function(run.python_function, autograph=False, input_signature=[tf.TensorSpec([None])])
    with pytest.raises(TypeError, match="static length"):
        relaxed(tf.constant([-3.0, 4.0]))


def test_python_iterators_beside_tensors() -> None:
    run = tf.function(
        lambda x: whole_lists.as_result(gw.collect(lambda p: p, Opaque(gw.zip(itertools.count(4), x)))), autograph=False
    )
    assert run(tf.constant([5.0, 6.0]))[0].numpy().tolist() == [4, 5]


def test_walking_in_python_needs_a_length() -> None:
    run = tf.function(lambda x: list(gw.enumerate(x)), autograph=False)
    assert [(int(i), float(v)) for i, v in run(tf.constant([5.0, 6.0]))] == [(0, 5.0), (1, 6.0)]
    with pytest.raises(TypeError, match="for"):
        tf.function(lambda x: list(gw.enumerate(x)), autograph=False, input_signature=[tf.TensorSpec([None])])(
            tf.constant([5.0])
        )


def test_zip_strict() -> None:
    run = tf.function(lambda x, y: gw.zip(x, y, strict=True).length(), autograph=False)
    assert run(tf.constant(X), tf.constant(X)).numpy() == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="zip"):
        run(tf.constant(X), tf.constant(Y))


def test_iter_and_next() -> None:
    def run(x: Any) -> Any:
        it = gw.iter(x)
        a = gw.next(it)
        b = gw.next(it)
        c = gw.next(it, -7.0)
        return [tf.stack([a, b, tf.convert_to_tensor(c)])]

    agree(run, X)
    agree(run, [1.0, 2.0])
    short = tf.function(lambda x: gw.next(gw.iter(x)), autograph=False)
    with pytest.raises(StopIteration):
        short(tf.zeros([0]))
    relaxed = tf.function(short.python_function, autograph=False, input_signature=[tf.TensorSpec([None])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="StopIteration"):
        relaxed(tf.zeros([0]))


def test_next_of_a_datasets_iterator() -> None:
    def run(it: Any) -> Any:
        return gw.next(it), gw.next(it, tf.constant(-1, tf.int64)), gw.next(it, -1)

    traced = tf.function(run, autograph=False)
    for count in (1, 2, 5):
        eager, graph = (way(iter(tf.data.Dataset.range(count))) for way in (run, traced))
        assert [int(a) for a in eager] == [int(b) for b in graph]


def test_datasets_in_a_graph() -> None:
    def total(ds: Any) -> Any:
        return ds.reduce(
            tf.constant(0.0), lambda s, *parts: s + tf.add_n([tf.cast(p, tf.float32) for p in tf.nest.flatten(parts)])
        )

    make = tf.data.Dataset.range

    @tf.function(autograph=False)
    def run(x: Any, n: Any) -> Any:
        numbered = gw.enumerate(make(4), 3)
        assert numbered.element_spec[0].dtype == tf.int32
        return (
            total(numbered),
            total(gw.zip(make(4), make(3))),
            total(gw.zip(make(4), x)),
            total(gw.zip(make(4), gw.range(n), [1.0, 2.0])),
            total(gw.map(lambda a: a * 2, make(4))),
            total(gw.map(lambda pair: pair[0] * pair[1], gw.zip(make(4), make(4)))),
            total(gw.map(lambda a, b: a * b, make(4), make(4))),
            total(gw.filter(lambda a: a > 1, make(4))),
            whole_lists.stacked(gw.collect(lambda a: a * 2, make(4), lambda a: a > 1)),
        )

    out = run(tf.constant(X), tf.constant(2))
    assert [float(v) for v in out[:8]] == [24, 6, 10, 5, 12, 14, 14, 5]
    assert out[8].numpy().tolist() == [4, 6]
    with pytest.raises(TypeError, match="not reversible"):
        tf.function(lambda: gw.reversed(make(3)), autograph=False)()
    assert type(gw.enumerate(make(2))) is builtins.enumerate


def test_comprehensions() -> None:
    agree(lambda x: gw.collect(lambda a: a * a, x), X)
    agree(lambda x: gw.collect(lambda a: a * a, x, lambda a: a > 0), X)
    agree(lambda x: gw.collect(lambda a: 1.0 / a, x, lambda a: tf.not_equal(a, 0.0)), X)
    agree(lambda x: gw.collect(lambda a: (a, a * 2.0), x, lambda a: a > 0), X)
    agree(lambda x: gw.collect(lambda i: x[i], [0, 1, 2], lambda i: x[i] > 0), X)
    agree(lambda x: gw.collect(lambda i: x[i], [0, 1, 2], lambda i: i != 1), X)
    agree(lambda x: gw.collect(lambda a: gw.collect(lambda b: a * b, x), x, flat=True), X)
    agree(lambda x: gw.collect(lambda a: gw.collect(lambda b: a * b, x, lambda b: b > a), x, flat=True), X)
    agree(lambda x: gw.collect(lambda a: gw.collect(lambda b: a * b, [1.0, 2.0]), x, lambda a: a > 0, flat=True), X)
    agree(lambda n: gw.collect(lambda i: i * i, gw.range(n)), 5)
    agree(lambda n: gw.collect(lambda p: p[0] * p[1], gw.enumerate(gw.range(n))), 5)


def test_static_lengths_give_python_lists() -> None:
    @tf.function(autograph=False)
    def run(x: Any) -> Any:
        xs = gw.collect(lambda a: a * 2.0, x)
        assert type(xs) is list and len(xs) == 4
        assert isinstance(gw.collect(lambda a: a, x, lambda a: a > 0), gw.GraphList)
        return dict(zip("abcd", gw.unrolled(x), strict=True))

    assert run(tf.constant(X))["c"].numpy() == 2.0
    with pytest.raises(TypeError, match="unknown length"):
        tf.function(lambda x: list(gw.unrolled(x)), autograph=False, input_signature=[tf.TensorSpec([None])])(
            tf.constant(X)
        )


def test_elements_whose_shapes_differ() -> None:
    @tf.function(autograph=False)
    def run(n: Any) -> Any:
        xs = gw.collect(lambda i: tf.range(i), gw.range(n))
        return xs[3], xs.length()

    last, length = run(tf.constant(5))
    assert last.numpy().tolist() == [0, 1, 2] and length.numpy() == 5


def test_a_scalar_is_not_iterable() -> None:
    with pytest.raises(TypeError, match="0-d"):
        tf.function(lambda x: gw.enumerate(x).length(), autograph=False)(tf.constant(1.0))
