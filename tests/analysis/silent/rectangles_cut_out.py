"""Rectangles filled by masks from corners, with factors given as a number or a pair."""

import tensorflow as tf


def parse_factor(factor):
    if isinstance(factor, (tuple, list)):
        lower, upper = factor
    else:
        lower, upper = type(factor)(0), factor
    if lower == upper:
        return lambda: tf.constant(upper, tf.float32)
    return lambda: tf.random.uniform([], lower, upper)


def fill_rectangle(images, centers_x, centers_y, widths, heights, fill_values):
    images_shape = tf.shape(images)
    batch_size, height, width = images_shape[0], images_shape[1], images_shape[2]
    xywh = tf.cast(tf.stack([centers_x, centers_y, widths, heights], axis=1), tf.float32)
    x, y, w, h = tf.split(xywh, 4, axis=-1)
    x0, y0, x1, y1 = x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0
    columns = tf.repeat(tf.range(width, dtype=tf.float32)[tf.newaxis], batch_size, axis=0)
    rows = tf.repeat(tf.range(height, dtype=tf.float32)[tf.newaxis], batch_size, axis=0)
    inside_x = tf.logical_and(columns >= x0, columns < x1)[:, tf.newaxis, :]
    inside_y = tf.logical_and(rows >= y0, rows < y1)[:, :, tf.newaxis]
    mask = tf.expand_dims(tf.logical_and(inside_x, inside_y), axis=-1)
    return tf.where(mask, fill_values, images)


class Cutout:
    def __init__(self, height_factor, width_factor, fill_mode="constant", fill_value=0.0):
        self.height_factor, self.width_factor = parse_factor(height_factor), parse_factor(width_factor)
        self.fill_mode, self.fill_value = fill_mode, fill_value

    def __call__(self, image):
        inputs = tf.expand_dims(image, 0)
        shape = tf.shape(inputs)
        image_height, image_width = shape[1], shape[2]
        x = tf.random.uniform([1], 0, image_width, dtype=tf.int32)
        y = tf.random.uniform([1], 0, image_height, dtype=tf.int32)
        height = tf.cast(tf.math.ceil(self.height_factor() * tf.cast(image_height, tf.float32)), tf.int32)
        width = tf.cast(tf.math.ceil(self.width_factor() * tf.cast(image_width, tf.float32)), tf.int32)
        height, width = tf.minimum(height, image_height)[None], tf.minimum(width, image_width)[None]
        if self.fill_mode == "constant":
            fill = tf.cast(tf.fill(shape, self.fill_value), image.dtype)
        else:
            fill = tf.random.normal(shape, dtype=image.dtype)
        return fill_rectangle(inputs, x, y, width, height, fill)[0]


def drive():
    cutouts = Cutout(0.5, (0.25, 0.75)), Cutout((0.1, 0.1), 0.4, fill_mode="gaussian_noise")
    dataset = tf.data.Dataset.from_tensor_slices(tf.ones([3, 8, 6, 3]))
    for cutout in cutouts:
        dataset = dataset.map(cutout, num_parallel_calls=tf.data.AUTOTUNE)
    for image in dataset:
        assert image.shape == [8, 6, 3]
