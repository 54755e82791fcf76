"""XLA raises nothing when the graph runs: what a list may not hold is refused, unless a test has asked before."""

import graphwright as gw
import pytest
import tensorflow as tf


def index_of(x):
    return [1, 2].index(x)


def index_in_tuple(x):
    return (1, 2).index(x)


def removed(x):
    items = [1, 2]
    items.remove(x)
    return items


def index_in_grown(x):
    items = list(tf.stack([x, 2]))
    return items.index(x + 1)


def removed_before(x):
    items = [1, 2, 3]
    if x in items:
        items.remove(x)
        return items.index(x)
    return -1


def wrong_branch(x):
    items = [1, 2, 3]
    return -1 if x in items else items.index(x)


@pytest.mark.parametrize("function", [index_of, index_in_tuple, removed, index_in_grown, removed_before, wrong_branch])
def test_what_a_list_may_not_hold_is_refused(function) -> None:
    with pytest.raises(TypeError, match=r"XLA raises nothing .* Put it into `if x in xs:`"):
        gw.function(function, jit_compile=True)(tf.constant(2))


def found(x):
    items = [1, 2, 3]
    if x in items:
        return items.index(x)
    return -1


def lacking(x):
    items = [1, 2, 3]
    if x not in items or x < 0:
        return -1
    return items.index(x)


def negated(x):
    items = [1, 2, 3]
    if not (x in items):  # noqa: E713
        return [0, 0]
    items.remove(x)
    return items


def chosen(x):
    items = [1, 2, 3]
    return items.index(x) if x in items and x > 1 else -1


def toggled(x):
    items = []
    for each in tf.stack([x, 2, x, 5]):
        if each in items:
            items.remove(each)
        else:
            items.append(each)
    return items


def itself(x):
    return [1, x].index(x) if x > 5 else 0


def place_of_greatest(x):
    items = [1, x, 3]
    return items.index(max(items))


def sorted_by_removing(x):
    items = [4, x, 3]
    taken = []
    while items:
        least = min(items)
        items.remove(least)
        taken.append(least)
    return taken


def place_of_item(x):
    items = [1, 2, 3, 5, 8, 13, 21, 34]
    return items.index(items[x])


@pytest.mark.parametrize(
    "function",
    [found, lacking, negated, chosen, toggled, itself, place_of_greatest, sorted_by_removing, place_of_item],
)
@pytest.mark.parametrize("x", [1, 2, 7])
def test_what_a_list_surely_holds_is_found(function, x: int) -> None:
    compiled = gw.function(function, jit_compile=True)(tf.constant(x))
    eager = function(tf.constant(x))
    assert tf.stack(compiled).numpy().tolist() == tf.stack(eager).numpy().tolist()
