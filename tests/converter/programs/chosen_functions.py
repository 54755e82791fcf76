"""Programs in which the graph chooses a function, a method, or another callable: a call of it is a branch."""

from __future__ import annotations

import functools

import tensorflow as tf
from differential import program


def double(x):
    return x * 2


def triple_if_small(x):
    if x < 5:
        return x * 3
    return x


class Scale:
    def __init__(self, by):
        self.by = by
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return x * self.by

    def reset(self):
        self.calls = -1


class Layer(tf.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
        self.seen = []

    def __call__(self, x):
        self.seen.append(x)
        return x * self.by if len(self.seen) < 3 else x


class Total:
    def __init__(self):
        self.value = tf.constant(0)

    def add(self, x):
        self.value += x
        return self.value

    def remove(self, x):
        self.value -= x
        return -self.value


@program(3, -3)
def one_of_two_is_called_twice(x):
    function = double if x > 0 else triple_if_small
    first = function(x)
    return first, function(first)


@program(0, 1, 2)
def one_of_a_list_is_called(k):
    functions = [tf.abs, tf.negative, double]
    return functions[k](k - 5)


@program(0, 1, 2)
def one_of_three_on_different_paths(k):
    if k == 0:
        function = tf.square
    elif k == 1:
        function = triple_if_small
    else:
        function = lambda x: x - k  # noqa: E731
    return function(k + 1)


@program(3, -3)
def which_one_it_is(x):
    function = double if x > 0 else triple_if_small
    return function is double, function is triple_if_small, function == double, function != double, callable(function)


@program(2, 9)
def another_after_some_iterations(n):
    function, total = double, 0
    for i in tf.range(n):
        total += function(i)
        if i > 3:
            function = triple_if_small
    return total, function is double


@program(2, 9)
def a_lambda_of_each_iteration(n):
    function, total = lambda x: x, 0
    for i in tf.range(n):
        total += function(i)
        function = lambda x: x * 10  # noqa: E731
    return total, function(n)


@program(2, 7)
def two_take_turns(n):
    function, i = double, tf.constant(1)
    while i < n * 5:
        i = function(i) + 1
        function = triple_if_small if function is double else double
    return i, function is double


@program(2, 7)
def found_by_a_loop_that_stops(n):
    function = double
    for i in tf.range(5):
        if i == n:
            function = triple_if_small
            break
    return function(n)


@program(3, -3)
def what_they_append(x):
    found = []

    def once(value):
        found.append(value)

    def twice(value):
        found.append(value)
        found.append(value * 2)

    function = once if x > 0 else twice
    function(x)
    function(1)
    return found


@program(3, -3)
def what_they_append_to_an_argument(x):
    def once(values, value):
        values.append(value)

    def twice(values, value):
        values.append(value)
        values.append(value * 2)

    function = once if x > 0 else twice
    found = []
    function(found, x)
    return found, len(found)


@program(3, -3)
def what_they_set_around_them(x):
    n = 0

    def up(value):
        nonlocal n
        n += 1
        return value

    def down(value):
        nonlocal n
        n -= 2
        return value * 2

    function = up if x > 0 else down
    return function(function(x)), n


@program(3, -3)
def variables_of_the_branches_that_make_them(x):
    if x > 0:
        n = 1

        def function(value):
            nonlocal n
            n = n + 1
            return value * n

    else:
        n = 5

        def function(value):
            nonlocal n
            n = n + 2
            return value - n

    result = function(function(x))
    return result, n


@program(3, -3)
def two_that_share_a_variable_of_a_branch(x):
    if x > 0:
        n = 1

        def up():
            nonlocal n
            n += 1

        def get():
            return n

    else:
        m = 10

        def up():
            nonlocal m
            m += 2

        def get():
            return m

    up()
    up()
    return get()


@program(3, -3)
def a_variable_that_is_set_later(x):
    if x > 0:
        n = 1
        function = lambda value: value * n  # noqa: E731
    else:
        n = 5
        function = lambda value: value + n  # noqa: E731
    n = 7
    return function(x)


@program(3, -3)
def methods_of_one_object(x):
    total = Total()
    change = total.add if x > 0 else total.remove
    first = change(x)
    return first, change(2), total.value


@program(3, -3)
def objects_that_can_be_called(x):
    one, other = Scale(2), Scale(3)
    scale = one if x > 0 else other
    first = scale(scale(x))
    return first, one.calls, other.calls, scale.by, isinstance(scale, Scale)


@program(3, -3)
def modules_that_hold_lists(x):
    one, other = Layer(2), Layer(3)
    layer = one if x > 0 else other
    return layer(layer(x)), layer.by


@program(3, -3)
def what_is_set_in_one_that_can_be_called(x):
    one, other = Scale(2), Scale(3)
    scale = one if x > 0 else other
    scale.by = 10
    scale.reset()
    return scale(x), one.by, other.by, one.calls, other.calls


@program(3, -3)
def attributes_of_functions(x):
    def one(value):
        return value

    def other(value):
        return value + 1

    one.n, other.n = 1, 2
    function = one if x > 0 else other
    function.n = function.n + 5
    return one.n, other.n


@program(3, -3)
def arguments_that_are_held(x):
    def power(value, by):
        return value**by

    function = functools.partial(power, by=2) if x > 0 else functools.partial(power, by=3)
    return function(x)


@program(3, -3)
def made_by_a_function(x):
    def scaling(by):
        def scaled(value):
            return value * by

        return scaled

    if x > 0:
        function = scaling(2)
    else:
        function = scaling(3)
    return function(x)


@program(3, -3)
def given_on(x):
    function = double if x > 0 else triple_if_small
    return list(map(function, [x, x + 1])), max([x, 1, -2], key=function), sum(function(i) for i in range(3))


@program(3, -3)
def none_or_a_function(x):
    function = None
    if x > 0:
        function = double
    if function is not None:
        x = function(x)
    return x


@program(3, -3)
def returned_by_a_function(x):
    def pick():
        if x > 0:
            return double
        return triple_if_small

    return pick()(x)


@program(7)
def that_call_themselves(x):
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    function = factorial if x > 5 else fibonacci
    return function(6)


@program(3, -3)
def in_an_object_and_a_dict(x):
    class Holder:
        pass

    holder, functions = Holder(), {"act": double}
    holder.act = double
    if x > 0:
        holder.act = triple_if_small
        functions["act"] = tf.negative
    return holder.act(x), functions["act"](x)
