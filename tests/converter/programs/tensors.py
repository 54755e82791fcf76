"""Programs about item assignment, slices and augmented assignment on tensors, and TensorArray."""

from __future__ import annotations

import tensorflow as tf
from differential import program


def _with_item(x, i, value):
    return tf.tensor_scatter_nd_update(x, [[i]], [value])


def _reversed_copy(x):
    return x[::-1]


@program(([1.0, 2.0, 3.0], 1), ([1.0, 2.0, 3.0], 0))
def read_by_tensor_index(x, i):
    return x[i] * 2.0


@program([1.0, 2.0, 3.0, 4.0], unknown=True)
def slices(x):
    return x[1:] - x[:-1]


@program(([1.0, 2.0, 3.0, 4.0], 1, 3), unknown=True)
def slice_by_tensors(x, start, stop):
    if start < stop:
        return tf.reduce_sum(x[start:stop])
    return tf.zeros([])


@program([[1, 2, 3], [4, 5, 6]], unknown=True)
def columns_and_rows(x):
    return x[:, 1] + x[-1, 0]


@program(4)
def tensor_array(n):
    out = tf.TensorArray(tf.int32, size=n)
    for i in range(n):
        out = out.write(i, i * i)
    return out.stack()


@program(4)
def tensor_array_with_branch(n):
    out = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    written = 0
    for i in tf.range(n):
        if i % 2 == 0:
            out = out.write(written, i)
            written += 1
    return out.stack()


@program([1.0, 2.0], [-1.0, 2.0], unknown=True)
def augmented_on_tensor(x):
    x += 1.0
    if x[0] > 1.0:
        x *= 2.0
    else:
        x -= 5.0
    return x


@program(([3, 1, 2],), unknown=True)
def cumulative_by_concat(xs):
    out = tf.zeros([1], tf.int32)
    for i in range(len(xs)):
        out = out + xs[i]
    return out


@program(([0, 1, 1, 2, 1], 3), unknown=True)
def histogram_by_scatter(xs, bins):
    counts = tf.zeros([3], tf.int32)
    for x in xs:
        counts = tf.tensor_scatter_nd_add(counts, [[x]], [1])
    return counts + 0 * bins


@program([[2.0, 1.0], [1.0, 3.0]])
def matrix_power(m):
    result = tf.eye(2)
    for _ in tf.range(3):
        result = result @ m
    return result


@program([1.0, -2.0, 3.0], unknown=True)
def where_and_mask(x):
    masked = tf.where(x > 0, x, 0.0)
    if tf.reduce_all(masked == x):
        return x
    return masked * 2.0


@program(([[1.0, 2.0], [3.0, 4.0]], 1), unknown=True)
def row_by_index_in_branch(m, i):
    row = m[i] if i < tf.shape(m)[0] else m[0]
    return tf.reduce_sum(row)


@program([3.0, 1.0, 2.0], unknown=True)
def bubble_of_two_ends(x):
    first, last = x[0], x[-1]
    if first > last:
        first, last = last, first
    return tf.stack([first, last])


@program(([1.0, 2.0], [3.0, 4.0], True), ([1.0, 2.0], [3.0, 4.0], False))
def matmul_or_add(a, b, flag):
    return tf.tensordot(a, b, 1) if flag else tf.reduce_sum(a + b)


@program([1.0, 2.0, 3.0, 4.0], unknown=True, promote=True)
def pairs_reduced(x):
    while tf.size(x) > 1:
        x = x[::2] + x[1::2]
    return x[0]


@program((5, [2, 3]), unknown=True)
def shape_from_values(n, shape):
    filled = tf.fill(shape, n)
    if tf.rank(filled) == 2:
        return tf.reduce_sum(filled)
    return n


@program([1, 2, 3], unknown=True)
def last_by_negative_index(x):
    total = 0
    for i in range(1, len(x) + 1):
        total = total * 10 + x[-i]
    return total


@program(([1.0, 2.0, 3.0], 1, 9.0), unknown=True, reference=_with_item)
def item_assignment(x, i, value):
    x[i] = value
    return x


@program(([1.0, 2.0, 3.0], 1, 9.0), unknown=True, reference=lambda x, i, v: _with_item(x, i, x[i] + v))
def augmented_item(x, i, value):
    x[i] += value
    return x


@program(
    ([1.0, 2.0, 3.0], 1, 9.0),
    ([1.0, 2.0, 3.0], 1, -9.0),
    unknown=True,
    reference=lambda x, i, v: _with_item(x, i, v) if v > 0 else x,
)
def item_assignment_in_a_branch(x, i, value):
    if value > 0:
        x[i] = value
    return x


@program([1.0, 2.0, 3.0], unknown=True, reference=_reversed_copy)
def items_assigned_in_a_loop(x):
    y = tf.zeros_like(x)
    n = len(x)
    for i in range(n):
        y[n - 1 - i] = x[i]
    return y


@program(([1.0, 2.0, 3.0, 4.0], [8.0, 9.0]), unknown=True, reference=lambda x, part: tf.concat([x[:1], part, x[3:]], 0))
def slice_assignment(x, part):
    x[1:3] = part
    return x


@program([[1.0, 2.0], [3.0, 4.0]], unknown=True, reference=lambda m: m * [[1.0, 0.0], [1.0, 0.0]])
def column_set_to_zero(m):
    m[:, 1] = 0.0
    return m


@program(([[1.0, 2.0], [3.0, 4.0]], [7.0, 8.0]), unknown=True, reference=lambda m, row: tf.stack([row, m[1]]))
def row_assignment(m, row):
    m[0] = row
    return m


@program(([[1, 2], [3, 4]], 1, 0, 9), unknown=True, reference=lambda m, i, j, v: m + [[0, 0], [6, 0]])
def cell_assignment(m, i, j, value):
    m[i, j] = value
    return m


@program([3, 1, 2], [1], unknown=True, reference=tf.sort)
def bubble_sort(x):
    n = len(x)
    for i in range(n):
        for j in range(n - 1):
            if x[j] > x[j + 1]:
                smaller, larger = x[j + 1], x[j]
                x[j] = smaller
                x[j + 1] = larger
    return x


@program(([1, 2, 3],), unknown=True, reference=lambda x: (x, tf.concat([[0], x[1:]], 0)))
def assignment_keeps_the_other_name(x):
    y = x
    y[0] = 0
    return x, y
