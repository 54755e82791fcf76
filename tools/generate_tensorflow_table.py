"""Asks TensorFlow, and NumPy, what their functions return and writes the table that the analysis reads.

Every entry is the record of traces: each probe below is traced for a number of dtypes and shapes, and what
came out is stated as briefly as it can be. Nothing is written from memory; a function without a probe isn't in
the table.
The table is that of one minor. What another gave otherwise stands in the entries: `since` and `until` are the first
and last minor that have the function, `before` what differed up to and including a minor. To see what an older one
gives, run this under it with `--to`, and compare.
`--check` says whether the committed table is what this TensorFlow gives.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import os
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import example_forms
import numpy_probes

TABLE = Path(__file__).resolve().parent.parent / "analysis/graphwright_analysis/values/tensorflow/table.json"
DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "string", "complex64")
SHAPES = ((2, 3), (4, 4), (None, 3), (5,), (2, None, 3), ())

UNARY = """
abs acos acosh asin asinh atan atanh argmax argmin argsort sort boolean_mask:x,x>0 ceil:math.ceil
cos cosh exp floor identity zeros_like ones_like negative round rsqrt:math.rsqrt sigmoid sign sin
sinh sqrt square stop_gradient tan tanh reduce_all reduce_any reduce_logsumexp reduce_max
reduce_mean reduce_min reduce_prod reduce_sum math.reduce_euclidean_norm math.reduce_std
math.reduce_variance math.count_nonzero math.cumsum math.cumprod math.log math.log1p
math.log_sigmoid math.expm1 math.erf math.erfc math.digamma math.lgamma math.softplus math.softsign
math.is_nan math.is_inf math.is_finite math.reciprocal math.rint math.real math.imag math.angle
math.conj math.l2_normalize math.invert_permutation math.bincount math.reciprocal_no_nan nn.relu
nn.relu6 nn.elu nn.selu nn.gelu nn.leaky_relu nn.silu nn.softmax nn.log_softmax nn.l2_loss nn.crelu
nn.zero_fraction norm linalg.diag linalg.diag_part linalg.trace linalg.det linalg.inv
linalg.cholesky linalg.eye:3 linalg.matrix_transpose rank shape size squeeze transpose logical_not
convert_to_tensor constant unique where strings.length strings.lower strings.upper strings.strip
strings.as_string strings.to_number strings.reduce_join strings.bytes_split
strings.to_hash_bucket_fast:x,7 strings.unicode_decode:x,'UTF-8' signal.rfft signal.fft
image.rgb_to_grayscale debugging.check_numerics:x,'m' ensure_shape:x,x.shape random.shuffle
io.decode_raw:x,'uint8' io.read_file io.serialize_tensor bitcast:x,tf.int32 expand_dims:x,0
linalg.pinv linalg.logdet linalg.normalize image.extract_jpeg_shape signal.stft:x,4,2
signal.ifft signal.irfft math.cumulative_logsumexp math.sigmoid nn.tanh math.bessel_i0 math.ndtri
math.erfinv math.is_non_decreasing math.is_strictly_increasing nn.compute_average_loss
strings.unicode_split:x,'UTF-8' strings.to_hash_bucket:x,7 strings.to_hash_bucket_strong:x,7,[1,2]
strings.split io.decode_base64 io.encode_base64 strings.unicode_script math.nextafter:x,x
keras.backend.square keras.backend.abs keras.backend.sqrt keras.backend.exp keras.backend.log
keras.backend.sum keras.backend.mean keras.backend.max keras.backend.min keras.backend.prod
keras.backend.transpose keras.backend.expand_dims keras.backend.squeeze:x,0 keras.backend.softmax
keras.backend.sigmoid keras.backend.relu keras.backend.round keras.backend.sign
keras.activations.softmax keras.activations.relu keras.activations.sigmoid keras.activations.tanh
keras.activations.gelu keras.activations.elu keras.activations.selu keras.activations.softplus
keras.activations.linear keras.activations.swish keras.activations.silu
""".split()  # noqa: SIM905
BINARY = """
add subtract multiply divide truediv maximum minimum pow equal not_equal greater greater_equal less
less_equal math.divide_no_nan math.floordiv math.floormod math.mod math.squared_difference
math.atan2 math.multiply_no_nan logical_and logical_or math.logical_xor matmul tensordot:x,x,1
math.xdivy math.xlogy complex math.igammac math.zeta math.polygamma bitwise.bitwise_or
bitwise.bitwise_xor bitwise.left_shift bitwise.right_shift keras.backend.minimum
keras.backend.maximum keras.backend.equal keras.backend.dot keras.backend.batch_dot
keras.backend.binary_crossentropy keras.losses.binary_crossentropy keras.losses.categorical_crossentropy
keras.losses.mse keras.losses.mae
math.xlog1py realdiv truncatediv truncatemod linalg.matvec nn.bias_add:x,x[0] nn.sigmoid_cross_entropy_with_logits
nn.softmax_cross_entropy_with_logits math.igamma bitwise.bitwise_and searchsorted
""".split()  # noqa: SIM905
# What of `keras.ops` takes one array, and what takes two and broadcasts.
KERAS_UNARY = """
abs absolute all amax amin angle any arccos arccosh arcsin arcsinh arctan arctanh argmax argmin
ceil celu cholesky conj convert_to_tensor copy cos cosh cumprod cumsum deg2rad
det elu erf erfc erfinv exp exp2 expand_dims:x,0 expm1 flip floor gelu hard_sigmoid
hard_silu hard_tanh identity:3 imag inv isfinite isinf isnan leaky_relu log log10 log1p log2
log_sigmoid log_softmax logdet logical_not logsumexp max mean median min negative norm normalize
ones_like prod ravel real reciprocal relu relu6 round rsqrt selu sigmoid sign silu sin sinh size
softmax softplus softsign sort sqrt square squeeze std stop_gradient sum swish tan tanh trace
transpose tril triu trunc var zeros_like nanmax nanmin nansum nanprod
count_nonzero nancumprod nancumsum rad2deg i0
""".split()  # noqa: SIM905
KERAS_BINARY = """
arctan2 bitwise_and bitwise_or bitwise_xor divide divide_no_nan equal floor_divide greater
greater_equal less less_equal logical_and logical_or logical_xor maximum minimum mod multiply
not_equal power subtract true_divide fmax fmin fmod gcd lcm hypot logaddexp logaddexp2 nextafter isclose
left_shift right_shift bitwise_left_shift bitwise_right_shift
""".split()  # noqa: SIM905
CUSTOM = {
    "keras.ops.cast": "tf.keras.ops.cast(x, 'int64')",
    "keras.ops.clip": "tf.keras.ops.clip(x, 0, 1)",
    "keras.ops.concatenate": "tf.keras.ops.concatenate([x, x], 0)",
    "keras.ops.stack": "tf.keras.ops.stack([x, x])",
    "keras.ops.matmul": "tf.keras.ops.matmul(x, x)",
    "keras.ops.reshape": "tf.keras.ops.reshape(x, [-1])",
    "keras.ops.array": "tf.keras.ops.array(x)",
    "keras.ops.einsum": "tf.keras.ops.einsum('ij->ji', x)",
    "keras.ops.pad": "tf.keras.ops.pad(x, [[1, 1]] * x.shape.rank)",
    "keras.ops.repeat": "tf.keras.ops.repeat(x, 2)",
    "keras.ops.roll": "tf.keras.ops.roll(x, 1, 0)",
    "keras.ops.tensordot": "tf.keras.ops.tensordot(x, x, 1)",
    "keras.ops.tile": "tf.keras.ops.tile(x, [2] * x.shape.rank)",
    "cast": "tf.cast(x, tf.int64)",
    "saturate_cast": "tf.saturate_cast(x, tf.uint8)",
    "reshape": "tf.reshape(x, [-1])",
    "concat": "tf.concat([x, x], 0)",
    "stack": "tf.stack([x, x])",
    "add_n": "tf.add_n([x, x])",
    "gather": "tf.gather(x, [0])",
    "gather_nd": "tf.gather_nd(x, [[0]])",
    "tile": "tf.tile(x, [2] * x.shape.rank)",
    "repeat": "tf.repeat(x, 2)",
    "reverse": "tf.reverse(x, [0])",
    "roll": "tf.roll(x, 1, 0)",
    "pad": "tf.pad(x, [[1, 1]] * x.shape.rank)",
    "slice": "tf.slice(x, [0] * x.shape.rank, [1] * x.shape.rank)",
    "fill": "tf.fill([2], tf.reshape(x, [-1])[0])",
    "one_hot": "tf.one_hot(x, 3)",
    "clip_by_value": "tf.clip_by_value(x, x, x)",
    "clip_by_norm": "tf.clip_by_norm(x, 1.0)",
    "linspace": "tf.linspace(x[0], x[1], 5)",
    "broadcast_to": "tf.broadcast_to(x, [7, 4, 4])",
    "einsum": "tf.einsum('ij->ji', x)",
    "tensor_scatter_nd_update": "tf.tensor_scatter_nd_update(x, [[0]], x[:1])",
    "tensor_scatter_nd_add": "tf.tensor_scatter_nd_add(x, [[0]], x[:1])",
    "scatter_nd": "tf.scatter_nd([[0]], x[:1], x.shape)",
    "sequence_mask": "tf.sequence_mask(x)",
    "math.segment_sum": "tf.math.segment_sum(x, tf.range(tf.shape(x)[0]))",
    "math.unsorted_segment_sum": "tf.math.unsorted_segment_sum(x, tf.range(tf.shape(x)[0]), 2)",
    "math.top_k": "tf.math.top_k(x, 1)",
    "math.polyval": "tf.math.polyval([x], x)",
    "nn.moments": "tf.nn.moments(x, 0)",
    "nn.embedding_lookup": "tf.nn.embedding_lookup(x, [0])",
    "nn.dropout": "tf.nn.dropout(x, 0.5)",
    "nn.experimental.stateless_dropout": "tf.nn.experimental.stateless_dropout(x, 0.5, [1, 2])",
    "nn.sparse_softmax_cross_entropy_with_logits": (
        "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros(tf.shape(x)[:-1], tf.int32), logits=x)"
    ),
    "nn.conv2d": "tf.nn.conv2d(tf.ones([1, 4, 4, 1], x.dtype), tf.ones([2, 2, 1, 1], x.dtype), 1, 'SAME')",
    "nn.conv1d": "tf.nn.conv1d(tf.ones([1, 4, 1], x.dtype), tf.ones([2, 1, 1], x.dtype), 1, 'SAME')",
    "nn.avg_pool2d": "tf.nn.avg_pool2d(tf.ones([1, 4, 4, 1], x.dtype), 2, 2, 'SAME')",
    "nn.max_pool2d": "tf.nn.max_pool2d(tf.ones([1, 4, 4, 1], x.dtype), 2, 2, 'SAME')",
    "linalg.band_part": "tf.linalg.band_part(x, 0, 0)",
    "linalg.set_diag": "tf.linalg.set_diag(x, tf.linalg.diag_part(x))",
    "linalg.solve": "tf.linalg.solve(x, x)",
    "image.flip_left_right": "tf.image.flip_left_right(tf.ones([2, 2, 3], x.dtype))",
    "image.flip_up_down": "tf.image.flip_up_down(tf.ones([2, 2, 3], x.dtype))",
    "image.random_flip_left_right": "tf.image.random_flip_left_right(tf.ones([2, 2, 3], x.dtype))",
    "image.convert_image_dtype": "tf.image.convert_image_dtype(tf.ones([2, 2, 3], x.dtype), tf.float32)",
    "image.central_crop": "tf.image.central_crop(tf.ones([2, 2, 3], x.dtype), 0.5)",
    "image.per_image_standardization": "tf.image.per_image_standardization(tf.ones([2, 2, 3], x.dtype))",
    "image.resize": "tf.image.resize(tf.ones([2, 2, 3], x.dtype), [4, 4])",
    "strings.join": "tf.strings.join([x, x])",
    "strings.format": "tf.strings.format('{}', x)",
    "strings.regex_replace": "tf.strings.regex_replace(x, 'a', 'b')",
    "strings.regex_full_match": "tf.strings.regex_full_match(x, 'a')",
    "strings.substr": "tf.strings.substr(x, 0, 1)",
    "random.categorical": "tf.random.categorical(x, 2)",
    "signal.frame": "tf.signal.frame(x, 2, 2)",
    "histogram_fixed_width": "tf.histogram_fixed_width(x, [x[0, 0], x[1, 1]])",
    "clip_by_average_norm": "tf.compat.v1.clip_by_average_norm(x, 1.0)",
    "batch_to_space": "tf.batch_to_space(x, [1, 1], [[0, 0], [0, 0]])",
    "reverse_sequence": "tf.reverse_sequence(x, tf.ones(tf.shape(x)[0], tf.int32), 1)",
    "strided_slice": "tf.strided_slice(x, [0], [1])",
    "tensor_scatter_nd_sub": "tf.tensor_scatter_nd_sub(x, [[0]], x[:1])",
    "tensor_scatter_nd_max": "tf.tensor_scatter_nd_max(x, [[0]], x[:1])",
    "tensor_scatter_nd_min": "tf.tensor_scatter_nd_min(x, [[0]], x[:1])",
    "math.segment_mean": "tf.math.segment_mean(x, tf.range(tf.shape(x)[0]))",
    "math.segment_max": "tf.math.segment_max(x, tf.range(tf.shape(x)[0]))",
    "math.segment_min": "tf.math.segment_min(x, tf.range(tf.shape(x)[0]))",
    "math.unsorted_segment_mean": "tf.math.unsorted_segment_mean(x, tf.range(tf.shape(x)[0]), 2)",
    "math.unsorted_segment_max": "tf.math.unsorted_segment_max(x, tf.range(tf.shape(x)[0]), 2)",
    "math.unsorted_segment_min": "tf.math.unsorted_segment_min(x, tf.range(tf.shape(x)[0]), 2)",
    "math.segment_prod": "tf.math.segment_prod(x, tf.range(tf.shape(x)[0]))",
    "math.unsorted_segment_prod": "tf.math.unsorted_segment_prod(x, tf.range(tf.shape(x)[0]), 2)",
    "math.unsorted_segment_sqrt_n": "tf.math.unsorted_segment_sqrt_n(x, tf.range(tf.shape(x)[0]), 2)",
    "nn.in_top_k": "tf.nn.in_top_k(tf.zeros(tf.shape(x)[:1], tf.int32), x, 1)",
    "nn.batch_normalization": "tf.nn.batch_normalization(x, x, x, None, None, x)",
    "nn.avg_pool": "tf.nn.avg_pool(tf.ones([1, 4, 4, 1], x.dtype), 2, 2, 'SAME')",
    "nn.max_pool": "tf.nn.max_pool(tf.ones([1, 4, 4, 1], x.dtype), 2, 2, 'SAME')",
    "nn.conv3d": "tf.nn.conv3d(tf.ones([1, 4, 4, 4, 1], x.dtype), tf.ones([2, 2, 2, 1, 1], x.dtype), [1] * 5, 'SAME')",
    "nn.depthwise_conv2d": (
        "tf.nn.depthwise_conv2d(tf.ones([1, 4, 4, 1], x.dtype), tf.ones([2, 2, 1, 1], x.dtype), [1] * 4, 'SAME')"
    ),
    "image.crop_to_bounding_box": "tf.image.crop_to_bounding_box(tf.ones([4, 4, 3], x.dtype), 0, 0, 2, 2)",
    "image.random_crop": "tf.image.random_crop(tf.ones([4, 4, 3], x.dtype), [2, 2, 3])",
    "image.stateless_random_crop": "tf.image.stateless_random_crop(tf.ones([4, 4, 3], x.dtype), [2, 2, 3], [1, 2])",
    "image.stateless_random_flip_left_right": (
        "tf.image.stateless_random_flip_left_right(tf.ones([2, 2, 3], x.dtype), [1, 2])"
    ),
    "image.stateless_random_flip_up_down": (
        "tf.image.stateless_random_flip_up_down(tf.ones([2, 2, 3], x.dtype), [1, 2])"
    ),
    "image.stateless_random_brightness": (
        "tf.image.stateless_random_brightness(tf.ones([2, 2, 3], x.dtype), 0.2, [1, 2])"
    ),
    "image.stateless_random_contrast": (
        "tf.image.stateless_random_contrast(tf.ones([2, 2, 3], x.dtype), 0.2, 0.5, [1, 2])"
    ),
    "image.adjust_hue": "tf.image.adjust_hue(tf.ones([2, 2, 3], x.dtype), 0.2)",
    "image.adjust_saturation": "tf.image.adjust_saturation(tf.ones([2, 2, 3], x.dtype), 0.2)",
    "image.random_hue": "tf.image.random_hue(tf.ones([2, 2, 3], x.dtype), 0.2)",
    "image.random_saturation": "tf.image.random_saturation(tf.ones([2, 2, 3], x.dtype), 0.2, 0.5)",
    "image.resize_with_crop_or_pad": "tf.image.resize_with_crop_or_pad(tf.ones([4, 4, 3], x.dtype), 2, 2)",
    "image.grayscale_to_rgb": "tf.image.grayscale_to_rgb(tf.ones([4, 4, 1], x.dtype))",
    "image.random_flip_up_down": "tf.image.random_flip_up_down(tf.ones([2, 2, 3], x.dtype))",
    "image.adjust_brightness": "tf.image.adjust_brightness(tf.ones([2, 2, 3], x.dtype), 0.5)",
    "image.adjust_contrast": "tf.image.adjust_contrast(tf.ones([2, 2, 3], x.dtype), 0.5)",
    "image.random_brightness": "tf.image.random_brightness(tf.ones([2, 2, 3], x.dtype), 0.5)",
    "image.random_contrast": "tf.image.random_contrast(tf.ones([2, 2, 3], x.dtype), 0.5, 0.9)",
    "keras.backend.reshape": "tf.keras.backend.reshape(x, [-1])",
    "keras.backend.permute_dimensions": "tf.keras.backend.permute_dimensions(x, [1, 0])",
    "keras.backend.concatenate": "tf.keras.backend.concatenate([x, x], 0)",
    "keras.backend.tile": "tf.keras.backend.tile(x, [1] * x.shape.rank)",
    "keras.backend.bias_add": "tf.keras.backend.bias_add(x, tf.ones([3], x.dtype))",
    "keras.losses.sparse_categorical_crossentropy": (
        "tf.keras.losses.sparse_categorical_crossentropy(y_true=tf.zeros(tf.shape(x)[:-1], tf.int32), y_pred=x)"
    ),
    "meshgrid": "tf.meshgrid(x[0], x[0])",
    "split": "tf.split(x, [1, x.shape[0] - 1])",
    "unstack": "tf.unstack(x)",
}
# Functions whose result doesn't depend on a tensor: a dtype parameter decides, or nothing does.
MAKERS = {
    "zeros": "tf.zeros([2, 3])",
    "ones": "tf.ones([2, 3])",
    "eye": "tf.eye(3)",
    "random.uniform": "tf.random.uniform([2, 3])",
    "random.normal": "tf.random.normal([2, 3])",
    "random.truncated_normal": "tf.random.truncated_normal([2, 3])",
    "random.stateless_uniform": "tf.random.stateless_uniform([2, 3], seed=[1, 2])",
    "random.stateless_normal": "tf.random.stateless_normal([2, 3], seed=[1, 2])",
    "random.stateless_truncated_normal": "tf.random.stateless_truncated_normal([2, 3], seed=[1, 2])",
    "timestamp": "tf.timestamp()",
}


# Shapes that probes of one call can't tell; what they are is in `values.tensorflow.result_shapes`, and the
# differential test holds them against TensorFlow.
RESULT_SHAPES = {
    "arg_reduce": "argmax argmin",
    "broadcast": f"""
        {" ".join(f"keras.ops.{each}" for each in KERAS_BINARY)}
        add subtract multiply divide truediv maximum minimum pow equal not_equal greater
        greater_equal less less_equal math.divide_no_nan math.floordiv math.floormod math.mod
        math.squared_difference math.atan2 math.multiply_no_nan logical_and logical_or
        math.logical_xor math.xdivy math.xlogy complex math.igamma bitwise.bitwise_and
        bitwise.bitwise_or bitwise.bitwise_xor keras.backend.minimum keras.backend.maximum
        nn.sigmoid_cross_entropy_with_logits math.xlog1py realdiv truncatediv truncatemod
    """,
    "added": "keras.ops.add",
    "same": """
        clip_by_value keras.ops.cast keras.ops.clip linalg.band_part linalg.inv linalg.cholesky linalg.set_diag
        nn.batch_normalization tensor_scatter_nd_update tensor_scatter_nd_add tensor_scatter_nd_sub
        tensor_scatter_nd_max tensor_scatter_nd_min reverse_sequence searchsorted
        image.flip_left_right image.flip_up_down image.random_flip_left_right
        image.random_flip_up_down image.convert_image_dtype image.per_image_standardization
        image.adjust_brightness image.adjust_contrast image.random_brightness image.random_contrast
        image.stateless_random_flip_left_right image.stateless_random_flip_up_down
        image.stateless_random_brightness image.stateless_random_contrast image.adjust_hue
        image.adjust_saturation image.random_hue image.random_saturation
    """,
    "reduce": "norm keras.backend.sum keras.backend.mean keras.backend.max keras.backend.min",
    "concat": "concat keras.backend.concatenate keras.ops.concatenate",
    "stack": "stack keras.ops.stack",
    "expand": "expand_dims keras.backend.expand_dims keras.ops.expand_dims",
    "squeeze": "squeeze keras.backend.squeeze keras.ops.squeeze",
    "transpose": "transpose keras.backend.transpose keras.backend.permute_dimensions keras.ops.transpose",
    "matrix_transpose": "linalg.matrix_transpose linalg.pinv",
    "matmul": "keras.ops.matmul",
    "reshape": "reshape keras.backend.reshape keras.ops.reshape",
    "ensure": "ensure_shape",
    "tile": "tile keras.backend.tile keras.ops.tile",
    "repeat": "repeat keras.ops.repeat",
    "pad": "pad keras.ops.pad",
    "slice": "slice",
    "gather": "gather",
    "gather_nd": "gather_nd",
    "lookup": "nn.embedding_lookup",
    "mask": "boolean_mask",
    "segments": """
        math.segment_sum math.segment_mean math.segment_max math.segment_min
        math.unsorted_segment_sum math.unsorted_segment_mean math.unsorted_segment_max
        math.unsorted_segment_min math.segment_prod math.unsorted_segment_prod math.unsorted_segment_sqrt_n
    """,
    "matvec": "linalg.matvec",
    "tensordot": "tensordot keras.ops.tensordot",
    "einsum": "einsum keras.ops.einsum",
    "diagonal": "linalg.diag",
    "diagonal_part": "linalg.diag_part",
    "eye": "eye linalg.eye",
    "linspace": "linspace",
    "sequence_mask": "sequence_mask",
    "sum": "add_n",
    "bias": "nn.bias_add keras.backend.bias_add",
    "labels": "nn.sparse_softmax_cross_entropy_with_logits",
    "one_less": """
        nn.softmax_cross_entropy_with_logits keras.losses.categorical_crossentropy
        keras.losses.sparse_categorical_crossentropy keras.losses.binary_crossentropy
        keras.losses.mse keras.losses.mae
    """,
    "one_more": "io.decode_raw",
    "categorical": "random.categorical",
    "crop": "image.crop_to_bounding_box image.resize_with_crop_or_pad",
    "grayscale": "image.rgb_to_grayscale",
    "rgb": "image.grayscale_to_rgb",
    "argument": "scatter_nd broadcast_to",
    "dims": "fill",
    "size": "image.random_crop image.stateless_random_crop",
    "conv": "nn.conv1d nn.conv2d nn.conv3d",
    "depthwise": "nn.depthwise_conv2d",
    "pool": "nn.avg_pool nn.max_pool nn.avg_pool2d nn.max_pool2d",
    "scalar": "timestamp nn.compute_average_loss",
}
# The same where a tuple comes out.
TUPLES = {
    "math.top_k": ["top_k", "top_k"],
    "nn.moments": ["reduce", "reduce"],
    "unique": ["vector", "same"],
    "linalg.normalize": ["same", "kept"],
}
# What the probes gave as a list of tensors or another value than `x`, with the parameters that decide.
DECIDING = {
    "searchsorted": ["values"],
    "nn.conv1d": ["input", "filters"],
    "nn.conv2d": ["input", "filters"],
    "nn.conv3d": ["input", "filters"],
    "nn.depthwise_conv2d": ["input", "filter"],
    "nn.softmax_cross_entropy_with_logits": ["logits"],
    "nn.sparse_softmax_cross_entropy_with_logits": ["logits"],
    "nn.sigmoid_cross_entropy_with_logits": ["logits", "labels"],
    "keras.losses.categorical_crossentropy": ["y_pred"],
    "keras.losses.binary_crossentropy": ["y_pred"],
    "keras.losses.mse": ["y_pred"],
    "keras.losses.mae": ["y_pred"],
}
# Parameters that functions had not yet at a minor and before. The probes of 2.16, 2.17 and 2.18
# differ from those of 2.21 in nothing else.
LATER_PARAMETERS = {
    ("2.17", "bad_indices_policy"): """
        gather_nd scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min tensor_scatter_nd_sub
    """,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed table, write nothing")
    parser.add_argument("--to", type=Path, default=TABLE, help="where to write, as for another TensorFlow")
    parser.add_argument("--only", metavar="NAME", help="only this function, such as math.cumsum; the rest stays")
    options = parser.parse_args()
    text = as_text(table() if options.only is None else with_entry(options.only))
    if options.check:
        same = TABLE.exists() and TABLE.read_text("utf-8") == text
        print("the table is up to date" if same else "the table differs: run tools/generate_tensorflow_table.py")
        return 0 if same else 1
    options.to.write_text(text, "utf-8")
    print(f"wrote {len(json.loads(text)['functions'])} functions to {options.to.name}")
    return 0


def as_text(table: dict[str, Any]) -> str:
    """The table with a function in each line."""
    parts = {
        name: ",\n".join(f"{json.dumps(key)}:{compact(each)}" for key, each in sorted(part.items()))
        for name, part in table.items()
        if isinstance(part, dict)
    }
    whole = {name: f"{{\n{parts[name]}\n}}" if name in parts else compact(part) for name, part in table.items()}
    return "{\n" + ",\n".join(f"{json.dumps(name)}:{part}" for name, part in sorted(whole.items())) + "\n}\n"


def compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def with_entry(name: str) -> dict[str, Any]:
    """The committed table with one function asked again."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    found = traced_functions(tf, name)
    if name not in found:
        sys.exit(f"no probe of {name} gives an entry")
    known = json.loads(TABLE.read_text("utf-8"))
    return known | {"functions": known["functions"] | found}


