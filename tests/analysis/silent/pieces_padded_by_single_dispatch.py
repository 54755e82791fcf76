"""Parts of a graph padded to total sizes: dispatch on the class, static values folded, shapes ensured at the end."""

import dataclasses
import functools
from typing import Any, Mapping

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class NodeSet:
    sizes: tf.Tensor
    features: Mapping[str, tf.Tensor]


@dataclasses.dataclass(frozen=True)
class EdgeSet:
    sizes: tf.Tensor
    source: tf.Tensor


def ensure_static_nrows(value, nrows):
    return tf.ensure_shape(value, value.shape[1:] if nrows is None else [nrows, *value.shape[1:]])


def fold_constants(binary_op, x, y):
    if not tf.executing_eagerly():
        xs, ys = tf.get_static_value(x), tf.get_static_value(y)
        if xs is not None and ys is not None:
            return tf.constant(binary_op(xs, ys))
    return binary_op(x, y)


def pad_sizes(sizes, *, target):
    assert sizes.shape.rank == 1
    return tf.concat([sizes, [tf.constant(target, sizes.dtype) - tf.reduce_sum(sizes)]], axis=0)


@functools.singledispatch
def pad(piece: Any, *, target: int):
    raise NotImplementedError(type(piece).__name__)


@pad.register
def _(piece: NodeSet, *, target: int) -> NodeSet:
    def pad_feature(value):
        missing = fold_constants(lambda x, y: x - y, tf.constant(target), tf.shape(value)[0])
        paddings = [[0, missing]] + [[0, 0]] * (value.shape.rank - 1)
        return ensure_static_nrows(tf.pad(value, paddings), target)

    features = {name: pad_feature(value) for name, value in piece.features.items()}
    return dataclasses.replace(piece, features=features, sizes=pad_sizes(piece.sizes, target=target))


@pad.register
def _(piece: EdgeSet, *, target: int) -> EdgeSet:
    extra = tf.constant(target, tf.int32) - tf.size(piece.source)
    source = ensure_static_nrows(tf.concat([piece.source, tf.fill([extra], 0)], axis=0), target)
    return dataclasses.replace(piece, source=source, sizes=pad_sizes(piece.sizes, target=target))


def padded(features, source):
    nodes = NodeSet(tf.shape(features)[:1], {"h": features, "id": tf.range(tf.shape(features)[0])})
    nodes, edges = pad(nodes, target=5), pad(EdgeSet(tf.shape(source), source), target=6)
    return tf.gather(nodes.features["h"], edges.source), nodes.features["id"]


def drive():
    dataset = tf.data.Dataset.from_generator(
        lambda: iter([([[1.0, 2.0]] * n, list(range(n))) for n in (2, 4)]),
        output_signature=(tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int32)),
    )
    for gathered, ids in dataset.map(padded).batch(2):
        assert gathered.shape == [2, 6, 2] and ids.shape == [2, 5]
