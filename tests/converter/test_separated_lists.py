"""Lists and objects of which a branch or loop of the graph makes two, where the program has one: no change is lost."""

from __future__ import annotations

import copy
import dataclasses

import graphwright as gw
import pytest
import tensorflow as tf


class Search:
    """Two lists that may be one."""

    def __init__(self):
        self.best, self.part = [0, 0], [0, 0]


def kept_and_changed(xs):
    search = Search()
    for x in xs:
        if x % 2 == 1:
            search.part = [x, 0]
        search.part[1] += x
        if x > search.best[0]:
            search.best = search.part
    return search.best, search.part


def changed_after_the_loop(xs):
    search, other = Search(), [1, 1]
    for x in xs:
        search.part = search.best = [x, x]
        if x > 2:
            search.best = other
    search.best[0] += 1
    return search.best, search.part, other


def changed_in_part(xs):
    search = Search()
    for x in xs:
        search.part[0] += x
        if x >= 2:
            search.best = search.part
            if x > 3:
                search.part = [0, 0]
    return search.best, search.part


def returned_or_replaced(xs):
    one = other = [0]
    for i in range(3):
        if xs[0] > 5:
            one = [7, i]
            continue
        if xs[1] > 5:
            other.append(1)
        if xs[2] > 5:
            return one, other
        one.append(i)
    return one, other


def returned_by_a_loop_or_replaced(xs):
    one = other = [0]
    for i in tf.range(3):
        if xs[0] > 5:
            one = [7, i]
        else:
            for x in xs:
                if x > 5:
                    return one, other
                one.append(x)
    return one, other


def compared(xs):
    search, same = Search(), False
    for x in xs:
        same = search.part is search.best
        search.part = [x, x]
        if x > 2:
            search.best = search.part
    return same


def begun_again(xs):
    search = Search()
    for x in xs:
        search.part[0] += x
        if x == 3:
            search.best = search.part
            search.part = [0, 0]
    return search.best, search.part


def left_in_the_middle(xs):
    best, part = None, [0, 0]
    for x in xs:
        part[0] += x
        if x == 4:
            break
        if x == 2:
            best, part = part, [0, 0]
    return part, best


NUMBERS = ([1, 2, 3, 4], [3, 1, 2], [2, 4, 1], [5])


@pytest.mark.parametrize(
    "function",
    [kept_and_changed, changed_after_the_loop, changed_in_part, returned_or_replaced, returned_by_a_loop_or_replaced],
)
def test_a_change_that_another_name_would_miss_is_refused(function):
    with pytest.raises(TypeError, match=r"may be the same list here, which only the graph knows"):
        gw.function(function)(tf.constant(NUMBERS[0]))


def test_a_comparison_that_only_the_program_can_make_is_refused():
    with pytest.raises(TypeError, match=r"compare what is in them, or"):
        gw.function(compared)(tf.constant(NUMBERS[0]))


@pytest.mark.parametrize("function", [begun_again, left_in_the_middle])
def test_lists_that_are_never_the_same_are_changed(function):
    traced = gw.function(function, input_signature=[tf.TensorSpec([None], tf.int32)])
    for numbers in NUMBERS[:3]:
        expected, found = function(tf.constant(numbers)), traced(tf.constant(numbers))
        assert [list(map(int, each)) for each in found] == [list(map(int, each)) for each in expected], numbers


class Point:
    """An object that a loop makes again in each iteration."""

    def __init__(self, n):
        self.n = n

    def double(self):
        self.n *= 2


@dataclasses.dataclass
class Record:
    """The same as a dataclass."""

    n: tf.Tensor


