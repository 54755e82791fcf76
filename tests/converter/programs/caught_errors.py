"""Errors that Python's own code raises and catches inside of what a graph stages: helpers, iterators, assertions."""

import contextlib

import tensorflow as tf
from differential import program


class Count:
    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i >= 3:
            raise StopIteration
        self.i += 1
        return self.i


def positive(v):
    if v < 0:
        raise ValueError("negative")
    return v


@program([1.0, -3.0])
def iterators_that_the_user_wrote(xs):
    count, total, out = Count(), 0.0, []
    for x in xs:
        for k in count:
            total += k * x
        out.append(list(count)[1] * x)
    return total, out, count.i


@program([1.0, -3.0])
def errors_of_helpers_that_are_caught(xs):
    total, n = 0.0, 0
    for x in xs:
        try:
            n = positive(-1)
        except ValueError:
            n = 7
        with contextlib.suppress(ValueError):
            positive(-1)
            total += 100
        total += n * x
    return total, n


@program([1.0, -3.0])
def assertions_that_are_caught(xs):
    n, names = 0, ["a", "b"]
    for _ in xs:
        try:
            assert len(names) == 3
        except AssertionError:
            n += 1
    return n


@program([1.0], [-1.0])
def errors_of_helpers_in_branches(xs):
    if xs[0] > 0:
        y = positive(2) + xs[0]
    else:
        y = positive(-2) + xs[0]
    return y


@program([1.0], [-1.0])
def errors_that_leave_a_with(xs):
    if xs[0] > 0:
        with tf.name_scope("scope"):
            positive(-1)
    return xs[0]


class Stop(BaseException):
    pass


@program([1.0])
def errors_that_are_no_exceptions(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            total += 1
            raise Stop("negative")
        total += x
    return total


@program(2.0, -1.0)
def caught_inside_of_the_branch(x):
    if x > 0:
        y = 1.0 / x
    else:
        try:
            y = {"one": x}["none"]
        except KeyError:
            y = 0.0
    return y
