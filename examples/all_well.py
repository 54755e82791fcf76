"""The programs of the other examples, fixed: Graphwright finds nothing here."""

import math

import tensorflow as tf


class WarmupCosine(tf.Module):
    def __init__(self, base_rate, warmup_steps, total_steps):
        super().__init__()
        self.base_rate = base_rate
        self.warmup_steps = float(warmup_steps)
        self.total_steps = float(total_steps)

    @tf.function
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        if step < self.warmup_steps:
            rate = self.base_rate * step / self.warmup_steps
        elif step < self.total_steps:
            progress = (step - self.warmup_steps) / (self.total_steps - self.warmup_steps)
            rate = 0.5 * self.base_rate * (1.0 + tf.cos(math.pi * progress))
        else:
            rate = tf.zeros_like(step)
        return rate


@tf.function
def best_score(scores):
    best = scores.dtype.min
    for score in scores:
        best = tf.maximum(best, score)
    return best


@tf.function
def first_above(values, threshold):
    found = threshold
    for value in values:
        if value > threshold:
            found = value
            break
    return found


@tf.function
def pick_action(q_values, epsilon):
    if tf.random.uniform([]) < epsilon:
        action = tf.random.uniform([], maxval=4, dtype=tf.int64)
    else:
        action = tf.argmax(q_values)
    return action


@tf.function
def last_volume(frames):
    volume = 0.0
    for frame in frames:
        volume = tf.reduce_mean(tf.abs(frame))
    return volume


@tf.function
def rollout(start, steps):
    position = start
    distances = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
        position = position * 0.5
        distances = distances.write(i, tf.abs(position))
    return distances.stack()


@tf.function
def rate_for(epoch):
    return tf.constant([0.1, 0.01, 0.001])[tf.minimum(epoch // 10, 2)]


class MovingAverage(tf.Module):
    def __init__(self):
        super().__init__()
        self.average = tf.Variable(0.0)

    @tf.function
    def update(self, value):
        self.average.assign(0.9 * self.average + 0.1 * value)
        return self.average.read_value()


class Evaluator:
    def __init__(self, scale):
        self.scale = scale
        self.evaluate = tf.function(self._loss)

    def _loss(self, batch):
        return tf.reduce_mean(tf.square(batch)) * self.scale


class Trainer(tf.Module):
    def __init__(self):
        super().__init__()
        self.steps = tf.Variable(0)
        self.weight = tf.Variable(2.0)

    @tf.function
    def step(self, x):
        self.steps.assign_add(1)
        loss = tf.square(self.weight * x + tf.random.normal([]))
        tf.print("loss:", loss)
        return loss


@tf.function
def newton(x, tolerance):
    for _ in tf.range(20):
        step = (x * x - 2.0) / (2.0 * x)
        x = x - step
        if tf.abs(step) < tolerance:
            break
    return x


@tf.function
def clipped_norm(gradient, limit):
    norm = tf.norm(gradient)
    if norm > limit:
        gradient = gradient * limit / norm
    return gradient


if __name__ == "__main__":
    schedule = WarmupCosine(1e-3, warmup_steps=10, total_steps=100)
    print(schedule(tf.constant(50)), schedule(tf.constant(500)))
    print(best_score(tf.constant([-3.0, -1.0, -2.0])), first_above(tf.constant([0.1, 0.7, 0.9]), tf.constant(0.5)))
    print(pick_action(tf.constant([0.1, 0.9, 0.3, 0.2]), tf.constant(0.1)))
    print(last_volume(tf.constant([[0.5, -2.0], [1.0, 0.0]])))
    print(rollout(tf.constant(8.0), tf.constant(3)))
    print(rate_for(tf.constant(12)))
    average, evaluator, trainer = MovingAverage(), Evaluator(0.5), Trainer()
    for batch in [tf.ones([2, 3]), tf.zeros([2, 3])]:
        print(evaluator.evaluate(batch), average.update(tf.reduce_sum(batch)), trainer.step(tf.constant(1.0)))
    print(newton(tf.constant(1.0), tf.constant(1e-4)))
    print(clipped_norm(tf.constant([3.0, 4.0]), tf.constant(1.0)))
