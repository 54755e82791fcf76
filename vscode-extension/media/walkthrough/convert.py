"""A function that runs eagerly and could be a graph."""

import tensorflow as tf


def collatz(x: tf.Tensor) -> tf.Tensor:
    steps = 0
    while x != 1:
        steps += 1
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
    return steps


print(collatz(tf.constant(27)))
