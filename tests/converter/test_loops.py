"""while and for: what generated code gives eagerly and in a graph."""

from __future__ import annotations

import itertools

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright.runtime as gw  # noqa: E402
from agreement import agree, c, in_graph  # noqa: E402
from graphwright import function as graph_function  # noqa: E402


def ret(xs):
    def turn(x, result, total):
        def rest(total):
            return gw.more(result, total + x)

        return gw.if_(x < 0, lambda total: gw.last(gw.returned(x), total), rest, total)

    result, total = gw.for_(xs, turn, gw.pending, c(0.0), names=("result", "total"))
    return result.or_else(lambda: total)


def wt(x):
    def turn(n, x):
        x = x * 2
        n = n + 1
        return gw.if_(x > 100, gw.last, gw.more, n, x)

    n, x = gw.while_(lambda n, x: True, turn, 0, x, names=("n", "x"))
    return n, x


def pybreak(x):
    def turn(i, x):
        x = x * 2
        return gw.if_(x > 100, lambda x: gw.last(i, x), lambda x: gw.more(i + 1, x), x)

    return gw.while_(lambda i, x: i < 10, turn, 0, x, names=("i", "x"))


def pyfor(x):
    def turn(i, x, j):
        x = x + i
        return gw.if_(x > 6, gw.last, gw.more, x, i)

    return gw.for_(range(6), turn, x, -1, otherwise=lambda x, j: (x + 1000, j))


def rng(n):
    return gw.for_(tf.range(n), lambda i, t: t + i, 0)


def rng2(n):
    return gw.for_(tf.range(n, 0, -2), lambda i, t: t + i, 0)


def forelse(xs, b):
    def turn(x, t):
        return gw.if_(x > b, lambda t: gw.last(t), lambda t: gw.more(t + x), t)

    return gw.for_(xs, turn, 0, otherwise=lambda t: t * 100)


def dsl(n):
    ds = tf.data.Dataset.range(n)

    def turn(x, t):
        return gw.if_(x > 5, lambda t: gw.last(t), lambda t: gw.more(t + x), t)

    return gw.for_(ds, turn, 0, otherwise=lambda t: t * 100)


def ragged():
    return gw.for_(tf.ragged.constant([[1], [2, 3], []], dtype=tf.int32) + 0, lambda r, t: t + tf.reduce_sum(r), 0)


def i64(n):
    return gw.while_(lambda i, t: i < n, lambda i, t: (i + 1, t + 2.0), 0, 0.0, names=("i", "t"))


def grad(x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = gw.for_(x, lambda i, s: gw.if_(i > 1, lambda s: s * i, lambda s: s + i, s), c(1.0))
    return y, t.gradient(y, x)


def dsgrad(w):
    with tf.GradientTape() as t:
        t.watch(w)
        y = gw.for_(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]), lambda i, s: s * w + i, c(1.0))
    return y, t.gradient(y, w)


def iters():
    it = iter(tf.data.Dataset.range(10))
    a = gw.for_(it, lambda i, s: gw.if_(i >= 3, gw.last, gw.more, s + i), 0)
    b = gw.for_(it, lambda i, s: s + i, 0)
    return a, b


def ta(n):
    t = gw.for_(
        tf.range(n),
        lambda i, t: gw.if_(i > 1, lambda t: t.write(i, i * 2), lambda t: t.write(i, i), t),
        tf.TensorArray(tf.int32, n),
    )
    return t.stack()


def nestret(m):
    def outer(row, result, t):
        def inner(x, result, t):
            return gw.if_(x < 0, lambda t: gw.last(gw.returned(x * 10), t), lambda t: gw.more(result, t + x), t)

        result, t = gw.for_(row, inner, result, t, names=("result", "t"))
        return gw.if_(result.given, lambda t: gw.last(result, t), lambda t: gw.more(result, t), t)

    result, t = gw.for_(m, outer, gw.pending, 0, names=("result", "t"))
    return result.or_else(lambda: t)


def wtund(x):
    def turn(x, y):
        x = x * 2
        y = x + 1
        return gw.if_(x > 100, gw.last, gw.more, x, y)

    x, y = gw.while_(lambda x, y: True, turn, x, gw.undefined("y"), names=("x", "y"))
    return x, gw.read(y)


def turning_symbolic(x):
    # python test turning symbolic
    def turn(s):
        return s * x

    return gw.while_(lambda s: s < 100, turn, 1, names=("s",))


