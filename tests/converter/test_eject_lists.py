"""Lists that become tensors in ejected code, for arguments whose length only the graph knows."""

# ruff: noqa: C417
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf
from agreement import plain

c: Any = tf.constant
NUMBERS: Any = tf.TensorSpec([None], tf.int32)
PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any], list[tuple[Any, ...]]]] = {}


def program(signature: list[Any], *calls: tuple[Any, ...]) -> Callable[..., Any]:
    """The decorated function is ejected for the signature, and called once with each of `calls`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, signature, list(calls)
        return function

    return register


def ints(*values: int) -> Any:
    return c(list(values), tf.int32)


@program([NUMBERS], (ints(3, 1, 2, -1),), (ints(),), (ints(5, 6, 7),))
def repeated_by_the_graph(xs):
    best, marks = [1] * len(xs), [0] + [5] * (len(xs) - 2)
    pairs = [[0, 1]] * len(xs)
    for i in range(1, len(xs)):
        for j in range(i):
            if xs[i] > xs[j]:
                best[i] = max(best[i], best[j] + 1)
                pairs[i] = [xs[i], xs[j]]
    return best, len(marks), sum(marks), any(best), pairs


@program([NUMBERS], (ints(3, 1, 2, -1),), (ints(),), (ints(5, 0, 7),))
def operators(xs):
    odds: list[Any] = []
    rest: list[Any] = []
    small: list[Any] = []
    for x in xs:
        if x % 2 == 1:
            odds.append(x)
        else:
            rest.append(x)
        small.append(x < 2)
        if len(small) > 3:
            small.pop()
    turned = odds[1:] + odds[:1]
    rest += odds
    same = rest.copy()
    same.append(5)
    return odds * 2, turned, rest, same, rest.count(5), any(small), all(small), bool(small), odds == []


@program([NUMBERS, tf.TensorSpec([], tf.int32)], (ints(2, 3), c(7)), (ints(), c(3)), (ints(4), c(5)))
def read_at_an_index_of_the_graph(coins, amount):
    best = [0] + [100] * 10
    for a in range(1, 11):
        for coin in coins:
            if coin <= a:
                best[a] = min(best[a], best[a - coin] + 1)
    return best[amount]


@program([NUMBERS], (ints(1, 2, 3),), (ints(2, 0),), (ints(3),), (ints(),))
def indices_from_the_end(xs):
    counts, seen, sums = [0, 0, 0], [], []
    for x in xs:
        place = x % 3 - 1
        counts[place] = counts[place] + 1
        seen.append(x)
    for i in range(len(seen)):
        seen[i - 1] += 10
    for i in range(len(seen)):
        sums.append(seen[i])
        sums.append(sums[i - 1] + 1)
    return counts, seen, sums


@program([NUMBERS, tf.TensorSpec([], tf.int32)], (ints(3, 0), c(2)), (ints(), c(0)), (ints(-1, 9, 4), c(-1)))
def conditions_and_values(xs, n):
    inside, first = 0, n or 7
    size = xs.shape[0] or tf.shape(xs)[0]
    for i in range(size):
        if 0 <= xs[i] < 4 and (n or xs[i] > 2):
            inside += 1
    return inside, first, n and 3


@program([NUMBERS], (ints(1, 2, 3, 2, 4),), (ints(1, 2, 1, 5, 7),))
def taken_while_appending(xs):
    stack, queue, out = [xs[0], xs[1]], [xs[0]], []
    for x in xs:
        if x > 2:
            stack.append(stack.pop() - 2 * stack.pop())
            queue.append(stack.pop() + queue.pop(0))
            out.append(queue.pop() * 10 + x)
            queue.append(x)
        else:
            stack.append(x)
            stack.append(x + 1)
    stack.append(len(stack))
    return stack[-2], queue, out


@program([tf.TensorSpec([], tf.int32), tf.TensorSpec([3])], (c(1), c([1.5, 2.0, 4.0])), (c(2), c([2.0, 0.0, 1.0])))
def places_from_behind(n, xs):
    rows, pair = [1, 2, 3], (xs[0], xs[1])
    rows[-n] = 7
    rows[~n] += 2
    return rows, pair[-n], (4, 5, 6)[n], [xs[2], xs[1]][-n]


@program(
    [tf.TensorSpec([3], tf.int32), tf.TensorSpec([2], tf.int32)],
    (ints(3, 1, 2), ints(5, 4)),
    (ints(9, 1, 5), ints(7, 0)),
)
def merged(a, b):
    a, b = sorted(a), sorted(b)
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out, i


@program([tf.TensorSpec([])], (c(2.0),), (c(9.0),), (c(-5.0),))
def flags_of_python_at_first(x):
    going, steps = True, []
    for _ in range(3):
        if going:
            x = x + 4.0
            if x > 10.0:
                going = False
        steps.append(1 if not going else 0)
    return x, going, steps


@program(
    [tf.TensorSpec([], tf.int32)] * 3, (c(3), c(12), c(4)), (c(12), c(3), c(-4)), (c(1), c(1), c(1)), (c(5), c(1), c(2))
)
def steps_of_a_range(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        total = total * 10 + i
        step = step + 1
    for j in range(start, stop, step * 2):
        total += j
    return total


@pytest.mark.parametrize("name", PROGRAMS)
def test_lists_mean_the_same(name: str) -> None:
    function, signature, calls = PROGRAMS[name]
    made = made_from(function, signature)
    for subject in (made, tf.function(made, autograph=False, input_signature=signature)):
        for arguments in calls:
            np.testing.assert_equal(plain(subject(*arguments)), plain(function(*arguments)))


@program([tf.TensorSpec([None], tf.float32)], (c([1.0, 2.0]),), (c([4.0]),))
def the_other_way_round(xs):
    returns, seen = [], []
    total = 0.0
    for x in xs:
        total = x + 0.5 * total
        returns.append(total)
        seen.append(total)
    backwards = list(reversed(returns))
    backwards.append(total)
    return tf.stack(list(reversed(seen))), backwards, tuple(reversed(returns)), len(list(reversed(backwards)))


@program([NUMBERS, tf.TensorSpec([], tf.int32)], (ints(3, 1, 2, 1), c(1)), (ints(1), c(1)))
def without_values(xs, wanted):
    kept = []
    for x in xs:
        kept.append(x)
    place = kept.index(wanted)
    kept.remove(wanted)
    if wanted in kept:
        kept.remove(wanted)
    return kept, place


@program([tf.TensorSpec([None], tf.string)], (c(["(", "["]),), (c(["(", ")"]),), (c([")"]),), (c(["(", "]"]),))
def taken_in_a_condition(brackets):
    open_ones = []
    for bracket in brackets:
        if bracket == "(":
            open_ones.append(")")
        elif bracket == "[":
            open_ones.append("]")
        elif not open_ones or open_ones.pop() != bracket:
            return False
    return not open_ones


def above(xs, limit):
    kept = []
    for x in xs:
        if x > limit:
            kept.append(x * 2)
    return kept


def counted_above(xs, limit):
    kept = above(xs, limit)
    return kept, len(kept)


def mean_of(values):
    return sum(values) / len(values) if len(values) > 0 else 0.0


@program([NUMBERS], (ints(3, 1, 2),), (ints(0),))
def filled_by_others(xs):
    kept = above(xs, 1)
    more, count = counted_above(xs, 2)
    total = len(above(xs, 0))
    for x in above(xs, 1):
        total += x
    for place, x in enumerate(more):
        total += place * x
    together = []
    for x in xs:
        together.extend(above(xs, x))
    kept.append(count)
    return kept, more, together, total, tf.cast(mean_of(kept), tf.float32), [x + 1 for x in more]


@program([NUMBERS], (ints(3, 1, 2),), (ints(1, 9, 2),), (ints(9),))
def returned_from_a_loop(xs):
    kept = []
    for place, x in enumerate(xs):
        if x > 5:
            return kept, xs[:place]
        kept.append(x)
    return kept, xs


@program([NUMBERS], (ints(1, 2, 1, 3),), (ints(1),), (ints(),))
def items_with_defaults(xs):
    counts = {"all": 0}
    for x in xs:
        counts["all"] += 1
        if x == 1:
            counts["one"] = counts.get("one", 0) + 1
        elif x > 2:
            counts["last"] = x
    return counts.get("one", 0), counts.get("last", -1), counts.get("never", 7), counts.get("all", 3)


@program([NUMBERS, NUMBERS], (ints(3, 1, 2), ints(1, 5, 1)), (ints(), ints()), (ints(4), ints(2)))
def sorted_by_the_graph(xs, ys):
    order = sorted(range(len(ys)), key=lambda i: ys[i])
    total = 0
    for place, i in enumerate(order):
        total += place * xs[i]
    others = sorted(range(len(xs)), key=lambda i: ys[i] * 2, reverse=True)
    share = sum(1.0 for x in xs if x > 1) / 2
    return total, order, others, sorted(xs, key=lambda x: -x), share


def made_from(function: Callable[..., Any], signature: list[Any]) -> Any:
    names: dict[str, Any] = {**function.__globals__}
    exec(compile(gw.to_code(function, style="tensorflow", signature=signature), "<ejected>", "exec"), names)
    return names[function.__name__]


def compares(xs):
    kept: list[Any] = []
    for x in xs:
        kept.insert(0, x)
    return kept == [1, 2]


def test_lists_are_not_compared_by_element() -> None:
    with pytest.raises(gw.ConversionError, match="tensors are compared element by element"):
        gw.to_code(compares, style="tensorflow", signature=[NUMBERS])


def in_bounds(xs, place):
    counts, row = [0, 0, 0, 0], [1, 1]
    for i in range(2, len(xs)):
        row.append(row[i - 1] + row[i - 2])
        if 0 <= xs[i] < 4:
            at = xs[i]
            if at >= 0:
                counts[at] += 1
        counts[max(0, place)] += 1
        counts[place] += 1
    return tf.stack(row), counts


def test_indices_that_are_never_negative_stay() -> None:
    text = gw.to_code(in_bounds, style="tensorflow", signature=[NUMBERS, tf.TensorSpec([], tf.int32)])
    assert "row.read(i - 1) + row.read(i - 2)" in text
    assert "[[at]]" in text and "[[tf.maximum(0, place)]]" in text
    assert "[[tf.where(place < 0, place + counts.shape[0], place)]]" in text


def backwards(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 2 + i
    for i in reversed(range(2, n)):
        total = total * 2 + i
    for i, j in enumerate(range(n, 0, -2)):
        total += i * j
    for i, j in zip(range(1, n), range(4), strict=False):
        total += i * j
    return total + sum(range(n)), [i * i for i in (1, 2)]


def asks_whether_it_holds_anything(m):
    rows: list[Any] = []
    first: list[Any] = []
    for row in m:
        if not first:
            first.append(row[0])
        elif row[0] > 1.0 and rows:
            first.append(row[1])
        rows.append(row * 2.0)
    return (tf.stack(rows) if rows else tf.zeros_like(m)), (tf.stack(first)[0] if first else 0.0)


def steps_of_a_network(xs):
    state = tf.zeros([tf.shape(xs)[0], 2])
    outputs: list[Any] = []
    for t in tf.range(tf.shape(xs)[1]):
        state = tf.tanh(state + xs[:, t])
        if tf.reduce_max(state) > 0.9:
            state = state * 0.5
        outputs.append(state)
    return tf.stack(outputs, axis=1)


def maps_and_filters(xs):
    kept = list(filter(lambda x: x > 1, xs))
    for x in xs:
        if x < 0:
            kept.append(x)
    return kept, all(map(lambda x: x > -2, xs)), sum(map(lambda x: x * x, xs)), any(filter(lambda x: x > 2, xs))


EMPTY: list[tuple[Callable[..., Any], list[Any], list[Any]]] = [
    (backwards, [tf.TensorSpec([], tf.int32)], [c(5), c(0), c(-3), c(2)]),
    (
        asks_whether_it_holds_anything,
        [tf.TensorSpec([None, None], tf.float32)],
        [c([[1.0, 2.0], [3.0, 4.0]]), tf.zeros([0, 2]), tf.zeros([1, 1])],
    ),
    (steps_of_a_network, [tf.TensorSpec([None, None, 2], tf.float32)], [tf.ones([3, 2, 2]), tf.zeros([1, 1, 2])]),
    (maps_and_filters, [NUMBERS], [ints(1, 2, 3), ints(), ints(-5, 0)]),
]


@pytest.mark.parametrize(("function", "signature", "values"), EMPTY)
def test_what_may_be_empty(function: Callable[..., Any], signature: list[Any], values: list[Any]) -> None:
    made = made_from(function, signature)
    for subject in (made, tf.function(made, autograph=False, input_signature=signature)):
        for value in values:
            np.testing.assert_equal(plain(subject(value)), plain(function(value)))


def test_a_list_that_is_asked_whether_it_holds_anything_is_an_array() -> None:
    function, signature, _ = EMPTY[1]
    text = gw.to_code(function, style="tensorflow", signature=signature)
    assert "tf.cond(rows.size() > 0, lambda: rows.stack(), lambda: tf.zeros_like(m))" in text
