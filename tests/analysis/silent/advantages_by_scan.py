"""Returns and advantages by `tf.scan`, time-major or not, with an optional last value."""

from typing import Optional

import tensorflow as tf


def discounted_return(rewards, discounts, final_value: Optional[tf.Tensor] = None, time_major=True, all_returns=True):
    if not time_major:
        with tf.name_scope("to_time_major_tensors"):
            discounts = tf.transpose(discounts)
            rewards = tf.transpose(rewards)
    if final_value is None:
        final_value = tf.zeros_like(rewards[-1])

    def step(accumulated, reward_discount):
        reward, discount = reward_discount
        return accumulated * discount + reward

    if all_returns:
        returns = tf.nest.map_structure(
            tf.stop_gradient, tf.scan(fn=step, elems=(rewards, discounts), reverse=True, initializer=final_value)
        )
        if not time_major:
            returns = tf.transpose(returns)
    else:
        returns = tf.foldr(fn=step, elems=(rewards, discounts), initializer=final_value)
    return tf.stop_gradient(returns)


def advantages(values, final_value, discounts, rewards, td_lambda=1.0):
    next_values = tf.concat([values[1:], tf.expand_dims(final_value, 0)], axis=0)
    delta = rewards + discounts * next_values - values

    def weighted(accumulated, pair):
        weighted_discount, td = pair
        return td + weighted_discount * accumulated

    return tf.scan(
        fn=weighted, elems=(discounts * td_lambda, delta), initializer=tf.zeros_like(final_value), reverse=True
    )


@tf.function(reduce_retracing=True)
def targets(rewards, values):
    discounts = tf.fill(tf.shape(rewards), 0.9)
    last = discounted_return(rewards, discounts, all_returns=False)
    batch_major = discounted_return(tf.transpose(rewards), tf.transpose(discounts), values[-1], time_major=False)
    return last, batch_major, advantages(values[:-1], values[-1], discounts, rewards, 0.95)


def drive():
    last, batch_major, advantage = targets(tf.ones([4, 2]), tf.zeros([5, 2]))
    assert last.shape == [2] and batch_major.shape == [2, 4] and advantage.shape == [4, 2]
