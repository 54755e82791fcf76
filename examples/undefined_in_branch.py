"""Variables that only one branch of an `if` assigns: a graph needs them in both."""

import math

import tensorflow as tf


class WarmupCosine(tf.Module):
    """A learning-rate schedule that assigns no rate after the last step."""

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
        return rate


@tf.function
def scaled_loss(loss, gradient_norm):
    """Scales the loss down if the gradient explodes, and forgets the other case."""
    if gradient_norm > 10.0:
        scale = 10.0 / gradient_norm
    return loss * scale


if __name__ == "__main__":
    schedule = WarmupCosine(1e-3, warmup_steps=10, total_steps=100)
    print(schedule(tf.constant(50)))
    print(scaled_loss(tf.constant(2.0), tf.constant(12.0)))
