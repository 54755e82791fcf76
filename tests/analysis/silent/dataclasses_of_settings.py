"""Settings in a frozen dataclass and in a named tuple, given to a traced function."""

import dataclasses
from typing import NamedTuple

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float = 0.5
    layers: tuple = (1, 2)


class Batch(NamedTuple):
    x: tf.Tensor
    weight: tf.Tensor


@tf.function
def step(batch, settings):
    total = batch.x * batch.weight
    for factor in settings.layers:
        total *= settings.rate * factor
    return total


def drive():
    settings = Settings()
    for _ in range(3):
        step(Batch(tf.ones([2]), tf.constant(0.5)), settings)
    step(Batch(tf.ones([2]), tf.constant(0.5)), dataclasses.replace(settings, rate=0.25))