def table() -> dict[str, Any]:
    """The whole table, as plain data."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    functions = traced_functions(tf)
    return {
        "tensorflow": ".".join(tf.__version__.split(".")[:2]),
        "functions": functions | numpy_probes.functions(),
        "aliases": aliases(tf, functions),
        "promotions": {"keras": promotions(tf), "numpy": numpy_probes.promotions()},
    }


def traced_functions(tf: Any, only: str | None = None) -> dict[str, Any]:
    """The entries of TensorFlow's functions, or of one of them."""
    functions: dict[str, Any] = {}
    for name, call in probes():
        entry = probed(tf, name, call) if only in (None, name) else None
        if entry is not None:
            functions[name] = entry
    for name, written in example_forms.examples().items():
        if only in (None, name):
            functions[name] = example_forms.entry(tf, resolve(tf, name), written)
    for name, call in MAKERS.items():
        if only not in (None, name):
            continue
        result = tf.function(lambda call=call: eval(call, {"tf": tf})).get_concrete_function().outputs[0]
        functions[name] = {"params": parameters(resolve(tf, name)), "dtypes": result.dtype.name, "shape": "argument"}
    for name, shape in (*result_shapes(), *TUPLES.items()):
        if name in functions:
            functions[name]["shape"] = shape
    for name, names in DECIDING.items():
        if name in functions:
            functions[name]["of"] = names
    for name, entry in functions.items():
        if name.startswith("keras.ops."):
            # Keras finds a dtype for all operands where TensorFlow wants them to have one.
            entry["promotes"] = "keras"
            entry.pop("refuses", None)
    for (until, parameter), names in LATER_PARAMETERS.items():
        for name in functions.keys() & set(names.split()):
            older = [each for each in functions[name]["params"] if each != parameter]
            functions[name]["before"] = [{"until": until, "params": older}]
    return functions


