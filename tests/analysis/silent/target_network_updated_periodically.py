"""Target variables follow every few calls: a body given to a module that counts, inside or outside a strategy."""

import tensorflow as tf


def soft_update(source, target, tau=1.0, tau_non_trainable=None):
    if tau < 0 or tau > 1:
        raise ValueError("Input `tau` should be in [0, 1].")
    if tau_non_trainable is None:
        tau_non_trainable = tau
    if tau == 0.0 or not source or not target:
        return tf.no_op()
    updates = []
    for v_s, v_t in zip(source, target):
        v_t.shape.assert_is_compatible_with(v_s.shape)

        def update_fn(v1, v2):
            current_tau = tau if v1.trainable else tau_non_trainable
            if current_tau == 1.0:
                return v1.assign(v2)
            return v1.assign((1 - current_tau) * v1 + current_tau * v2)

        updates.append(update_fn(v_t, v_s))
    return tf.group(*updates)


class Periodically(tf.Module):
    def __init__(self, body, period):
        super().__init__()
        self._body, self._period = body, period
        self._counter = tf.Variable(0, trainable=False)

    def __call__(self):
        def call(strategy=None):
            del strategy
            if self._period is None:
                return tf.no_op()
            if self._period == 1:
                return self._body()
            period = tf.cast(self._period, self._counter.dtype)
            remainder = tf.math.mod(self._counter.assign_add(1), period)
            return tf.cond(pred=tf.equal(remainder, 0), true_fn=self._body, false_fn=tf.no_op)

        context = tf.distribute.get_replica_context()
        if context:
            return context.merge_call(call)
        return call()


source = [tf.Variable([1.0, 2.0]), tf.Variable(3.0, trainable=False)]
target = [tf.Variable([0.0, 0.0]), tf.Variable(0.0, trainable=False)]
update_target = Periodically(lambda: soft_update(source, target, 0.5, 1.0), 2)


@tf.function
def train(x):
    loss = tf.reduce_sum(source[0] * x)
    update_target()
    return loss


def drive():
    for _ in range(2):
        train(tf.ones([2]))
    assert target[0].numpy().tolist() == [0.5, 1.0] and float(target[1]) == 3.0
