"""Programs about lists that grow, shrink and are read in loops and branches."""

from __future__ import annotations

import graphwright as gw
import tensorflow as tf
from differential import Python, program


@program(4, 1)
def append_and_stack(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return tf.stack(xs)


@program(4, 0, reference=tf.range)
def element_type_is_set(n):
    xs = []
    gw.set_element_type(xs, tf.int32)
    for i in range(n):
        xs.append(i)
    return gw.stack(xs)


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def running_sums(values):
    sums = []
    total = 0.0
    for v in values:
        total += v
        sums.append(total)
    return tf.stack(sums)


@program([1, 2, 3, 4], [1], unknown=True)
def append_under_a_condition(values):
    odd = []
    for v in values:
        if v % 2 == 1:
            odd.append(v)
    return tf.stack(odd)


@program([1, -2, 3, -4], unknown=True)
def two_lists(values):
    positive, negative = [], []
    for v in values:
        if v > 0:
            positive.append(v)
        else:
            negative.append(v)
    return tf.stack(positive), tf.stack(negative)


@program(5, 0)
def length_while_growing(n):
    xs = []
    for i in range(n):
        if i % 2 == 0:
            xs.append(i)
    return len(xs)


@program(8, 2)
def fibonacci_list(n):
    xs = [0, 1]
    for _ in range(n):
        xs.append(xs[-1] + xs[-2])
    return tf.stack(xs)


@program([1, 2, 3], unknown=True)
def stack_machine(ops):
    stack = [10]
    for op in ops:
        top = stack.pop()
        stack.append(top * op)
    return stack[0]


@program(5)
def push_all_pop_all(n):
    stack = []
    for i in range(n):
        stack.append(i)
    total = 0
    while len(stack) > 0:
        total = total * 3 + stack.pop()
    return total


@program((2.0, True), (2.0, False))
def append_in_a_branch(x, flag):
    xs = [x]
    if flag:
        xs.append(x * 2.0)
    else:
        xs.append(x * 3.0)
    return xs[0] + xs[1]


@program((2.0, Python(True)), (2.0, Python(False)))
def append_under_a_python_flag(x, flag):
    xs = [x]
    if flag:
        xs.append(x * 2.0)
    return sum(xs)


@program((1.0, Python(3)), (1.0, Python(0)))
def python_loop_grows(x, n):
    xs = [x]
    for i in range(n):
        xs.append(xs[-1] * 2.0)
    return xs


@program(3, 0)
def fixed_list_as_state(n):
    xs = [0, 1, 2]
    for i in range(n):
        xs = [xs[1], xs[2], xs[0] + i]
    return xs


@program(3, 0)
def set_elements_in_a_loop(n):
    xs = [0, 0]
    for i in range(n):
        xs[0] = xs[0] + i
        xs[1] = xs[1] + 1
    return xs


@program((4, 2), (4, 0))
def element_by_tensor_index(n, at):
    xs = [n, n * 2, n * 3]
    return xs[at]


@program(3)
def extend_in_a_loop(n):
    xs = []
    for i in range(n):
        xs.extend([i, -i])
    return tf.stack(xs)


@program(3)
def augmented_list(n):
    xs = []
    for i in range(n):
        xs += [i * 2]
    return tf.stack(xs)


@program([[1.0, 2.0], [3.0, 4.0]], unknown=True)
def append_rows(rows):
    out = []
    for row in rows:
        out.append(row * 2.0)
    return tf.stack(out)


@program([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], unknown=True)
def rnn_outputs(inputs):
    state = tf.zeros([2])
    outputs = []
    for x in inputs:
        state = tf.tanh(x + state)
        outputs.append(state)
    return tf.stack(outputs), state


@program([[1.0], [2.0]])
def concatenated(rows):
    parts = []
    for row in rows:
        parts.append(row + 1.0)
    return tf.concat(parts, axis=0)


@program(4)
def insert_at_the_front(n):
    xs = []
    for i in range(n):
        xs.insert(0, i)
    return tf.stack(xs)


@program([3, 1, 2], unknown=True)
def grown_then_indexed(values):
    xs = []
    for v in values:
        xs.append(v * 10)
    return xs[1]


@program([3, 1, 2], unknown=True)
def grown_then_iterated(values):
    doubled = []
    for v in values:
        doubled.append(v * 2)
    total = 0
    for d in doubled:
        total = total * 10 + d
    return total


@program([3, 1, 2], unknown=True)
def grown_in_while(values):
    out = []
    i = 0
    while i < len(values):
        out.append(values[i] + i)
        i += 1
    return tf.stack(out)


@program([5, 0, 7], [1, 2], unknown=True)
def append_until_break(values):
    out = [-1]
    for v in values:
        if v == 0:
            break
        out.append(v)
    return tf.stack(out)


@program((3, 2))
def matrix_by_nested_loops(rows, columns):
    cells = []
    for i in range(rows):
        for j in range(columns):
            cells.append(i * 10 + j)
    return tf.reshape(tf.stack(cells), [rows, columns])


@program(3.0)
def python_list_methods(x):
    xs = [x, x + 1.0, x + 2.0]
    xs.reverse()
    xs.insert(1, x * 10.0)
    last = xs.pop()
    return xs, last, len(xs)


@program([4, 5, 6], unknown=True)
def list_cleared(values):
    seen = [0]
    for v in values:
        if v == 5:
            seen.clear()
        seen.append(v)
    return tf.stack(seen)


@program(4, 1)
def list_of_pairs(n):
    indices, squares = [], []
    for i in range(n):
        indices.append(i)
        squares.append(i * i)
    return {"indices": tf.stack(indices), "squares": tf.stack(squares)}


@program(3.0, 1.0)
def appended_floats_until(x):
    xs = [x]
    while x < 20.0:
        x = x * 2.0
        xs.append(x)
    return tf.reduce_sum(tf.stack(xs))


@program(([1.0, 2.0], 3))
def list_of_vectors(v, n):
    history = [v]
    for _ in range(n):
        v = v * 0.5
        history.append(v)
    return tf.reduce_mean(tf.stack(history), axis=0)
