"""Programs in which a loop puts a tensor in the place of a list of numbers that it begins with."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program([1, 3, 1, 0])
def counts(xs):
    found = [0] * 4
    for x in xs:
        found = tf.tensor_scatter_nd_add(found, [[x]], [1])
    return found


@program([0.5, 1.0, 1.5], unknown=True)
def pendulum(times):
    y = [1.0, 0.0]
    for t in times:
        y = y + 0.1 * tf.stack([y[1], -y[0] * t])
    return y


@program(3)
def of_a_tensor_and_an_int(n):
    y = (tf.constant(2.0), 0)
    i = 0
    while i < n:
        y = tf.stack([y[0] + 0.5 * y[1], y[1] - 0.5 * y[0]])
        i += 1
    return y, i


@program(5)
def matrix(n):
    m = [[1, 0], [0, 1]]
    for _ in range(n):
        m = tf.linalg.matmul(m, [[1, 1], [1, 0]])
    return m


@program([0.5, -1.0, 2.0, 1.0], unknown=True)
def in_branches(xs):
    best, marks = [0.0, 0.0], (0, 0, 0)
    for x in xs:
        if x > best[0]:
            best = tf.stack([x, x * 2])
        if x < 0:
            marks = tf.stack([1, 2, 3])
    return best, marks


@program([0.5, -1.0, 2.0], unknown=True)
def in_two_loops(xs):
    total = [0.0, 0.0]
    for x in xs:
        for y in xs:
            if x > y:
                total = total + tf.stack([x, y])
    return total


@program([0.5, -1.0, 2.0], unknown=True)
def beside_the_list(xs):
    whole = [1.0, 2.0]
    kept = whole
    for x in xs:
        whole = whole + tf.stack([x, x])
    return whole, kept


@program([0.5, -1.0, 2.0], unknown=True)
def of_an_object(xs):
    class Box:
        def __init__(self):
            self.low = self.high = [0.0, 0.0]

    box = Box()
    for x in xs:
        box.low, box.high = tf.minimum(box.low, x), tf.maximum(box.high, x)
    return box.low, box.high


@program(3)
def growing(n):
    ends = [1.0, 2.0]
    for i in range(n):
        ends = tf.concat([ends, [tf.cast(i, tf.float32)]], 0)
    return ends