def promotions(tf: Any) -> dict[str, str]:
    """The dtype that Keras finds for two operands of others, or for one and a Python number."""
    dtypes = [dtype for dtype in DTYPES if dtype not in ("string", "complex64")]
    find = tf.keras.backend.result_type
    pairs = {f"{first} {second}": find(first, second) for first in dtypes for second in dtypes}
    return pairs | {f"{dtype} {kind.__name__}": find(dtype, kind) for dtype in dtypes for kind in (int, float)}


def result_shapes() -> list[tuple[str, str]]:
    return [(name, shape) for shape, names in RESULT_SHAPES.items() for name in names.split()]


def probes() -> list[tuple[str, str]]:
    """Every probe: the function's name and the expression that calls it on `x`."""
    found: list[tuple[str, str]] = []
    for entry in (*UNARY, *(f"keras.ops.{each}" for each in KERAS_UNARY)):
        name, _, arguments = entry.partition(":")
        if arguments.startswith("math."):
            name, arguments = arguments, ""
        found.append((name, f"tf.{name}({arguments or 'x'})"))
    for entry in (*BINARY, "keras.ops.add", *(f"keras.ops.{each}" for each in KERAS_BINARY)):
        name, _, arguments = entry.partition(":")
        if name.startswith("nn.s"):
            arguments = "labels=x, logits=x"
        found.append((name, f"tf.{name}({arguments or 'x, x'})"))
    return found + list(CUSTOM.items())


