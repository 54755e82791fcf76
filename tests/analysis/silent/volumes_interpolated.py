"""Interpolation in any number of dimensions: corners by `itertools.product`, a sum that starts as the number zero."""

import itertools

import tensorflow as tf


def sub2ind(shape, subs):
    sizes = [1]
    for size in list(shape)[:0:-1]:
        sizes.insert(0, sizes[0] * size)
    index = 0
    for sub, size in zip(subs, sizes):
        index += sub * size
    return index


def interpn(vol, loc, method="linear", fill_value=None):
    if isinstance(loc, (list, tuple)):
        loc = tf.stack(loc, -1)
    nb_dims = loc.shape[-1]
    input_shape = vol.shape
    if len(vol.shape) not in [nb_dims, nb_dims + 1]:
        raise ValueError(f"{nb_dims} locations do not match {vol.shape}")
    if len(vol.shape) == nb_dims:
        vol = tf.expand_dims(vol, -1)
    if not loc.dtype.is_floating:
        loc = tf.cast(loc, vol.dtype if vol.dtype.is_floating else "float32")
    elif vol.dtype.is_floating and vol.dtype != loc.dtype:
        loc = tf.cast(loc, vol.dtype)
    max_loc = [d - 1 for d in vol.get_shape().as_list()]
    flat = tf.reshape(vol, [-1, vol.shape[-1]])
    if method == "linear":
        loc0 = tf.floor(loc)
        clipped = [tf.clip_by_value(loc[..., d], 0, max_loc[d]) for d in range(nb_dims)]
        loc0lst = [tf.clip_by_value(loc0[..., d], 0, max_loc[d]) for d in range(nb_dims)]
        loc1 = [tf.clip_by_value(loc0lst[d] + 1, 0, max_loc[d]) for d in range(nb_dims)]
        locs = [[tf.cast(f, "int32") for f in loc0lst], [tf.cast(f, "int32") for f in loc1]]
        diff1 = [loc1[d] - clipped[d] for d in range(nb_dims)]
        weights = [diff1, [1 - d for d in diff1]]
        result = 0
        for corner in itertools.product([0, 1], repeat=nb_dims):
            values = tf.gather(flat, sub2ind(vol.shape[:-1], [locs[c][d] for d, c in enumerate(corner)]))
            weight = tf.reduce_prod(tf.stack([weights[c][d] for d, c in enumerate(corner)]), axis=0)
            result += tf.expand_dims(weight, -1) * values
    else:
        assert method == "nearest", f"method should be linear or nearest, got: {method}"
        rounded = tf.cast(tf.round(loc), "int32")
        rounded = [tf.clip_by_value(rounded[..., d], 0, max_loc[d]) for d in range(nb_dims)]
        result = tf.gather(flat, sub2ind(vol.shape[:-1], rounded))
    if fill_value is not None:
        below = [tf.less(loc[..., d], 0) for d in range(nb_dims)]
        above = [tf.greater(loc[..., d], max_loc[d]) for d in range(nb_dims)]
        outside = tf.reduce_any(tf.stack(below + above, axis=-1), axis=-1, keepdims=True)
        result *= tf.cast(tf.logical_not(outside), result.dtype)
        result += tf.cast(outside, result.dtype) * tf.constant(fill_value, dtype=result.dtype)
    if len(input_shape) == nb_dims:
        result = result[..., 0]
    return result


@tf.function
def warp(volumes, shifts):
    grid = tf.stack(tf.meshgrid(*[tf.range(0.0, s) for s in volumes.shape[1:3]], indexing="ij"), -1)
    return tf.map_fn(
        lambda pair: interpn(pair[0], grid + pair[1], fill_value=0), [volumes, shifts], fn_output_signature=tf.float32
    )


def drive():
    assert warp(tf.ones([2, 4, 3, 2]), tf.fill([2, 4, 3, 2], 0.5)).shape == [2, 4, 3, 2]
    assert interpn(tf.ones([4, 4, 4]), [tf.constant([1, 2])] * 3, "nearest").shape == [2]
