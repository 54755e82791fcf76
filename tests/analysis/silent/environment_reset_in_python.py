"""An environment that is reset in Python between traced rollouts."""

import tensorflow as tf


class Environment:
    def __init__(self):
        self.episodes = 0
        self.state = tf.Variable([0.0, 0.0])

    def reset(self):
        self.episodes += 1
        self.state.assign([0.0, 0.0])

    @tf.function
    def step(self, action):
        self.state.assign_add(action)
        return tf.reduce_sum(self.state)


def drive():
    environment = Environment()
    for _ in range(2):
        environment.reset()
        for _ in range(3):
            environment.step(tf.constant([1.0, -1.0]))
    assert environment.episodes == 2