def best_changed_after_the_loop(xs, kind=Point):
    best, now = kind(tf.constant(0)), kind(tf.constant(0))
    for x in xs:
        now = kind(now.n // 2 + x)
        if now.n > best.n:
            best = now
    best.n += 100
    return now.n


def best_record_changed_after_the_loop(xs):
    return best_changed_after_the_loop(xs, Record)


def best_changed_by_a_method(xs):
    best, now = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        now = Point(now.n // 2 + x)
        if now.n > best.n:
            best = now
    best.double()
    return now.n


def best_changed_in_the_loop(xs):
    best, now = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        if x > 2:
            now = Point(x)
        now.n += 1
        if now.n > best.n:
            best = now
    return best.n, now.n


def attributes_changed_after_the_loop(xs):
    search = Search()
    search.best, search.part = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        search.part = Point(search.part.n + x)
        if x > 2:
            search.best = search.part
    search.best.n += 1
    return search.part.n


def changed_after_a_branch(xs):
    one, two = Point(xs[0]), Point(xs[1])
    if xs[0] > 2:
        one = two = Point(xs[-1])
    one.n += 1
    return one.n, two.n


def changed_in_a_pair(xs):
    pair = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        point = Point(pair[1].n + x)
        pair = point, point
    pair[0].n += 1
    return pair[1].n


def replaced_in_a_branch_of_a_loop(xs):
    now = first = Point(xs[0])
    for x in xs:
        if x > 2:
            now = Point(x)
    now.n += 1
    return first.n


def replaced_where_a_list_has_it(xs):
    now = Point(xs[0])
    points = [now]
    for x in xs:
        if x > 2:
            now = Point(x)
    now.n += 1
    return points[0].n


OBJECTS = {
    best_changed_after_the_loop: "`best` and `now` may be the same `Point`",
    best_record_changed_after_the_loop: "`best` and `now` may be the same `Record`",
    best_changed_by_a_method: "`best` and `now` may be the same `Point`",
    best_changed_in_the_loop: "`now` and `best` may be the same `Point`",
    attributes_changed_after_the_loop: r"`search\.best` and `search\.part` may be the same `Point`",
    changed_after_a_branch: "`one` and `two` may be the same `Point`",
    replaced_in_a_branch_of_a_loop: "`now` and another name of the `Point` may be the same `Point`",
    replaced_where_a_list_has_it: "`now` and another name of the `Point` may be the same `Point`",
    changed_in_a_pair: r"`pair\[0\]` and `pair\[1\]` may be the same `Point`",
}


@pytest.mark.parametrize("function", OBJECTS)
def test_a_change_of_an_object_that_another_name_would_miss_is_refused(function):
    with pytest.raises(TypeError, match=rf"^{OBJECTS[function]} here.* \(`copy\.copy\(\.\.\.\)`\)"):
        gw.function(function)(tf.constant(NUMBERS[0]))


def returned_from_a_loop_of_a_loop(m):
    d, q = {"k": 1, "t": 2}, [1]
    e, row = d, [d]

    def set_d(value):
        d["t"] = value

    for i in range(4):
        row[0]["k"] = i
        if m > i:
            d["k"] = d["k"]
            break
        d = {"k": d["k"], "t": 1}
        for _ in range(3):
            if d["k"] > m:
                q.append(d["k"])
                return d, e, q, row
            set_d(m)
    return d, e, q, row


def test_what_is_returned_has_no_name_that_the_user_gave():
    with pytest.raises(TypeError, match=r"^a dict of the result and .* may be the same dict here"):
        gw.function(returned_from_a_loop_of_a_loop)(tf.constant(2))


def objects_compared(xs):
    best, now = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        now = Point(now.n // 2 + x)
        if now.n > best.n:
            best = now
    return best is now


def test_a_comparison_of_objects_that_only_the_program_can_make_is_refused():
    with pytest.raises(TypeError, match=r"whether `best` and `now` are the same `Point` is known only when"):
        gw.function(objects_compared)(tf.constant(NUMBERS[0]))


def only_read(xs):
    best, now = None, Point(tf.constant(0))
    for x in xs:
        now = Point(now.n // 2 + x)
        if best is None or now.n > best.n:
            best = now
    return best.n, now.n


def changed_before_its_second_name(xs):
    before, steps = Point(tf.constant(0)), tf.constant(0)
    for x in xs:
        now = Point(x)
        now.n *= 2
        steps += now.n - before.n
        before = now
    return steps, before.n


def copied_for_its_second_name(xs):
    best, now = Point(tf.constant(0)), Point(tf.constant(0))
    for x in xs:
        now = Point(now.n // 2 + x)
        if now.n > best.n:
            best = copy.copy(now)
    best.n += 100
    return best.n, now.n


def parts_of_lists(xs):
    items = [Point(tf.constant(0)), Point(tf.constant(1))]
    best = items[0]
    for x in xs:
        items[0].n += x
        items[1].n += x * x
        if items[1].n > best.n:
            best = items[1]
    best.n += 1
    return items[0].n, items[1].n, best.n


def replaced_and_changed(xs):
    first = now = Point(tf.constant(0))
    for x in xs:
        now = Point(now.n + x)
        now.double()
    now.n += 1
    return first.n, now.n


def attributes_of_one_name(xs):
    search = Search()
    search.best = Point(tf.constant(0))
    for x in xs:
        if x > search.best.n:
            search.best = Point(x)
        search.best.n -= 1
    search.best.double()
    for x in xs:
        search.best.n += x
    return search.best.n


READ_OR_KNOWN = (
    only_read,
    changed_before_its_second_name,
    copied_for_its_second_name,
    parts_of_lists,
    replaced_and_changed,
    attributes_of_one_name,
)


@pytest.mark.parametrize("function", READ_OR_KNOWN)
def test_objects_that_are_only_read_or_surely_known_are_changed(function):
    traced = gw.function(function, input_signature=[tf.TensorSpec([None], tf.int32)])
    for numbers in NUMBERS:
        expected, found = function(tf.constant(numbers)), traced(tf.constant(numbers))
        assert list(map(int, tf.nest.flatten(found))) == list(map(int, tf.nest.flatten(expected))), numbers


def objects_equal(xs):
    before = best = Point(tf.constant(0))
    for x in xs:
        if x > best.n:
            best = Point(x)
    return best == before


def object_among_others(xs):
    before = best = Point(tf.constant(0))
    for x in xs:
        if x > best.n:
            best = Point(x)
    return best in [before]


def object_in_a_tuple(xs):
    before = best = Point(tf.constant(0))
    for x in xs:
        if x > best.n:
            best = Point(x)
    return (best, 1) != (before, 1)


@pytest.mark.parametrize("function", [objects_equal, object_among_others, object_in_a_tuple])
def test_objects_without_a_method_for_it_are_compared_by_identity(function):
    with pytest.raises(TypeError, match=r"whether `best` and another name of the `Point` are the same `Point`"):
        gw.function(function)(tf.constant(NUMBERS[0]))


def chosen_objects_compared(x):
    points = [Point(x), Point(-x)]
    best = None
    for point in points:
        if point.n > 0:
            best = point
    return best == points[0], best != points[1], best in points[1:], (best, 1) == (points[0], 1)


def test_the_graph_compares_objects_that_it_chooses():
    for x in (3, -3):
        result = gw.function(chosen_objects_compared)(tf.constant(x))
        assert [bool(each) for each in result] == [*chosen_objects_compared(tf.constant(x))]
