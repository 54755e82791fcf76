"""A new `tf.function` for every call: each is traced, called once and discarded."""

import tensorflow as tf

weights = tf.Variable(tf.ones([3]))


class Evaluator:
    def __init__(self, scale):
        self.scale = scale

    def _loss(self, batch):
        return tf.reduce_mean(tf.square(batch * weights)) * self.scale

    def evaluate(self, batch):
        compiled = tf.function(self._loss)
        return compiled(batch)


if __name__ == "__main__":
    evaluator = Evaluator(0.5)
    for batch in [tf.ones([2, 3]), tf.zeros([2, 3]), tf.ones([2, 3]) * 2.0]:
        print(evaluator.evaluate(batch))

    for rate in (0.1, 0.2, 0.3):

        @tf.function
        def decayed(step):
            return 1.0 / (1.0 + 0.1 * step)

        print(rate * decayed(tf.constant(10.0)))
