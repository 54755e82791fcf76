"""Tensors and static shapes of which TensorFlow itself doesn't know the rank."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from graphwright_analysis.immutability import immutable

from .domain import StaticShape, Tensor


@immutable
class RanklessTensor(Tensor):
    """What a staged branch gave whose sides differ in rank: TensorFlow knows nothing of its shape."""


@immutable
class ShapelessTensor(Tensor):
    """What `tf.py_function` gave, or a generator without shapes: TensorFlow itself knows nothing of its shape.

    `id` tells one from another, `maker` is what gave it, and `made` where.
    """

    id: int = 0
    maker: str = field(default="tf.py_function", compare=False)
    made: Any = field(default=None, compare=False)


@immutable
class RanklessShape(StaticShape):
    """The static shape of a tensor of which not even the rank is known to TensorFlow."""


@immutable
class LostShape(RanklessShape):
    """The static shape of a `ShapelessTensor`: not even the rank is known to TensorFlow."""
