"""A method named `set_policy` that has nothing to do with Keras."""

import tensorflow as tf


class Agent:
    def __init__(self):
        self.policy = "greedy"

    def set_policy(self, name):
        self.policy = name

    @tf.function
    def act(self, values):
        if self.policy == "greedy":
            return tf.argmax(values)
        return tf.random.uniform([], 0, 3, tf.int64)


def drive():
    agent = Agent()
    agent.set_policy("random")
    return agent.act(tf.constant([1.0, 2.0, 3.0]))
