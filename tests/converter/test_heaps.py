"""`heapq.nsmallest` and `nlargest` of tensors, of lists that grow in the graph, and of Python's own values."""

import heapq

import graphwright as gw
import pytest
import tensorflow as tf


def of_tensor(xs, count):
    return heapq.nsmallest(2, xs) + heapq.nlargest(1, list(xs))


def of_pairs(xs, count):
    best = heapq.nlargest(2, [(x, place) for place, x in enumerate(xs)])
    return [place for _, place in best] + [place for place, _ in heapq.nsmallest(2, enumerate(xs), key=lambda p: -p[1])]


def of_count(xs, count):
    return heapq.nsmallest(count, xs)


def of_grown(xs, count):
    positive = []
    for x in xs:
        if x > 0:
            positive.append(x)
    return heapq.nlargest(5, positive)


def of_squares(xs, count):
    if count > 1:
        found = heapq.nlargest(2, (x * x for x in xs))
    else:
        found = heapq.nsmallest(2, xs, key=lambda x: x if x > 0 else -x)
    return found


def of_python(xs, count):
    return [*heapq.nlargest(2, [3, 1, 2]), *heapq.nsmallest(-1, [1, 2]), len(heapq.nsmallest(1, ["bb", "a"])[0])]


@pytest.mark.parametrize("function", [of_tensor, of_pairs, of_count, of_grown, of_squares, of_python])
@pytest.mark.parametrize("count", [-1, 1, 2, 9])
@pytest.mark.parametrize("jit_compile", [False, True])
def test_the_first_and_last_of_an_order(function, count: int, jit_compile: bool) -> None:
    arguments = tf.constant([1, -2, 3, 0]), tf.constant(count)
    found = gw.function(function, jit_compile=jit_compile)(*arguments)
    assert tf.stack(found).numpy().tolist() == [int(each) for each in function(*arguments)]


def test_sorted_lists_are_merged_by_sorting_them() -> None:
    def merged(xs):
        return list(heapq.merge([x for x in xs if x > 0], [2, 3]))

    with pytest.raises(TypeError, match=r"`sorted\(\[\*first, \*second\]\)`"):
        gw.function(merged)(tf.constant([1, 5]))

    def sorted_at_once(xs):
        return len(list(heapq.merge([1], [2, 3]))), sorted([*xs, *[2, 3]])

    found = gw.function(sorted_at_once)(tf.constant([1, 5]))
    assert int(found[0]) == 3 and [int(x) for x in found[1]] == [1, 2, 3, 5]
