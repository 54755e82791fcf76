"""What TensorFlow's own control flow gives, and what calls Python back: branches, loops, maps, tapes, nests."""

import itertools

import numpy as np
import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0])
whole = tf.constant([1, 2, 3])
rows = tf.zeros([4, 3])


@tf.function
def branches(flag, index, value):
    chosen = tf.cond(flag, lambda: value * 2.0, lambda: value)
    named = tf.cond(pred=flag, true_fn=lambda: tf.zeros([2]), false_fn=lambda: tf.ones([2]))
    pair = tf.cond(flag, lambda: (value, 1.0), lambda: (value + 1.0, 2.0))
    of_pair = pair[0]
    by_case = tf.case([(index > 1, lambda: value), (index > 0, lambda: -value)], default=lambda: value + 1.0)
    by_index = tf.switch_case(index, [lambda: value, lambda: value * 3.0], default=lambda: value - 1.0)
    plain_index = tf.switch_case(index, branch_fns=[lambda: tf.zeros([3]), lambda: tf.ones([3])])
    return chosen, named, of_pair, by_case, by_index, plain_index


@tf.function
def loops(limit, value):
    count, total = tf.while_loop(lambda i, s: i < limit, lambda i, s: (i + 1, s + 2.0), [tf.constant(0), value])
    single = tf.while_loop(lambda i: i < limit, lambda i: [i + 1], [tf.constant(0)])
    last = single[0]
    grown, _ = tf.while_loop(
        lambda rows, i: i < limit,
        lambda rows, i: (tf.concat([rows, rows[:1]], 0), i + 1),
        [tf.zeros([1, 2]), 0],
        shape_invariants=[tf.TensorShape([None, 2]), tf.TensorShape([])],
    )
    after = grown * 2.0
    return count, total, last, after


@tf.function
def maps(value, table):
    mapped = tf.map_fn(lambda row: tf.reduce_sum(row), table)
    mapped_rows = tf.map_fn(lambda row: row * 2.0, table)
    mapped_pair = tf.map_fn(lambda row: (row, tf.size(row)), table, fn_output_signature=(tf.float32, tf.int32))
    of_mapped_pair = mapped_pair[1]
    mapped_numbers = tf.map_fn(lambda row: tf.argmax(row), table, fn_output_signature=tf.int64)
    vectorized = tf.vectorized_map(lambda row: row + 1.0, table)
    folded = tf.foldl(lambda total, row: total + row, table)
    folded_from = tf.foldl(lambda total, row: total + tf.reduce_sum(row), table, initializer=0.0)
    folded_back = tf.foldr(lambda total, row: total + row, table)
    scanned = tf.scan(lambda total, row: total + row, table)
    scanned_from = tf.scan(lambda total, row: total + tf.reduce_sum(row), table, 0.0)
    scanned_pair = tf.scan(lambda acc, row: (acc[0] + row, acc[1] + 1), table, (tf.zeros([3]), 0))
    of_scanned_pair = scanned_pair[1]
    return mapped, mapped_rows, of_mapped_pair, mapped_numbers, vectorized, folded, folded_from, folded_back, scanned


@tf.function
def called_back(value):
    by_python = tf.py_function(lambda v: v * 2.0, [value], tf.float32)
    by_numpy = tf.numpy_function(np.sin, [value], tf.float32)
    two_kinds = tf.py_function(lambda v: (v, tf.cast(v, tf.float64)), inp=[value], Tout=[tf.float32, tf.float64])
    first_kind = two_kinds[0]
    shaped = tf.ensure_shape(by_python, [3])
    graded = tf.grad_pass_through(tf.square)(value)
    kept = tf.stop_gradient(value)
    named = tf.identity(value, name="kept")
    without = tf.autograph.experimental.do_not_convert(lambda v: v + 1.0)(value)
    return by_python, by_numpy, first_kind, shaped, graded, kept, named, without


@tf.function
def gradients(value):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(value)
        loss = tf.reduce_sum(value * value)
    slope = tape.gradient(loss, value)
    listed = tape.gradient(loss, [value])
    of_listed = listed[0]
    named = tape.gradient(loss, {"v": value})
    of_named = named["v"]
    jacobian = tape.jacobian(value * 2.0, value)
    direct = tf.gradients(loss, [value])
    of_direct = direct[0]
    return loss, slope, of_listed, of_named, jacobian, of_direct


chosen, named, of_pair, by_case, by_index, plain_index = branches(tf.constant(True), tf.constant(1), x)
count, total, last, after = loops(tf.constant(3), tf.constant(1.0))
mapped = maps(x, rows)
by_python = called_back(x)
losses = gradients(x)

eager_cond = tf.cond(tf.constant(True), lambda: x, lambda: x * 2.0)
eager_map = tf.map_fn(lambda row: row * 2.0, rows)
eager_loop = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [tf.constant(0)])

nested = {"a": x, "b": (whole, [rows])}
doubled = tf.nest.map_structure(lambda part: part * 2, nested)
of_doubled = doubled["a"]
deep = doubled["b"][1][0]
leaves = tf.nest.flatten(nested)
first_leaf = leaves[0]
number_of_leaves = len(leaves)
packed = tf.nest.pack_sequence_as({"a": 0, "b": 0}, [x, whole])
of_packed = packed["b"]
both_sums = tf.nest.map_structure(lambda one, other: one + other, (x, whole), (x, whole))
of_both = both_sums[1]
is_one = tf.is_tensor(x)
is_none = tf.is_tensor(3)
is_nested = tf.nest.is_nested([1])
size_of_static = tf.get_static_value(tf.constant(3))

counted = [tf.zeros([n]) for n in itertools.chain([1], [1])]
of_counted = counted[0]
for number, row in zip(itertools.count(), [x, x]):
    last_row = row * 1.0
for one, other in itertools.product([x], [whole]):
    of_product = one + 1.0
finished = True
