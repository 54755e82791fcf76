"""A replay buffer whose sampling is uniform or weighted by an exponent, which is fixed for a run."""

import tensorflow as tf


class PrioritizedReplay(tf.Module):
    def __init__(self, size, specs, exponent):
        super().__init__(name="PrioritizedReplay")
        self._priorities = tf.Variable(tf.zeros([size]), dtype=tf.float32)
        self._buffer = tf.nest.map_structure(lambda ts: tf.Variable(tf.zeros([size] + ts.shape, dtype=ts.dtype)), specs)
        self.num_inserted = tf.Variable(0, dtype=tf.int64)
        self._exponent = exponent

    @tf.function
    @tf.Module.with_name_scope
    def insert(self, values, priorities):
        tf.nest.assert_same_structure(values, self._buffer)
        values = tf.nest.map_structure(tf.convert_to_tensor, values)
        append_size = tf.nest.flatten(values)[0].shape[0]
        start_index = self.num_inserted
        insert_indices = tf.range(start_index, start_index + append_size) % self._priorities.shape[0]
        tf.nest.map_structure(
            lambda b, v: b.batch_scatter_update(tf.IndexedSlices(v, insert_indices)), self._buffer, values
        )
        self.num_inserted.assign_add(append_size)
        self._priorities.batch_scatter_update(tf.IndexedSlices(priorities, insert_indices))
        return insert_indices

    @tf.function
    @tf.Module.with_name_scope
    def sample(self, num_samples, priority_exp):
        tf.debugging.assert_greater(self.num_inserted, tf.constant(0, tf.int64), message="empty")
        limit = tf.minimum(tf.cast(self._priorities.shape[0], tf.int64), self.num_inserted)
        if priority_exp == 0:
            indices = tf.random.uniform([num_samples], maxval=limit, dtype=tf.int64)
            weights = tf.ones_like(indices, dtype=tf.float32)
        else:
            prob = self._priorities[:limit] ** priority_exp
            prob /= tf.reduce_sum(prob)
            indices = tf.random.categorical([tf.math.log(prob)], num_samples)[0]
            weights = (1.0 / tf.cast(limit, tf.float32) / tf.gather(prob, indices)) ** self._exponent
            weights /= tf.reduce_max(weights)
        sampled = tf.nest.map_structure(lambda b: b.sparse_read(indices), self._buffer)
        return indices, weights, sampled


def drive():
    replay = PrioritizedReplay(4, {"obs": tf.TensorSpec([3]), "act": tf.TensorSpec([], tf.int32)}, 0.5)
    for _ in range(3):
        replay.insert({"obs": tf.ones([2, 3]), "act": tf.ones([2], tf.int32)}, tf.constant([1.0, 2.0]))
    for exponent in (0, 0.6):
        for _ in range(2):
            indices, weights, sampled = replay.sample(2, exponent)
            assert weights.dtype == tf.float32 and sampled["obs"].shape[1] == 3
