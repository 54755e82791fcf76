"""What changes in place, or is set only by one branch, where no graph can follow: it is refused, and says what to do.

Programs that give the right values are in `programs/`.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections import UserList

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf

pytestmark = pytest.mark.truth


class Thing:
    def __init__(self):
        self.value = 1
        self.array = np.zeros(2, np.int32)

    def add(self):
        self.array += 1


def shared_row(xs):
    rows, row = [], [0, 0]
    for x in xs:
        row[0] += x
        rows.append(row)
    return rows


def shared_row_in_a_branch(xs):
    rows, row = [], [0, 0]
    for x in xs:
        row[0] += x
        if x > 1:
            rows.append(row)
    return rows


def array_with_two_names(xs):
    array = np.zeros(2, np.int32)
    other = array
    for _ in xs:
        array += 1
    return array, other


def array_of_a_view(xs):
    array = np.zeros((2, 2), np.int32)
    row = array[0]
    for _ in xs:
        row += 1
    return array, row


def array_of_an_object(xs):
    thing = Thing()
    for _ in xs:
        thing.add()
    return thing.array


def appended_while_it_is_read(xs):
    queue, total = [1], 0
    for item in queue:
        total += item
        if total < xs[1]:
            queue.append(item + 1)
    return total


def longer_while_the_graph_reads_it(xs):
    queue, total = [], 0
    for x in xs:
        queue.append(x)
    for item in queue:
        total += item
        if total < 20:
            queue.append(item + 1)
    return total


def attribute_that_one_branch_deletes(xs):
    thing = Thing()
    if xs[0] > 0:
        del thing.value
    return hasattr(thing, "value")


def attribute_that_one_branch_sets(xs):
    thing = Thing()
    if xs[0] > 0:
        thing.other = 1
    return getattr(thing, "other", 2)


def rows_of_a_file(xs):
    text = io.StringIO()
    writer = csv.writer(text)
    if xs[0] > 0:
        writer.writerow([1, 2])
    return text.getvalue()


def list_of_the_library(xs):
    items = UserList([0])
    if xs[0] > 0:
        items[0] = 5
    return items[0]


class Stack(list):
    def push(self, item):
        self.append(item)


def list_of_a_class(xs):
    stack = Stack()
    for x in xs:
        stack.push(x)
    return len(stack)


def row_changed_after_the_loop(xs):
    rows, row = [], [0, 0]
    for _ in xs:
        rows.append(row)
    row[0] = 5
    return rows


class Module(tf.Module):
    def __init__(self):
        super().__init__()
        self.items = []
        self.sizes = {"a": 1}


def dict_of_a_module_in_a_branch_by_a_name(xs):
    module = Module()
    sizes = module.sizes
    if xs[0] > 0:
        sizes["a"] = 5
    return module.sizes["a"]


def dict_of_a_module_with_a_name(xs):
    module = Module()
    sizes = module.sizes
    if xs[0] > 0:
        module.sizes["a"] = 5
    return sizes["a"]


def list_of_a_module_by_a_name(xs):
    module = Module()
    items = module.items
    for x in xs:
        items.append(x)
    return len(module.items)


def list_of_a_module_with_a_name(xs):
    module = Module()
    items = module.items
    if xs[0] > 0:
        module.items.append(1)
    return len(items)


def filled(items, xs):
    for x in xs:
        items.append(x)


def list_of_a_module_that_a_function_fills(xs):
    module = Module()
    filled(module.items, xs)
    return len(module.items)


def list_of_a_module_in_a_branch_by_a_name(xs):
    module = Module()
    items = module.items
    if xs[0] > 0:
        items.append(1)
    return len(module.items)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (row_changed_after_the_loop, "changes in place that is an element of a list"),
        (list_of_a_module_by_a_name, "`items` is a list of a tf.Module"),
        (list_of_a_module_with_a_name, "`module.items` is a list of a tf.Module"),
        (list_of_a_module_that_a_function_fills, "`items` is a list of a tf.Module"),
        (list_of_a_module_in_a_branch_by_a_name, "the module's list `items` changes in a branch"),
        (dict_of_a_module_in_a_branch_by_a_name, "the module's dict `sizes` changes in a branch"),
        (dict_of_a_module_with_a_name, "`module.sizes` is a dict of a tf.Module"),
        (shared_row, "changes in each iteration and is an element of a list"),
        (shared_row_in_a_branch, "changes in each iteration and is an element of a list"),
        (array_with_two_names, "changes a NumPy array in place here, and `other` has it"),
        (array_of_a_view, "changes a NumPy array in place here, and `array` has it"),
        (array_of_an_object, "the array `self.array` changes in a loop"),
        (appended_while_it_is_read, "makes this list longer under another name"),
        (longer_while_the_graph_reads_it, "goes over a list that it makes longer"),
        (attribute_that_one_branch_deletes, "whether `thing.value` is set"),
        (attribute_that_one_branch_sets, "whether `thing.other` is set"),
        (rows_of_a_file, "collect the rows in a list"),
        (list_of_the_library, "the UserList `items` changes in a branch"),
        (list_of_a_class, "becomes a list that has no `push`"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_change_that_would_be_lost_is_refused(function, text):
    with pytest.raises((TypeError, AttributeError)) as raised:
        gw.function(function)(tf.constant([1, 2, 3]))
    assert text in str(raised.value)


def test_items_may_be_set_in_a_loop_over_their_list():
    def doubled(xs):
        items = []
        for x in xs:
            items.append(x)
        for item in items:
            items[item - 1] = item * 2
        return items

    assert list(map(int, gw.function(doubled)(tf.constant([1, 2, 3])))) == [2, 4, 6]


def test_an_argument_that_changes_is_named_with_the_function():
    def changed(items, x):
        items[0] = x
        return items

    with pytest.raises(ValueError, match=r"`changed` \(.+test_places\.py:\d+\) changes `items` in place"):
        gw.function(changed)([1, 2], tf.constant(1))


@dataclasses.dataclass
class Unhashable:
    rate: float = 0.5


class Trained:
    @gw.function
    def train(self, config, x):
        return x * config.rate


def test_an_argument_that_cannot_be_hashed_is_refused_with_its_fix():
    words = r"`train` \(.+test_places\.py:\d+\) is called with Unhashable\(rate=0.5\), .+ `@dataclass\(eq=False\)`"
    with pytest.raises(TypeError, match=words):
        Trained().train(Unhashable(), tf.constant(1.0))
    hashable = dataclasses.dataclass(eq=False)(type("Hashable", (), {"rate": 2.0}))
    assert Trained().train(hashable(), tf.constant(1.0)).numpy() == 2.0


def test_attributes_that_are_surely_set_are_asked_for_as_ever():
    def asked(x):
        thing = Thing()
        if x > 0:
            thing.value = 5
        return getattr(thing, "value", 2), hasattr(thing, "other"), getattr(thing, "other", 3)

    assert [int(each) for each in gw.function(asked)(tf.constant(1))] == [5, 0, 3]
