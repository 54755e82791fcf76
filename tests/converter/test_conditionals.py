"""if, and, or, not: what generated code gives eagerly and in a graph."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright.runtime as gw  # noqa: E402
from agreement import agree, c, in_graph  # noqa: E402
from graphwright.runtime.basis.context import promoting  # noqa: E402


def pynum(x):
    return gw.if_(x > 0, lambda: 1, lambda: 2)


def chain(x):
    return gw.if_(x > 10, lambda: x, lambda: gw.if_(x > 5, lambda: 1, lambda: 2))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (pynum, [c(1)]),
        (pynum, [c(-1)]),
        (chain, [c(7, tf.int64)]),
        (chain, [c(2, tf.int64)]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_eager_and_graph_agree(function, arguments):
    agree(function, *arguments)


def test_published_huber():
    def huber(a, delta):
        return gw.if_(tf.abs(a) <= delta, lambda: a * a / 2, lambda: delta * (tf.abs(a) - delta / 2))

    assert agree(huber, c(0.5), c(1.0)) == 0.125
    assert agree(huber, c(5.0), c(1.0)) == 4.5


@pytest.mark.parametrize("test", [[3], 0, 2.5, float("nan"), "", "False", [[True]]])
def test_a_test_is_true_as_it_is_eagerly(test):
    agree(lambda x: gw.if_(x, lambda: 1, lambda: 2), c(test))


@pytest.mark.parametrize("run", [agree, in_graph])
def test_a_test_with_several_elements_is_an_error(run):
    with pytest.raises(ValueError):
        run(lambda x: gw.if_(x, lambda: 1, lambda: 2), c([1, 2]))


def test_operators_are_lazy():
    agree(lambda x: (gw.and_(x > 2, lambda: x < 5), gw.or_(x > 3, lambda: x < 0), gw.not_(x)), c(3))
    agree(lambda x: gw.if_(gw.and_(x, lambda: x > 2), lambda: 1, lambda: 0), c(3))
    assert gw.and_(0, lambda: 1 / 0) == 0
    assert gw.or_("a", lambda: 1 / 0) == "a"


def test_python_values_that_are_equal_stay_python():
    seen = []

    def function(x):
        n, y = gw.if_(x > 0, lambda: (3, 1), lambda: (3, 2))
        seen.append((n, y))
        return y

    in_graph(function, c(1))
    assert seen[0][0] == 3 and tf.is_tensor(seen[0][1])


def test_each_branch_is_traced_once():
    traced = []

    def function(x):
        y = gw.undefined("y")
        y = gw.if_(x > 0, lambda: traced.append(1) or gw.undefined("y"), lambda: traced.append(2) or x)
        return gw.read(y)

    assert in_graph(function, c(-1)) == -1
    assert traced == [1, 2]


def test_mismatches_name_variable_and_lines():
    assert in_graph(lambda x: gw.if_(x > 0, lambda: 1, lambda: 2.5, names=("y",)), c(1)) == 1.0
    with pytest.raises(TypeError, match=r"(?s)'y' is int32.*test_conditionals.py:\d+.*float.*tf\.cast"):
        in_graph(lambda x: gw.if_(x > 0, lambda: c(1), lambda: c(2.5), names=("y",)), c(1))
    with pytest.raises(TypeError, match=r"'y' is a list of length 1 .* tuple of length 1"):
        in_graph(lambda x: gw.if_(x > 0, lambda: [x], lambda: (x,), names=("y",)), c(1))


def test_promotion_is_an_option():
    with promoting(True):
        assert in_graph(lambda x: gw.if_(x > 0, lambda: 1, lambda: 2.5, names=("y",)), c(1)) == 1.0


def test_undefined_is_an_error_when_it_is_read():
    function = tf.function(
        lambda x: gw.read(gw.if_(x > 0, lambda y: x, gw.unchanged, gw.undefined("y"))), autograph=False
    )
    assert function(c(1)) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"local variable .*y"):
        function(c(-1))


def test_a_session_runs_it():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.int32, [])
        y = gw.if_(x > 0, lambda: 0, lambda: x)
        assert [session.run(y, {x: value}) for value in (3, -3)] == [0, -3]
