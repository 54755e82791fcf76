"""What tests of the runtime share: a function run eagerly and in a graph must give the same values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf


def plain(value: Any) -> Any:
    """Values as Python sees them."""
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return tf.nest.map_structure(lambda leaf: np.asarray(leaf).tolist(), value)


def in_graph(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function gives as a graph."""
    return plain(tf.function(function, autograph=False, **options)(*arguments))


def assert_agrees(function: Callable[..., Any], *arguments: Any) -> None:
    """Eager and graph give the same."""
    np.testing.assert_equal(in_graph(function, *arguments), plain(function(*arguments)))