@dataclass
class Seen:
    """What came out of a probe: for each dtype, and in which way the result's shape follows the input's."""

    dtypes: dict[str, Any] = field(default_factory=dict[str, Any])
    refused: list[str] = field(default_factory=list[str])
    shapes: set[tuple[int | None, ...]] = field(default_factory=set[tuple[int | None, ...]])
    same_shape: bool = True
    scalar: bool = True
    lists: bool = False
    fields: list[str] = field(default_factory=list[str])


def probed(tf: Any, name: str, call: str) -> dict[str, Any] | None:
    """What came out of a probe for each dtype and shape, or None if no call of it could be traced."""
    function = resolve(tf, name)
    seen = None if function is None else tried(tf, compile(call, "<probe>", "eval"))
    if seen is None or not seen.dtypes:
        return None
    names = parameters(function)
    entry: dict[str, Any] = {"params": names, "of": deciding(call, names), "dtypes": compressed(seen.dtypes)}
    if seen.lists:
        entry["list"] = True
    if seen.refused and plain(call) and len(entry["of"]) <= 2:
        entry["refuses"] = seen.refused
    if seen.fields:
        entry["fields"] = seen.fields
    given_shape = "x.shape)" in call and name != "ensure_shape"
    if len(seen.shapes) >= 3 and (seen.same_shape or seen.scalar) and not given_shape:
        reduction = {"axis", "keepdims"} <= set(names)
        entry["shape"] = "same" if seen.same_shape else "reduce" if reduction else "scalar"
    return entry


