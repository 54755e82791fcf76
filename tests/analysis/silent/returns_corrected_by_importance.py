"""V-trace: thresholds that may be None, ranks asserted statically, and a list built backwards over a known length."""

import collections

import tensorflow as tf

VTraceReturns = collections.namedtuple("VTraceReturns", "vs pg_advantages")


def from_importance_weights(log_rhos, discounts, rewards, values, bootstrap_value, clip_rho=1.0, clip_pg_rho=1.0):
    log_rhos = tf.convert_to_tensor(log_rhos, dtype=tf.float32)
    discounts, rewards = (tf.convert_to_tensor(x, dtype=tf.float32) for x in (discounts, rewards))
    if clip_rho is not None:
        clip_rho = tf.convert_to_tensor(clip_rho, dtype=tf.float32)
    if clip_pg_rho is not None:
        clip_pg_rho = tf.convert_to_tensor(clip_pg_rho, dtype=tf.float32)
    rank = log_rhos.shape.ndims
    values.shape.assert_has_rank(rank)
    bootstrap_value.shape.assert_has_rank(rank - 1)
    if clip_rho is not None:
        clip_rho.shape.assert_has_rank(0)
    rhos = tf.exp(log_rhos)
    if clip_rho is not None:
        clipped_rhos = tf.minimum(clip_rho, rhos, name="clipped_rhos")
    else:
        clipped_rhos = rhos
    cs = tf.minimum(1.0, rhos)
    cs *= tf.convert_to_tensor(0.95, dtype=tf.float32)
    next_values = tf.concat([values[1:], tf.expand_dims(bootstrap_value, 0)], axis=0)
    deltas = clipped_rhos * (rewards + discounts * next_values - values)
    acc = tf.zeros_like(bootstrap_value)
    vs_minus_v_xs = []
    for i in range(int(discounts.shape[0]) - 1, -1, -1):
        discount, c, delta = discounts[i], cs[i], deltas[i]
        acc = delta + discount * c * acc
        vs_minus_v_xs.append(acc)
    vs_minus_v_xs = vs_minus_v_xs[::-1]
    vs = tf.add(vs_minus_v_xs, values)
    vs_next = tf.concat([vs[1:], tf.expand_dims(bootstrap_value, 0)], axis=0)
    clipped_pg_rhos = tf.minimum(clip_pg_rho, rhos) if clip_pg_rho is not None else rhos
    advantages = clipped_pg_rhos * (rewards + discounts * vs_next - values)
    return VTraceReturns(vs=tf.stop_gradient(vs), pg_advantages=tf.stop_gradient(advantages))


@tf.function
def loss(log_rhos, rewards, values, max_abs_reward=1.0, **thresholds):
    if max_abs_reward:
        rewards = tf.clip_by_value(rewards, -max_abs_reward, max_abs_reward)
    discounts = tf.ones_like(rewards) * 0.99
    returns = from_importance_weights(log_rhos, discounts, rewards, values[:-1], values[-1], **thresholds)
    return 0.5 * tf.reduce_mean(tf.square(returns.vs - values[:-1])) - tf.reduce_mean(returns.pg_advantages)


def drive():
    arguments = tf.zeros([4, 2]), tf.ones([4, 2]), tf.zeros([5, 2])
    a, b = loss(*arguments), loss(*arguments, max_abs_reward=0.0, clip_rho=None, clip_pg_rho=None)
    assert abs(float(a - b)) < 1e-5
