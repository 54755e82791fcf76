"""A slice sampler: `tf.while_loop` over a tuple of five, with a stateless seed split in each iteration."""

import tensorflow as tf


def split_seed(seed, n=2):
    return tf.unstack(tf.random.stateless_uniform([n, 2], seed, minval=None, maxval=None, dtype=tf.int32), axis=0)


def sanitize_seed(seed):
    if seed is None:
        seed = tf.random.uniform([2], minval=-(2**31), maxval=2**31 - 1, dtype=tf.int32)
    return tf.convert_to_tensor(seed, tf.int32)


def shrink(x_initial, target_log_prob, heights, lower, upper, seed, name=None):
    with tf.name_scope(name or "sample_with_shrinkage"):
        found = tf.zeros_like(x_initial, dtype=tf.bool)
        cond = lambda found, *ignored_args: ~tf.reduce_all(found)  # noqa: E731
        x_next = tf.identity(x_initial)
        shape, dtype = tf.shape(x_initial), x_initial.dtype

        def _body(found, seed, left, right, x_next):
            proportions_seed, next_seed = split_seed(seed)
            proportions = tf.random.stateless_uniform(shape, proportions_seed, dtype=dtype)
            x_proposed = tf.where(~found, left + proportions * (right - left), x_next)
            next_found = found | (heights < target_log_prob(x_proposed))
            next_left = tf.where(x_proposed < x_initial, x_proposed, left)
            next_right = tf.where(x_proposed >= x_initial, x_proposed, right)
            return next_found, next_seed, next_left, next_right, x_proposed

        return tf.while_loop(cond=cond, body=_body, loop_vars=(found, seed, lower, upper, x_next))[-1]


def sample(target_log_prob, x, steps, seed=None):
    seed = sanitize_seed(seed)

    def one_step(carried, _):
        x, seed = carried
        height_seed, shrink_seed, next_seed = split_seed(seed, n=3)
        heights = target_log_prob(x) + tf.math.log(tf.random.stateless_uniform(tf.shape(x), height_seed, 1e-6, 1.0))
        return shrink(x, target_log_prob, heights, x - 3.0, x + 3.0, shrink_seed), next_seed

    samples, _ = tf.scan(one_step, tf.range(steps), initializer=(x, seed))
    return samples


@tf.function(jit_compile=False)
def normal_samples(x):
    return sample(lambda y: -0.5 * tf.square(y), x, 5, seed=[1, 2])


def drive():
    samples = normal_samples(tf.zeros([4]))
    assert samples.shape == [5, 4] and bool(tf.reduce_all(tf.abs(samples) < 20.0))
    assert sample(lambda y: -tf.abs(y), tf.zeros([2]), 2).shape == [2, 2]
