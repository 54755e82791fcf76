"""Ragged and sparse tensors, NumPy arrays, static shapes, TensorArrays."""

import numpy as np
import tensorflow as tf

ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
typed = tf.ragged.constant([[1, 2], [3]], dtype=tf.int64)
by_lengths = tf.RaggedTensor.from_row_lengths(tf.constant([1.0, 2.0, 3.0]), [1, 2])
by_splits = tf.RaggedTensor.from_row_splits(values=tf.constant([1, 2, 3]), row_splits=[0, 1, 3])
from_dense = tf.RaggedTensor.from_tensor(tf.zeros([2, 3]))
dense = ragged.to_tensor()
filled = ragged.to_tensor(0.0, shape=[2, 4])
lengths = ragged.row_lengths()
splits = ragged.row_splits
flat = ragged.flat_values
values = ragged.values
rows = ragged.nrows()
sparse = ragged.to_sparse()
sparse_dense = tf.sparse.to_dense(sparse)
made = tf.SparseTensor(indices=[[0, 1]], values=[2.0], dense_shape=[2, 2])
from_zeros = tf.sparse.from_dense(tf.zeros([2, 2], tf.int32))
indices = made.indices
held = made.values
shape_of = made.dense_shape
doubled = ragged * 2.0
summed = tf.reduce_sum(ragged)
both_ragged = tf.concat([ragged, ragged], 0)
ragged_sum = tf.add(ragged, ragged)
with_others = ragged.with_values(tf.constant([1, 2, 3]))

array = np.ones((2, 3))
small = np.zeros([4], np.float32)
cast = array.astype(np.int32)
flattened = array.flatten()
raveled = small.ravel()
copied = small.copy()
turned = array.transpose()
reshaped = array.reshape(3, 2)
reshaped_list = array.reshape([6])
as_tensor = tf.constant(array)
as_float = tf.constant(cast, tf.float32)
sum_of_both = tf.zeros([2, 3], tf.float64) + array
from_row = tf.constant(array[0])
from_item = tf.constant(array[0, 1:])

matrix = tf.zeros([2, 3, 4])
rank = len(matrix.shape)
last = matrix.shape[-1]
first = matrix.shape[0]
listed = matrix.shape.as_list()
count = matrix.shape.num_elements()
whole = matrix.shape.is_fully_defined()
of_shape = tf.zeros(matrix.shape)
of_part = tf.zeros(matrix.shape[1:])
of_list = tf.zeros(listed)
joined = tf.zeros(matrix.shape.concatenate([5]))
merged = tf.zeros(matrix.shape.merge_with([2, 3, 4]))
in_part = tf.zeros(matrix.shape.merge_with([None, 3, None]))
ranked = tf.zeros(matrix.shape.with_rank(3))
spec = tf.TensorSpec([2, None], tf.int32)
dims = matrix.get_shape()
from_dims = tf.ones(dims)
dynamic = tf.shape(matrix)
one_size = tf.shape(matrix)[1]
of_dynamic = tf.zeros(tf.shape(matrix))


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def shaped(x):
    wanted = x.shape.merge_with([4, 3])
    known = tf.zeros(wanted)
    longer = tf.reshape(x, [-1])
    rows = tf.shape(x)[0]
    back = tf.reshape(longer, [rows, 3])
    grown = tf.concat([x, known], 0)
    picked = x[0]
    part = x[:, 1:]
    new = x[tf.newaxis, ..., 0]
    every = x[::2]
    none = x[1:1]
    return known, back, grown, picked, part, new, every, none


shapes = shaped(tf.zeros([4, 3]))


@tf.function(
    input_signature=[tf.TensorSpec(None, tf.int32), tf.TensorSpec([2], tf.int32), tf.TensorSpec([None], tf.int32)]
)
def sized(sizes, two, some):
    of_any = tf.zeros(sizes)
    of_two = tf.zeros(two)
    of_some = tf.zeros(some)
    return tf.reduce_sum(of_any) + tf.reduce_sum(of_two) + tf.reduce_sum(of_some)


sizes = sized([2, 3], [2, 3], [4])


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([2, None], tf.float32)])
def packed(x, y):
    together = tf.convert_to_tensor([x, y])
    stacked = tf.stack([x, y])
    joined = tf.concat([x, y], 0)
    chosen = tf.where(x > 0.0, x, y)
    return together, stacked, joined, chosen


packs = packed(tf.zeros([2, 3]), tf.ones([2, 3]))


@tf.function
def collected(xs):
    written = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        written = written.write(i, xs[i] * 2.0)
    stacked = written.stack()
    taken = written.read(0)
    gathered = written.gather([0, 2])
    joined = tf.TensorArray(tf.float32, size=2, element_shape=[3]).unstack(tf.zeros([2, 3])).concat()
    size = written.size()
    return stacked, taken, gathered, joined, size


left, right = tf.zeros([2, 3]), tf.zeros([3, 4])
product = tf.matmul(left, right)
of_adjoint = tf.matmul(left, tf.zeros([4, 3]), adjoint_b=True)
of_transposed = tf.matmul(tf.zeros([3, 2]), right, transpose_a=True)
both_turned = tf.matmul(tf.zeros([5, 3, 2]), tf.zeros([5, 4, 3]), adjoint_a=True, transpose_b=True)
by_name = tf.zeros([2], "int64")
by_dtype = tf.cast(by_name, "float16")
parts = collected(tf.zeros([3, 2]))
variable = tf.Variable(tf.zeros([2, 2]))
read = variable.read_value()
plain = variable.value()
assigned = variable.assign(tf.ones([2, 2]))
added = variable.assign_add(tf.ones([2, 2]))
sum_of_variable = variable + 1.0
finished = tf.zeros([])
