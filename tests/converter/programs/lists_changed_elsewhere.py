"""Lists and dicts that are changed where nobody returns them: in called functions, in methods, under another name."""

import tensorflow as tf
from differential import program


def put(out, x):
    out.append(x)


def fill(out, n):
    for i in tf.range(n):
        out.append(i)


def put_twice(out, x):
    out.append(x)
    out.append(-x)
    return len(out)


class Recorder:
    def __init__(self):
        self.items = []
        self.count = 0

    def put(self, x):
        if x > 1:
            self.items.append(x)
            self.count += 1
        return self


@program([1, 2, 3], [1])
def by_a_called_function(xs):
    out = []
    for x in xs:
        if x > 1:
            put(out, x)
    out.append(9)
    return out, len(out)


@program([1, 2, 3])
def by_a_function_inside(xs):
    seen = []

    def visit(x):
        seen.append(x)

    for x in xs:
        if x > 1:
            visit(x)
    return seen


@program([0, 1, 2])
def by_a_function_that_is_given_it(xs):
    def walk(x, found):
        if x > 0:
            found.append(x)
            if x > 1:
                found.append(x * 10)

    found = []
    for x in xs:
        walk(x, found)
    return found


@program([1, 2, 3])
def by_a_method(xs):
    recorder = Recorder()
    for x in xs:
        recorder.put(x)
    return recorder.items, recorder.count, len(recorder.items)


@program([1, 2, 3])
def by_a_method_of_a_chosen_object(xs):
    recorders = [Recorder(), Recorder()]
    for x in xs:
        recorders[x % 2].put(x)
    return [recorder.items for recorder in recorders], [recorder.count for recorder in recorders]


@program(2, 0)
def in_one_branch(x):
    out = [1]
    other = out
    if x > 1:
        put(out, x)
    else:
        put(other, 5)
    return out, other


@program([1, 2, 3])
def lists_in_a_dict(xs):
    found = {"large": [], "small": []}
    for x in xs:
        if x > 1:
            found["large"].append(x)
        else:
            put(found["small"], x)
    return found


@program([1, 2])
def in_two_loops(xs):
    out = []
    total = 0
    for x in xs:
        total += put_twice(out, x)
    for x in xs:
        total += put_twice(out, x)
    return out, total


@program(3, 1)
def by_a_loop_in_a_branch(n):
    out = [0]
    if n > 1:
        fill(out, n)
    fill(out, 2)
    return out


@program(3, 0)
def by_a_loop_under_another_name(n):
    first = [0]
    second = first
    i = 0
    while i < n:
        fill(second, i)
        i += 1
    return first, len(first)


@program([2, 3, 1])
def pushed_and_popped(xs):
    stack = [0]

    def push(value):
        stack.append(value)

    def pop():
        return stack.pop()

    total = 0
    for x in xs:
        if x > 1:
            push(x)
        else:
            total += pop()
    return stack, total


@program([1, 2, 3])
def in_an_expression(xs):
    out = []
    for x in xs:
        x > 2 or out.append(x)
    return out


@program([1, 2, 3])
def each_of_a_list(xs):
    rows = [[], []]
    for x in xs:
        for row in rows:
            row.append(x)
            row[0] += 1
    return [len(row) for row in rows], rows[1]


@program([1, 2, 3])
def dicts_of_a_python_loop(xs):
    particles = [{"x": 0, "alive": True}, {"x": 3, "alive": True}]
    for x in xs:
        for particle in particles:
            if particle["alive"]:
                particle["x"] += x
                if particle["x"] > 4:
                    particle["alive"] = False
    return [particle["x"] for particle in particles]


@program([1.0, -3.0, 5.0])
def methods_that_have_names(xs):
    out, last = [], {"x": 0.0}
    add, remember = out.append, last.update
    for x in xs:
        if x > 0:
            add(x)
        remember(x=x)
    return len(out), out, last


@program([1.0, -3.0, 5.0])
def method_that_is_an_argument(xs):
    out = []

    def each(function, values):
        for value in values:
            function(value * 2)

    each(out.append, xs)
    return out
