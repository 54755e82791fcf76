"""Columns that come as dense, sparse or ragged tensors, or as values and offsets, made into dense ones."""

from typing import Dict, Optional, Union

import tensorflow as tf

TabularData = Dict[str, Union[tf.Tensor, tf.RaggedTensor, tf.SparseTensor]]


def list_col_to_ragged(values, offsets):
    if len(offsets.shape) == 2:
        offsets = tf.squeeze(offsets, axis=1)
    return tf.RaggedTensor.from_row_splits(values, offsets)


def to_dense(tensor, max_length: Optional[int] = None):
    if isinstance(tensor, tf.SparseTensor):
        return tf.sparse.to_dense(tensor)
    if isinstance(tensor, tf.RaggedTensor):
        return tensor.to_tensor(shape=None if max_length is None else [None, max_length])
    return tensor


class PrepareFeatures(tf.keras.layers.Layer):
    def __init__(self, columns, lists, max_length=None, **kwargs):
        super().__init__(**kwargs)
        self.columns, self.lists, self.max_length = columns, lists, max_length

    def call(self, inputs: TabularData, targets: Optional[TabularData] = None):
        inputs, outputs = dict(inputs), {}
        for name in self.columns:
            val = None
            if name in self.lists:
                if name in inputs:
                    val = inputs[name]
                    if isinstance(val, tf.SparseTensor):
                        val = tf.RaggedTensor.from_sparse(val)
                elif f"{name}__values" in inputs:
                    val = list_col_to_ragged(inputs.pop(f"{name}__values"), inputs.pop(f"{name}__offsets"))
                else:
                    raise ValueError(f"Feature '{name}' was not found in the inputs")
                val = to_dense(val, self.max_length)
                if len(val.shape) == 2:
                    val = tf.expand_dims(val, axis=-1)
            elif name in inputs:
                val = inputs[name]
                if val.get_shape().rank == 1:
                    val = tf.reshape(val, (-1, 1))
            if val is not None:
                outputs[name] = val
        outputs.update((k, v) for k, v in inputs.items() if k not in outputs)
        if targets is not None:
            return outputs, {k: tf.reshape(v, (-1, 1)) if v.shape.rank == 1 else v for k, v in targets.items()}
        return outputs


prepare = PrepareFeatures(["user", "items", "tags", "clicks"], {"items", "tags", "clicks"}, 3)


@tf.function
def features(inputs, targets=None):
    return prepare(inputs, targets=targets)


def drive():
    inputs = {
        "user": tf.constant([1, 2]),
        "items__values": tf.constant([3, 4, 5]),
        "items__offsets": tf.constant([0, 1, 3]),
        "tags": tf.ragged.constant([[1, 2], []], dtype=tf.int32),
        "clicks": tf.sparse.from_dense([[1, 0], [2, 3]]),
    }
    outputs, targets = features(inputs, {"y": tf.constant([1.0, 0.0])})
    assert outputs["items"].shape[2] == 1 and targets["y"].shape == [2, 1] and "items__values" in inputs
    assert features({**inputs, "other": tf.ones([2, 2])})["other"].shape == [2, 2]
