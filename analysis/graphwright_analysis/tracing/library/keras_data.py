"""The arrays that `tf.keras.datasets` hands out, as they are in every copy of it."""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.values.domain import Array, Tuple, Value

_Arrays = tuple[str, tuple[int, ...]]

SHAPES: dict[str, tuple[int, int, _Arrays, _Arrays]] = {
    "mnist": (60000, 10000, ("uint8", (28, 28)), ("uint8", ())),
    "fashion_mnist": (60000, 10000, ("uint8", (28, 28)), ("uint8", ())),
    "cifar10": (50000, 10000, ("uint8", (32, 32, 3)), ("uint8", (1,))),
    "cifar100": (50000, 10000, ("uint8", (32, 32, 3)), ("int64", (1,))),
}
"""How many examples there are to train and to test with, and of what dtype and shape one is, and its label."""


def loader(name: str) -> Callable[..., Value]:
    """`tf.keras.datasets.<name>.load_data`"""
    train, test, *kinds = SHAPES[name]
    parts = [Tuple(tuple(Array(dtype, (rows, *shape)) for dtype, shape in kinds)) for rows in (train, test)]
    return lambda *_: Tuple(tuple(parts))
