"""Items and comparisons of parameters, of which the text doesn't say what they are; lists that helpers change."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf


def picked(xs, i):
    return xs[i]


@pytest.mark.parametrize("held", [[1.0, 2.0, 3.0], (1.0, 2.0, 3.0), range(5), np.arange(4.0), {0: 1.0, 1: 5.0}])
def test_a_parameter_is_indexed_by_a_tensor(held: Any):
    def item(i):
        return picked(held, int(i))

    for place in (0, 1):
        assert gw.function(item)(tf.constant(place)).numpy() == held[place]


def place_of_largest(xs) -> Any:
    best = None
    for i in range(len(xs)):
        if best is None or xs[i] > xs[best]:
            best = i
    return best


def parts_of_lists_and_tuples(xs):
    best = place_of_largest(xs)
    n = 0
    for x in xs:
        n += int(x > 1.0)
    numbers, texts = [1, 2, 3], (4.0, 5.0, 6.0)
    return numbers[best:], texts[:n], range(5)[n:], numbers[-n - 1 :], xs[best:], xs[:best], len(numbers[n - 1 : n + 1])


def bounds_that_are_none(xs):
    found = None
    for i in range(3):
        if xs[i] > 100.0:
            found = i
    numbers = [1, 2, 3]
    return numbers[found:], numbers[:found], xs[found:], numbers[1:found:1]


def items_at_the_place_of_the_largest(xs):
    best = place_of_largest(xs)
    seen, table, flags = [0, 0, 0], [[1, 2], [3, 4], [5, 6]], {0: False, 1: False, 2: False}
    seen[best] = 5
    seen[best] += 2
    table[best][0] = 9
    flags[best], counted = flags[best] or True, 0
    for k in range(best):
        counted += k + 1
    return seen, table, flags, counted, xs[best], tf.one_hot(best, 3), tf.stack([best, best]), tf.zeros([best])


def taken_from_a_list(xs):
    left, order = [0, 1, 2], []
    while len(left) > 1:
        best = place_of_largest([xs[k] for k in left])
        order.append(left.pop(best))
    return order, left


def put_into_a_list(xs):
    best = place_of_largest(xs)
    numbers, rest, empty = [1, 2.5, 3], [4, 5, 6], []
    numbers.insert(best, 7)
    numbers.insert(-best, 8)
    numbers.insert(best + 9, 9)
    empty.insert(best, 1)
    del rest[best - 3]
    return numbers, rest, empty, rest.pop(-best + 1)


def counted_by_a_key(xs):
    counts, sums = {0: 0, 1: 0, 2: 0, 3: 0}, {"none": 0.0, 0: 0.0, 1: 0.0, 2: 0.0, 3: 0.0}
    for x in xs:
        counts[int(x)] += 1
        key = int(x)
        if key in sums:
            sums[key] = sums[key] + x
    return counts, [sums[k] for k in range(4)]


def gone_over_by_itertools(xs):
    total = 0.0
    for a, b in itertools.product(xs, xs):
        if a > b:
            total += a * b
    sums, largest = list(itertools.accumulate(xs)), list(itertools.accumulate(xs, max))
    pairs = sum(a * b for a, b in itertools.combinations(xs, 2))
    both = [x for x in itertools.chain(xs, sums) if x > 1.0]
    cycled = [x + k for x, k in zip(itertools.cycle(xs), range(5), strict=False)]
    return total, sums, largest, pairs, both, cycled, list(itertools.zip_longest(xs, [1.0], fillvalue=0.0))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    "program",
    [
        gone_over_by_itertools,
        parts_of_lists_and_tuples,
        bounds_that_are_none,
        items_at_the_place_of_the_largest,
        taken_from_a_list,
        put_into_a_list,
        counted_by_a_key,
    ],
)
def test_places_and_keys_that_the_graph_finds(program: Callable[..., Any], compiled: bool):
    traced = gw.function(program, jit_compile=compiled)
    for xs in (tf.constant([1.0, 2.0, 0.0]), tf.constant([3.0, 2.0, 1.0])):
        assert _as_lists(traced(xs)) == _as_lists(program(xs))


def _as_lists(result: Any) -> Any:
    """A result as lists and dicts of Python's numbers; what the graph returns as a tensor may be a list eagerly."""
    if isinstance(result, dict):
        return {key: _as_lists(value) for key, value in result.items()}
    if isinstance(result, (list, tuple, range)):
        return [_as_lists(part) for part in result]
    return np.array(result).tolist()


def test_a_key_that_the_graph_finds_is_set_only_if_it_is_there():
    def program(xs):
        table = {0: 0, 1: 0}
        table[int(xs[0])] = 5
        return table

    assert gw.function(program)(tf.constant([1.0]))[1].numpy() == 5
    with pytest.raises(KeyError, match="no key is 7"):
        gw.function(program)(tf.constant([7.0]))
    with pytest.raises(TypeError, match="XLA can't check whether a dict has a key"):
        gw.function(program, jit_compile=True)(tf.constant([1.0]))


