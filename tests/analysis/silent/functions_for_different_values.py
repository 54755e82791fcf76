"""Functions that a factory or a loop makes, each for a value of its own."""

import tensorflow as tf


def make(k):

    @tf.function
    def f(x):
        return x * k

    return f


def drive():
    fs = [make(k) for k in (1.0, 2.0, 3.0)]
    for f in fs:
        for _ in range(10):
            f(tf.ones([2]))
    steps = {}
    for name, rate in (("a", 0.1), ("b", 0.2)):

        @tf.function
        def step(x):
            return x * rate

        steps[name] = step
        for _ in range(10):
            step(tf.ones([2]))
    out = []
    for k in (1, 2):

        @tf.function
        def g(x):
            return x + k

        out.append(g(tf.ones([2])))
    out
