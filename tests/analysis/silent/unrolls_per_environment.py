"""A store of unrolls in variables by environment; completed ones come out with their last step moved to the front."""

import collections

import tensorflow as tf

Step = collections.namedtuple("Step", "reward observation")


class UnrollStore(tf.Module):
    def __init__(self, num_envs, unroll_length, specs, name="UnrollStore"):
        super().__init__(name=name)
        with self.name_scope:
            self._full_length = unroll_length + 1

            def create_unroll_variable(spec):
                z = tf.zeros([num_envs, self._full_length] + spec.shape.dims, dtype=spec.dtype)
                return tf.Variable(z, trainable=False, name=spec.name)

            self._state = tf.nest.map_structure(create_unroll_variable, specs)
            self._index = tf.Variable(tf.fill([num_envs], tf.constant(0, tf.int32)), trainable=False, name="index")

    @tf.function
    @tf.Module.with_name_scope
    def append(self, env_ids, values):
        tf.debugging.assert_equal(tf.shape(env_ids), tf.shape(tf.unique(env_ids)[0]), message="Duplicate ids")
        tf.nest.map_structure(
            lambda s: tf.debugging.assert_equal(tf.shape(env_ids)[0], tf.shape(s)[0], message=f"Batch in {self.name}"),
            values,
        )
        indices = tf.stack([env_ids, self._index.sparse_read(env_ids)], axis=-1)
        for s, v in zip(tf.nest.flatten(self._state), tf.nest.flatten(values)):
            s.scatter_nd_update(indices, v)
        self._index.scatter_add(tf.IndexedSlices(1, env_ids))
        return self._complete_unrolls(env_ids)

    def _complete_unrolls(self, env_ids):
        env_indices = self._index.sparse_read(env_ids)
        env_ids = tf.gather(env_ids, tf.where(tf.equal(env_indices, self._full_length))[:, 0])
        env_ids = tf.cast(env_ids, tf.int64)
        unrolls = tf.nest.map_structure(lambda s: s.sparse_read(env_ids), self._state)
        end = tf.stack([env_ids, tf.fill(tf.shape(env_ids), tf.cast(self._full_length - 1, tf.int64))], -1)
        start = tf.stack([env_ids, tf.zeros_like(env_ids)], -1)
        for s in tf.nest.flatten(self._state):
            s.scatter_nd_update(start, s.gather_nd(end))
        self._index.scatter_update(tf.IndexedSlices(1, env_ids))
        return env_ids, unrolls


def drive():
    store = UnrollStore(
        3, 1, Step(tf.TensorSpec([], tf.float32, "reward"), tf.TensorSpec([2], tf.uint8, "observation"))
    )
    for ids in ([0, 2], [2, 1], [1, 0]):
        values = Step(tf.ones([2]), tf.ones([2, 2], tf.uint8))
        done, unrolls = store.append(tf.constant(ids, tf.int32), values)
        assert unrolls.reward.shape[1] == 2
    assert len(done) == 2