def elsetensorpy(x):
    def turn(i, x):
        return gw.if_(x > i, lambda x: gw.last(x), lambda x: gw.more(x + 1), x)

    return gw.for_([1, 2, 30], turn, x, otherwise=lambda x: x * 100)


def dsgrow():
    return gw.for_(tf.data.Dataset.range(4), lambda x, t: tf.concat([t, [x]], 0), tf.zeros([0], tf.int64))


def dsnest():
    ds = tf.data.Dataset.range(3)
    return gw.for_(ds, lambda x, t: gw.for_(ds, lambda y, t: t + x * y, t), 0)


def dstup():
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [3.0, 4.0]})
    return gw.for_(ds, lambda x, t: t + x["b"], 0.0)


def whilegrad(x):
    with tf.GradientTape() as t:
        t.watch(x)

        def turn(x, n):
            return gw.if_(x > 10.0, lambda x, n: gw.last(x, n), lambda x, n: gw.more(x * x, n + 1), x, n)

        y, n = gw.while_(lambda x, n: True, turn, x, 0)
    return y, n, t.gradient(y, x)


def mixedret(x):
    def turn(i, result):
        return gw.if_(i > x, lambda: gw.last(gw.returned(i)), lambda: gw.more(result))

    result = gw.for_(range(3), turn, gw.pending)
    return result.or_else(lambda: -1)


def pyb(x):
    def turn(i, xs, x):
        xs = gw.append(xs, x)
        return gw.if_(x > 10, gw.last, gw.more, xs, x * 2)

    xs, x = gw.for_(range(5), turn, [], x)
    return gw.stack(xs)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (ret, [c([1.0, 2.0, 3.0])]),
        (ret, [c([1.0, -2.0, 3.0])]),
        (wt, [c(3.0)]),
        (pybreak, [c(3.0)]),
        (pybreak, [c(0.001)]),
        (pybreak, [c(300.0)]),
        (pyfor, [c(0)]),
        (pyfor, [c(-100)]),
        (pyfor, [c(100)]),
        (rng, [c(5)]),
        (rng, [c(5, tf.int64)]),
        (rng2, [c(7)]),
        (forelse, [c([1, 2, 3]), c(2)]),
        (forelse, [c([1, 2, 3]), c(5)]),
        (dsl, [c(4, tf.int64)]),
        (dsl, [c(40, tf.int64)]),
        (ragged, []),
        (i64, [c(5, tf.int64)]),
        (grad, [c([1.0, 2.0, 3.0])]),
        (dsgrad, [c(2.0)]),
        (iters, []),
        (ta, [c(4)]),
        (nestret, [c([[1, 2], [3, 4]])]),
        (nestret, [c([[1, 2], [-3, 4]])]),
        (wtund, [c(3)]),
        (turning_symbolic, [c(3)]),
        (turning_symbolic, [c(3.0)]),
        (turning_symbolic, [c(3, tf.int64)]),
        (elsetensorpy, [c(0)]),
        (elsetensorpy, [c(5)]),
        (elsetensorpy, [c(-5)]),
        (dsgrow, []),
        (dsnest, []),
        (dstup, []),
        (whilegrad, [c(1.5)]),
        (whilegrad, [c(20.0)]),
        (mixedret, [c(1)]),
        (mixedret, [c(9)]),
        (pyb, [c(5)]),
        (pyb, [c(50)]),
        (pyb, [c(0)]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_eager_and_graph_agree(function, arguments):
    agree(function, *arguments)


def test_published_collatz():
    def collatz(x):
        def turn(x, n):
            return gw.if_(x % 2 == 0, lambda x: x // 2, lambda x: 3 * x + 1, x), n + 1

        return gw.while_(lambda x, n: x != 1, turn, x, 0)[1]

    assert agree(collatz, c(27)) == 111
    assert in_graph(collatz, c(27), jit_compile=True) == 111


def total(x, n):
    return gw.while_(lambda t, i, s: i < n, lambda t, i, s: (t + 1, i + 1, s + x), 0, 0, 0, names=("t", "i", "s"))


def test_python_seeds_follow_what_they_meet():
    assert agree(total, c(2, tf.int64), c(5, tf.int64)) == (5, 5, 10)
    t, i, s = tf.function(total, autograph=False)(c(2), c(5, tf.int64))
    assert (t.dtype, i.dtype, s.dtype) == (tf.int32, tf.int64, tf.int32)


def test_an_int_becomes_the_float_that_it_meets():
    assert in_graph(total, c(2.0), c(5)) == (5, 5, 10.0)


def grow(xs, options=None):
    return gw.for_(xs, lambda x, t: tf.concat([t, [x]], 0), tf.zeros([0]), names=("t",), options=options)


def test_a_shape_may_change_but_not_for_xla():
    assert in_graph(grow, c([1.0, 2.0])) == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"'t' is float32\[0\].*XLA.*list"):
        tf.function(grow, autograph=False, jit_compile=True)(c([1.0, 2.0]))
    options = gw.loop_options(shape_invariants={"t": tf.TensorShape([None])})
    assert in_graph(lambda xs: grow(xs, options), c([1.0, 2.0])) == [1.0, 2.0]


def test_the_graph_is_what_one_would_write():
    def written(n):
        return tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + i), [c(0), c(0)])[1]

    def generated(n):
        return gw.while_(lambda i, t: i < n, lambda i, t: (i + 1, t + i), 0, 0)[1]

    def operations(function):
        graph = tf.function(function, autograph=False).get_concrete_function(c(3)).graph
        return sorted(operation.type for operation in graph.get_operations())

    assert operations(generated) == operations(written)