def tried(tf: Any, code: types.CodeType) -> Seen | None:
    """The outcome of a probe: every shape with the first dtype that works, and one shape that works with each other.

    None where something else than tensors comes out.
    """
    seen = Seen()
    for dtype in DTYPES:
        errors: set[str] = set()
        first = not seen.dtypes
        for shape in SHAPES:
            outputs = traced(tf, code, shape, dtype)
            if isinstance(outputs, Exception):
                errors.add(str(outputs))
                continue
            if not recorded(tf, seen, outputs, shape, dtype):
                return None
            if not first:
                break
        if errors and dtype not in seen.dtypes and all(map(is_about_dtype, errors)):
            seen.refused.append(dtype)
    return seen


def recorded(tf: Any, seen: Seen, outputs: Any, shape: tuple[int | None, ...], dtype: str) -> bool:
    """Whether tensors came out; what they are is added to what was seen."""
    seen.shapes.add(shape)
    seen.lists = isinstance(outputs, list)
    seen.fields = list(getattr(outputs, "_fields", ()))
    flat = tf.nest.flatten(outputs)
    if not flat or not all(isinstance(output, tf.Tensor) for output in flat):
        return False
    found = [output.dtype.name for output in flat]
    seen.dtypes[dtype] = found[0] if len(found) == 1 or seen.lists else found
    seen.same_shape &= all(output.shape.rank is not None and tuple(output.shape) == shape for output in flat)
    seen.scalar &= all(output.shape.rank == 0 for output in flat)
    return True


