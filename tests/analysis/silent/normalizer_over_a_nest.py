"""Running mean and variance for every tensor of a nested observation, by an abstract base and a subclass."""

import abc

import tensorflow as tf


def create_variable(name, value, shape, dtype):
    return tf.Variable(tf.fill(shape, tf.cast(value, dtype)), trainable=False, name=name)


class TensorNormalizer(tf.Module, metaclass=abc.ABCMeta):
    def __init__(self, tensor_spec, scope="normalize"):
        super().__init__(name=scope)
        self._scope, self._tensor_spec = scope, tensor_spec
        self._flat_spec = tf.nest.flatten(tensor_spec)
        self._create_variables()

    @abc.abstractmethod
    def _create_variables(self):
        """Make the variables that a subclass needs."""

    @abc.abstractmethod
    def _update_ops(self, tensor, outer_dims):
        """Return the operations that update them."""

    @abc.abstractmethod
    def _get_estimates(self):
        """Return the means and variances."""

    def update(self, tensor, outer_dims=(0,)):
        return tf.group(self._update_ops(tf.nest.map_structure(lambda t: tf.cast(t, tf.float32), tensor), outer_dims))

    def normalize(self, tensor, clip_value=5.0, center_mean=True):
        flat = [tf.cast(t, tf.float32) for t in tf.nest.flatten(tensor)]
        mean, var = self._get_estimates()
        mean = mean if center_mean else tf.nest.map_structure(tf.zeros_like, mean)
        flat = [tf.nn.batch_normalization(t, m, v, None, None, 1e-3) for t, m, v in zip(flat, mean, var)]
        if clip_value > 0:
            flat = tf.nest.map_structure(lambda t: tf.clip_by_value(t, -clip_value, clip_value), flat)
        packed = tf.nest.pack_sequence_as(self._tensor_spec, flat)
        return tf.nest.map_structure(lambda t, spec: tf.cast(t, spec.dtype), packed, self._tensor_spec)


class EMANormalizer(TensorNormalizer):
    def _create_variables(self):
        self._mean = [create_variable("mean", 0, spec.shape, tf.float32) for spec in self._flat_spec]
        self._var = [create_variable("var", 1, spec.shape, tf.float32) for spec in self._flat_spec]

    def _update_ops(self, tensor, outer_dims):
        def update_one(single, mean_var, var_var):
            mean = tf.reduce_mean(single, axis=outer_dims)
            var = tf.reduce_mean(tf.math.squared_difference(single, mean_var), axis=outer_dims)
            with tf.control_dependencies([mean, var]):
                return [mean_var.assign_add(0.1 * (mean - mean_var)), var_var.assign_add(0.1 * (var - var_var))]

        return tf.nest.flatten(tf.nest.map_structure(update_one, tf.nest.flatten(tensor), self._mean, self._var))

    def _get_estimates(self):
        return self._mean, self._var


normalizer = EMANormalizer({"a": tf.TensorSpec([3]), "b": (tf.TensorSpec([], tf.float64),)})


@tf.function
def observe(batch):
    normalizer.update(batch)
    return normalizer.normalize(batch, clip_value=2.0)


def drive():
    for _ in range(2):
        out = observe({"a": tf.ones([4, 3]), "b": (tf.ones([4], tf.float64),)})
    assert out["b"][0].dtype == tf.float64
