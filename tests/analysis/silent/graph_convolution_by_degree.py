"""Atoms sorted by degree: lists of None filled in by index, weights handed out by iterators."""

import tensorflow as tf


class GraphConv(tf.keras.layers.Layer):
    def __init__(self, out_channel, min_deg=0, max_deg=2, activation_fn=None, **kwargs):
        super().__init__(**kwargs)
        self.out_channel = out_channel
        self.min_degree, self.max_degree = min_deg, max_deg
        self.activation_fn = activation_fn

    def build(self, input_shape):
        num_deg = 2 * self.max_degree + (1 - self.min_degree)
        self.W_list = [
            self.add_weight(name=f"kernel{k}", shape=(int(input_shape[0][-1]), self.out_channel))
            for k in range(num_deg)
        ]
        self.b_list = [self.add_weight(name=f"bias{k}", shape=(self.out_channel,)) for k in range(num_deg)]

    def call(self, inputs):
        atom_features, deg_slice, deg_adj_lists = inputs[0], inputs[1], inputs[2:]
        W = iter(self.W_list)
        b = iter(self.b_list)
        deg_summed = self.sum_neigh(atom_features, deg_adj_lists)
        collection = (self.max_degree + 1 - self.min_degree) * [None]
        split_features = tf.split(atom_features, deg_slice[:, 1], num=self.max_degree + 1 - self.min_degree)
        for deg in range(1, self.max_degree + 1):
            rel_out = tf.matmul(deg_summed[deg - 1], next(W)) + next(b)
            self_out = tf.matmul(split_features[deg - self.min_degree], next(W)) + next(b)
            collection[deg - self.min_degree] = rel_out + self_out
        if self.min_degree == 0:
            collection[0] = tf.matmul(split_features[0], next(W)) + next(b)
        out = tf.concat(axis=0, values=collection)
        if self.activation_fn is not None:
            out = self.activation_fn(out)
        return out

    def sum_neigh(self, atoms, deg_adj_lists):
        deg_summed = self.max_degree * [None]
        for deg in range(1, self.max_degree + 1):
            deg_summed[deg - 1] = tf.reduce_sum(tf.gather(atoms, deg_adj_lists[deg - 1]), 1)
        return deg_summed


layer = GraphConv(4, activation_fn=tf.nn.relu)


@tf.function(reduce_retracing=True)
def convolve(atoms, deg_slice, *adjacency):
    return layer([atoms, deg_slice, *adjacency])


def drive():
    slices = tf.constant([[0, 1], [1, 2], [3, 1]])
    out = convolve(tf.ones([4, 3]), slices, tf.constant([[3], [3]]), tf.constant([[1, 2]]))
    assert out.shape == [4, 4]