def test_turns_are_traced_once():
    traced = []
    in_graph(lambda n: gw.for_(tf.range(n), lambda i, t: traced.append(1) or t + i, 0), c(3))
    assert traced == [1]


def test_variables_change_in_order():
    v = tf.Variable(1.0)

    def function():
        v.assign(1.0)
        gw.if_(v > 0, lambda: (v.assign_add(2.0), None)[1], lambda: None)
        gw.for_(tf.range(3), lambda i: (v.assign(v * 2), None)[1])
        gw.while_(lambda: v < 100.0, lambda: (v.assign_add(1.0), None)[1])
        return v + 0

    assert in_graph(function) == 100.0


def test_a_session_runs_datasets():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        y = gw.for_(tf.data.Dataset.range(7), lambda x, t: t + x, 0)
        assert session.run(y) == 21


def test_a_distributed_dataset():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    dataset = strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(2))
    agree(lambda: gw.for_(dataset, lambda x, t: t + tf.reduce_sum(x), tf.constant(0, tf.int64)))


def test_only_a_first_turn_may_not_read_what_a_turn_sets():
    def function(n):
        def turn(i, prev, d):
            return prev, gw.if_(i > 0, lambda d: i - gw.read(prev), gw.unchanged, d)

        return gw.for_(tf.range(n), turn, gw.undefined("prev"), 0, names=("prev", "d"))[1]

    with pytest.raises(UnboundLocalError, match="'prev'"):
        in_graph(function, c(3))


def _tuple_out_of_an_endless_loop(x):
    while True:
        x = x / 2.0
        if x < 1.0:
            return x, x
        if x > 100.0:
            return x, -x


def _dict_out_of_an_endless_loop(x):
    while True:
        x = x / 2.0
        if x < 1.0:
            return {"a": x, "b": (x, [x])}


def _tuple_out_of_endless_loops_inside_each_other(x):
    while True:
        while True:
            x = x / 2.0
            if x < 1.0:
                return x, (x, [x])


def _tuple_out_of_an_endless_loop_in_a_with_and_a_try(x):
    try:
        with tf.name_scope("halving"):
            while True:
                x = x / 2.0
                if x < 1.0:
                    return x, x
    finally:
        x = 0.0


@pytest.mark.parametrize(
    "function",
    [
        _tuple_out_of_an_endless_loop,
        _dict_out_of_an_endless_loop,
        _tuple_out_of_endless_loops_inside_each_other,
        _tuple_out_of_an_endless_loop_in_a_with_and_a_try,
    ],
)
def test_what_an_endless_loop_returns_keeps_its_structure(function):
    for start in (8.0, 300.0):
        expected, seen = function(tf.constant(start)), graph_function(function)(tf.constant(start))
        tf.nest.assert_same_structure(expected, seen, check_types=True)
        for one, other in zip(tf.nest.flatten(expected), tf.nest.flatten(seen), strict=True):
            assert one.numpy() == other.numpy()


def test_a_python_loop_without_an_end_that_the_graph_leaves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("graphwright.runtime.control.left_loops._MOST_TURNS", 5)

    @graph_function
    def sum_until(limit, numbers):
        total = 0
        for number in numbers():
            total += number
            if total > limit:
                break
        return total

    assert sum_until(c(3), lambda: iter(range(9))) == 6
    assert sum_until(c(3), lambda: (number for number in range(5))) == 6
    with pytest.raises(TypeError, match="when this loop is left, and Python gives it more than 5 items"):
        sum_until(c(3), itertools.count)
