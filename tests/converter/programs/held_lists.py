"""Lists in attributes and dicts, whose items are read and set at positions that only the graph knows."""

import tensorflow as tf
from differential import program


class Ring:
    def __init__(self):
        self.buffer = [0.0, 0.0, 0.0]
        self.weights = tf.constant([1.0, 2.0, 3.0])
        self.place = 0

    def put(self, x):
        self.buffer[self.place] = x
        self.place = (self.place + 1) % 3

    def get(self, place):
        return self.buffer[place]  # noqa: E704


@program([1.0, 3.0, 5.0, 2.0])
def ring_buffer(xs):
    ring = Ring()
    for x in xs:
        ring.put(x)
    return ring.buffer, ring.place


@program([1.0, 3.0])
def items_of_attributes(xs):
    ring = Ring()
    total = xs[0]
    for i in tf.range(3):
        total += ring.get(i) + ring.weights[i]
        ring.buffer[i] = total
        if total > 3.0:
            ring.buffer[i] *= 2
    for k in range(3):
        ring.buffer[k] += xs[1]
    return total, ring.buffer


@program(([1.0, 3.0], 1))
def items_under_keys(xs, i):
    sums = {"all": [0.0, 0.0], "xs": xs}
    for x in xs:
        sums["all"][i] += x
    sums["all"][i - 1] = xs[i]
    return sums["all"], sums["xs"][i]


class Table:
    def __init__(self):
        self.rows = [[1.0, 2.0], [3.0, 4.0]]
        self.steps = [lambda x: x + 1, lambda x: x * 2]

    def update(self, x, i):
        for k in range(len(self.steps)):
            x = self.steps[k](x)
        self.rows[i][0] = x
        self.rows[i][i] -= x
        return x


@program((2.0, 1), (2.0, 0))
def rows_of_attributes(x, i):
    table = Table()
    return table.update(x, i), table.rows


class Crossings:
    def __init__(self, angle):
        self.angle = angle
        self.found = []

    def step(self, t):
        self.angle = -0.9 * self.angle
        if self.angle < 0:
            self.found.append(t)


@program((0.5, 0.1), (-0.5, 0.3))
def lists_of_objects_before_a_loop(angle, dt):
    crossings = Crossings(angle)
    t = 0.0
    while t < 0.5:
        crossings.step(t)
        t += dt
    return crossings.angle, len(crossings.found), crossings.found
