"""Datasets: where they come from, and what their methods make of the elements."""

import tempfile

import numpy as np
import tensorflow as tf

numbers = tf.data.Dataset.range(10)
halves = tf.data.Dataset.range(6, output_type=tf.float32)
rows = tf.data.Dataset.from_tensor_slices(tf.zeros([5, 3]))
whole = tf.data.Dataset.from_tensors(tf.zeros([5, 3]))
pairs = tf.data.Dataset.from_tensor_slices((tf.zeros([4, 2]), tf.range(4)))
named = tf.data.Dataset.from_tensor_slices({"x": tf.zeros([4, 2]), "y": np.ones([4], np.int64)})
lists = tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
counted = tf.data.Dataset.counter(dtype=tf.int32)
drawn = tf.data.Dataset.random(seed=1)
both = tf.data.Dataset.zip((numbers, rows))
three = tf.data.Dataset.zip(numbers, rows, halves)
mixed = tf.data.Dataset.sample_from_datasets([numbers, tf.data.Dataset.range(3)])


def texts():
    yield "a"


written = tf.data.Dataset.from_generator(texts, output_types=tf.string, output_shapes=[])
signed = tf.data.Dataset.from_generator(texts, output_signature=tf.TensorSpec([], tf.string))
several = tf.data.Dataset.from_generator(lambda: iter([(1, [2.0])]), (tf.int32, tf.float32), ([], [None]))
by_type = tf.data.Dataset.from_generator(lambda: iter([(1, [2.0])]), (tf.int32, tf.float32))

for number in numbers.take(1):
    one = number
for half in halves.take(1):
    one_half = half
for row in rows.take(1):
    one_row = row
for each in whole:
    one_whole = each
for left, right in pairs.take(1):
    one_left = left
    one_right = right
for part in named.take(1):
    x = part["x"]
    y = part["y"]
for pair in lists.take(1):
    one_pair = pair
for count in counted.take(1):
    one_count = count
for draw in drawn.take(1):
    one_draw = draw
for number, row in both.take(1):
    of_both = row
for number, row, half in three.take(1):
    of_three = half
for mix in mixed.take(1):
    one_mix = mix
for text in written:
    one_text = text
for text in signed:
    signed_text = text
for first, second in several:
    one_first = first
    one_second = second
for first, second in by_type:
    typed_first = first

for batch in rows.batch(2):
    one_batch = batch
for batch in rows.batch(2, drop_remainder=True):
    full_batch = batch
for batch in rows.batch(2, True):
    also_full = batch
for batch in rows.batch(1):
    single_batch = batch
for batch in rows.batch(5):
    only_batch = batch
for batch in rows.padded_batch(2, padded_shapes=[4]):
    padded = batch
for batch in rows.padded_batch(2):
    padded_alike = batch
for batch in rows.batch(2).unbatch():
    unbatched = batch
for batch in rows.batch(2).rebatch(5, True):
    rebatched = batch
for place, number in numbers.enumerate():
    one_place = place
for window in numbers.window(2).take(1):
    for number in window:
        in_window = number
for each in numbers.concatenate(tf.data.Dataset.range(2)).take(1):
    concatenated = each
for each in rows.map(lambda row: (row, tf.reduce_sum(row))).take(1):
    mapped_row = each[0]
    mapped_sum = each[1]
for left, right in pairs.map(lambda left, right: (left * 2.0, tf.cast(right, tf.float64))).take(1):
    cast_right = right
for each in numbers.filter(lambda number: number > 3).take(1):
    kept = each
for each in numbers.take_while(lambda number: number < 3):
    taken = each
for each in rows.flat_map(lambda row: tf.data.Dataset.from_tensor_slices(row)).take(1):
    flat = each
for each in rows.interleave(lambda row: tf.data.Dataset.from_tensor_slices(row)).take(1):
    interleaved = each
for each in numbers.scan(tf.constant(0, tf.int64), lambda state, each: (state + each, tf.cast(each, tf.float32))).take(
    1
):
    scanned = each
for each in rows.apply(lambda ds: ds.batch(2, True)).take(1):
    applied = each
for each in numbers.group_by_window(lambda each: each % 2, lambda key, ds: ds.batch(3), 3).take(1):
    grouped = each
for each in rows.shuffle(3).repeat(2).prefetch(1).skip(1).cache().take(1):
    same = each
for each in rows.as_numpy_iterator():
    array = each

path = tempfile.mkdtemp()
rows.save(path)
for each in tf.data.Dataset.load(path, element_spec=tf.TensorSpec([3], tf.float32)).take(1):
    loaded = each
for each in tf.data.Dataset.load(path, tf.TensorSpec([3], tf.float32)).take(1):
    loaded_too = each

iterator = iter(rows)
upcoming = next(iterator)
size = rows.cardinality()
alone = whole.get_single_element()


@tf.function
def summed(ds):
    total = tf.zeros([3])
    last = tf.constant(0, tf.int64)
    for place, row in enumerate(ds):
        total = total + row
        last = place
    return total, last


@tf.function
def zipped(first, second):
    total = 0.0
    for number, row in zip(first, second):
        total = total + tf.cast(number, tf.float32) * tf.reduce_sum(row)
    return total


the_sum, the_last = summed(rows)
the_product = zipped(numbers, rows)
finished = tf.zeros([])