def is_about_dtype(error: str) -> bool:
    return any(
        words in error
        for words in ("not in list of allowed values", "does not match expected type", "Invalid dtype", "got dtype")
    )


def plain(call: str) -> bool:
    """Whether the probe gave the function `x` as it is, and nothing else made of it."""
    tree = ast.parse(call, mode="eval").body
    given = [*tree.args, *(keyword.value for keyword in tree.keywords)] if isinstance(tree, ast.Call) else []
    return all(isinstance(each, (ast.Name, ast.Constant)) for each in given)


def deciding(call: str, names: list[str]) -> list[str]:
    """The parameters that the probe gave `x` to, as itself and not only by its shape, dtype or comparison."""
    tree = ast.parse(call, mode="eval").body
    if not isinstance(tree, ast.Call):
        return []
    arguments = [(names[i] if i < len(names) else "*", argument) for i, argument in enumerate(tree.args)]
    arguments += [(keyword.arg or "*", keyword.value) for keyword in tree.keywords]
    return list(dict.fromkeys(name for name, argument in arguments if carries_x(argument)))


def carries_x(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare) or (isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype")):
        return False
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("tf.shape", "tf.range"):
        return False
    if isinstance(node, ast.Name):
        return node.id == "x"
    return any(carries_x(child) for child in ast.iter_child_nodes(node))


def traced(tf: Any, code: types.CodeType, shape: tuple[int | None, ...], dtype: str) -> Any:
    """What the probe gives for such an `x` in a graph, or the error."""
    from tensorflow.python.framework import func_graph

    with func_graph.FuncGraph("probe").as_default():
        x = tf.compat.v1.placeholder(dtype, shape)
        try:
            return eval(code, {"tf": tf, "x": x})
        except Exception as error:
            return error


def compressed(results: dict[str, Any]) -> Any:
    """`same` where the result follows the input, one dtype where it is always that one, else the cases."""
    if results == {"bool": "bool"}:
        # What else is given is made one.
        return "bool"
    if all(result == dtype for dtype, result in results.items()):
        return "same"
    values = list(results.values())
    if all(value == values[0] for value in values) and (len(values) > 1 or values[0] not in results):
        return values[0]
    if all(isinstance(value, list) for value in values):
        return [compressed({d: v[i] for d, v in results.items()}) for i in range(len(values[0]))]
    return results


def parameters(function: Any) -> list[str]:
    try:
        return [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        ]
    except (TypeError, ValueError):
        return []


def resolve(tf: Any, name: str) -> Any:
    found = tf
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def aliases(tf: Any, functions: dict[str, Any]) -> dict[str, str]:
    """Every other public name of the table's functions (`math.reduce_sum` is `reduce_sum`)."""
    canonical = {
        id(resolve(tf, name)): name for name in sorted(functions, key=lambda n: (n.count("."), n), reverse=True)
    }
    found: dict[str, str] = {}
    for module in (
        "",
        "math",
        "nn",
        "linalg",
        "random",
        "image",
        "strings",
        "signal",
        "sparse",
        "debugging",
        "io",
        "bitwise",
        "keras.backend",
        "keras.ops",
        "keras.losses",
        "keras.metrics",
        "keras.activations",
    ):
        owner = resolve(tf, module) if module else tf
        for attribute in dir(owner):
            name = f"{module}.{attribute}" if module else attribute
            target = canonical.get(id(getattr(owner, attribute, None)))
            if target is not None and target != name:
                found[name] = target
    return found


if __name__ == "__main__":
    sys.exit(main())