def test_itertools_goes_over_tensors_of_known_length_only():
    def program(xs):
        return list(itertools.accumulate(xs))

    with pytest.raises(TypeError, match=r"itertools\.accumulate goes over the elements .* only the graph knows"):
        gw.function(program, input_signature=[tf.TensorSpec([None])])(tf.constant([1.0]))


def test_the_key_that_the_graph_finds_is_looked_up():
    def largest(x):
        groups = {"a": x, "b": x * 2.0, "c": x * -1.0}
        return groups[max(groups, key=lambda name: groups[name])]

    for x in (3.0, -3.0):
        assert gw.function(largest)(tf.constant(x)).numpy() == largest(tf.constant(x)).numpy()


def is_before(left, right):
    return left < right, left == right, left != right, left >= right


def test_tuples_that_parameters_hold_are_compared():
    def compared(x, y):
        return is_before((x, 1), (y, 0))

    for x, y in ((1.0, 1.0), (0.0, 1.0), (2.0, 1.0)):
        wanted = [bool(each) for each in compared(tf.constant(x), tf.constant(y))]
        assert [bool(each) for each in gw.function(compared)(tf.constant(x), tf.constant(y))] == wanted


def put_first(xs, x):
    if x > 0:
        xs[0] = x
        return x
    return x * 2


def appended(xs, x):
    if x > 0:
        xs.append(x)
        return x
    return x * 2


def inserted(xs, x):
    if x > 0:
        xs.insert(0, x)
        return x
    return x * 2


def in_both(xs, x):
    if x > 0:
        xs[0] = x
        return x
    xs[1] += x
    return x * 2


def taken(xs, x):
    last = xs.pop()
    if xs:
        first = xs[0]
        xs[0] = last
        return first + x
    return last


def through_another(xs, x):
    if x > 5:
        return put_first(xs, x) + 1
    return appended(xs, x)


HELPERS = [put_first, appended, inserted, in_both, taken, through_another]


@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.parametrize("made", ["in the graph", "of known length", "by Python"])
def test_what_a_helper_changes_before_it_returns_is_in_the_list(helper: Callable[..., Any], made: str):
    def program(values, x):
        xs = tf.unstack(values) if made == "by Python" else []
        if made != "by Python":
            for value in values:
                if made == "of known length" or value > 1:
                    xs.append(value)
        given = helper(xs, x)
        return given, xs[0], xs[1], len(xs)

    traced = gw.function(program)
    for x in (9.0, 1.0, -9.0):
        arguments = tf.constant([5.0, 4.0, 3.0, 1.0]), tf.constant(x)
        wanted = [float(each) for each in program(*arguments)]
        assert [float(each) for each in traced(*arguments)] == wanted


def push(heap, item):
    heap.append(item)
    place = len(heap) - 1
    while place > 0:
        above = (place - 1) // 2
        if heap[above] <= item:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def test_a_heap_of_the_users_own():
    def smallest(xs):
        heap = []
        for i, x in enumerate(xs):
            push(heap, (x, i))
        return heap[0], heap[1][1], heap[2][1], heap[3][1]

    values = tf.constant([3.0, 4.0, 1.0, 2.0])
    wanted = []
    for i, x in enumerate([3.0, 4.0, 1.0, 2.0]):
        heapq.heappush(wanted, (x, i))
    (first, at), *others = gw.function(smallest)(values)
    assert (float(first), int(at)) == wanted[0]
    assert [int(each) for each in others] == [i for _, i in wanted[1:]]


def calculated(codes, values):
    stack = []
    for code, value in zip(tf.unstack(codes), tf.unstack(values), strict=True):
        if code == 0:
            stack.append(value)
        else:
            right = stack.pop()
            left = stack.pop()
            stack.append(left + right if code == 1 else left * right)
    return stack[0]


def test_a_branch_that_takes_from_an_empty_list_fails_only_if_it_runs():
    run = gw.function(calculated)
    codes, values = tf.constant([0, 0, 1, 0, 2]), tf.constant([3.0, 4.0, 0.0, 2.0, 0.0])
    assert run(codes, values).numpy() == 14.0
    with pytest.raises(IndexError, match="pop from empty list") as caught:
        run(tf.constant([0, 1, 0, 0, 0]), values)
    assert caught.traceback[-1].name == "calculated"


def test_xla_refuses_a_branch_that_takes_from_an_empty_list():
    with pytest.raises(IndexError, match="pop from empty list"):
        gw.function(calculated, jit_compile=True)(tf.constant([0, 0, 1]), tf.constant([3.0, 4.0, 0.0]))
