"""Programs that change sets, deques and byte arrays where the graph decides whether and how often."""

from __future__ import annotations

from collections import deque

import tensorflow as tf
from differential import program

IN_A_BRANCH = "TypeError: changes in a branch that the graph decides"
IN_A_LOOP = "TypeError: changes in a loop that the graph runs"


class Buffer:
    def __init__(self):
        self.last: deque[object] = deque(maxlen=2)

    def put_positive(self, x):
        if x > 0:
            self.last.append(x)
        return x


def put(queue, x):
    queue.append(x)


@program(2.0, -2.0)
def the_same_on_both_sides(x):
    seen = set()
    queue = deque([1, 2, 3])
    if x > 0:
        seen.add("number")
        y = x + queue.popleft()
    else:
        seen.add("number")
        y = queue.popleft() - x
    return y, len(seen), "number" in seen, len(queue)


@program(2.0, -2.0)
def made_in_the_branch(x):
    y = x
    if x > 0:
        queue = deque()
        queue.append(x)
        put(queue, x + 1)
        y = queue.popleft() * queue.pop()
    return y


@program(2.0, -2.0)
def made_for_an_object_in_the_branch(x):
    y = x
    if x > 0:
        buffer = Buffer()
        buffer.last.append(x)
        y = x + len(buffer.last)
    return y


@program(2.0)
def made_in_an_iteration(x):
    total = x * 0
    for i in tf.range(3):
        seen = {1}
        seen.add(2)
        total += len(seen) * tf.cast(i, tf.float32)
    return total


@program(2.0)
def what_every_iteration_adds(x):
    names = set()
    total = x * 0
    for _ in tf.range(3):
        names.add("sum")
        total += x
    return total, "sum" in names, len(names)


@program(2.0, -2.0)
def changed_in_python(x):
    queue = deque([1.0, 2.0])
    while queue:
        x += queue.popleft()
        if len(queue) == 1:
            queue.append(3.0)
            queue.popleft()
    return x


@program(2.0, 0.5, -2.0)
def the_same_two_branches_deep(x):
    queue = deque([0])
    if x > 0:
        if x > 1:
            queue.append(1)
        else:
            queue.append(1)
    else:
        queue.append(1)
    return len(queue), queue[1]


@program(-2.0, refused=IN_A_BRANCH)
def added_on_one_side(x):
    seen = set()
    if x > 0:
        seen.add("positive")
    return "positive" in seen


@program(-2.0, 2.5)
def taken_from_either_end(x):
    queue = deque([1, 2, 3])
    y = queue.popleft() if x > 0 else queue.pop()
    return y, sum(queue)


@program(-2.0, 2.5)
def changed_by_a_helper(x):
    queue = deque()
    if x > 0:
        put(queue, x)
    return len(queue)


@program(-2.0, 2.5)
def changed_on_an_object(x):
    buffer = Buffer()
    buffer.put_positive(x)
    return len(buffer.last)


@program(-2.0, refused=IN_A_BRANCH)
def a_letter_of_a_text(x):
    text = bytearray(b"abc")
    if x > 0:
        text[0] = 65
    return text.decode() == "abc"


@program(-2.0, 2.5)
def different_two_branches_deep(x):
    queue = deque([0])
    if x < 0:
        if x > -1:
            queue.append(1)
    return len(queue)


@program(4.0, 2.5)
def in_turn(x):
    queue = deque([1.0, 2.0, 3.0])
    while x > 0:
        queue.append(queue.popleft())
        x -= queue[0]
    return queue[0]


@program(4, refused=IN_A_LOOP)
def emptied(n):
    left = {1, 2, 3}
    for _ in range(n):
        left.discard(2)
    return len(left)


@program([1, 4, 4], refused="TypeError: uses the tensor `v` as a key")
def set_in_a_loop_that_returns(xs):
    seen = set()
    for x in xs:
        v = int(x)
        if v in seen:
            return v
        seen.add(v)
    return 0


@program(2.0, refused="TypeError: is read in a loop that the graph runs and changes after that")
def read_before_it_is_added_to(x):
    seen = set()
    times = 0
    for _ in tf.range(3):
        if "number" in seen:
            times += 1
        seen.add("number")
    return x, times


@program(2.0)
def read_after_it_was_added_to(x):
    seen = set()
    total = x * 0
    for _ in tf.range(3):
        seen.add("number")
        if "number" in seen:
            total += x * len(seen)
    return total


@program(0, 2, refused="TypeError: would have to know now whether there is an iteration")
def added_where_no_iteration_may_be(n):
    seen = set()
    for _ in range(n):
        seen.add("number")
    return len(seen)


@program([1.0, 2.0])
def added_in_the_elements_of_a_tensor(xs):
    seen = {"sum"}
    for i, x in enumerate(xs):
        for _ in range(3):
            seen.add("inner")
        while xs[0] + x > 9:
            x -= i
        seen.add("outer")
    return sorted(seen)
