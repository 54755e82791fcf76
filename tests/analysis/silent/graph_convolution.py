"""A layer on node features, an adjacency matrix and optional weights."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class GraphConv(layers.Layer):
    def __init__(self, units, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(units)
        self.activation = keras.activations.get(activation)

    def call(self, inputs, edge_weights=None, training=None):
        nodes, adjacency = inputs
        if edge_weights is not None:
            adjacency = adjacency * edge_weights
        degree = tf.reduce_sum(adjacency, axis=-1, keepdims=True)
        hidden = tf.matmul(adjacency, self.dense(nodes)) / tf.maximum(degree, 1.0)
        return self.activation(hidden)


class GCN(keras.Model):
    def __init__(self):
        super().__init__()
        self.convs = [GraphConv(4, "relu"), GraphConv(2)]

    def call(self, inputs, training=False):
        x, adjacency = inputs["x"], inputs["adjacency"]
        for conv in self.convs:
            x = conv((x, adjacency))
        return tf.reduce_mean(x, axis=1)


def drive():
    x, adjacency = keras.Input((3, 5)), keras.Input((3, 3))
    out = GraphConv(2)([x, adjacency], edge_weights=adjacency)
    keras.Model([x, adjacency], [out, GCN()({"x": x, "adjacency": adjacency})])(
        [tf.ones([1, 3, 5]), tf.ones([1, 3, 3])]
    )
