"""Runs a function eagerly and as a graph. It judges nothing but that values agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

c: Any = tf.constant  # pyright: ignore


def plain(value: Any) -> Any:
    """Values as Python sees them."""
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return tf.nest.map_structure(lambda leaf: np.asarray(leaf).tolist(), value)


def in_graph(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function gives as a graph."""
    return plain(tf.function(function, autograph=False, **options)(*arguments))


def agree(function: Callable[..., Any], *arguments: Any) -> Any:
    """Eager and graph give the same, namely this."""
    expected = plain(function(*arguments))
    np.testing.assert_equal(in_graph(function, *arguments), expected)
    return expected
