"""Constant texts that a branch gives: TensorFlow Lite ends the process where an `if` gives one as it is.

They are picked at a place that the test says, so that they aren't constant. It knows no other leaves.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_tensor
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import captured

__all__ = ["picked_by"]


def picked_by(test: Any, leaves: list[Any]) -> list[Any]:
    """What a branch gives, its constant texts picked from two equal ones."""
    if not is_tensor(test) or is_for_xla():
        return leaves
    return [_picked(test, leaf) for leaf in leaves]


def _picked(test: Any, leaf: Any) -> Any:
    if not isinstance(leaf, tf.Tensor) or leaf.dtype != tf.string or leaf.shape.rank != 0:
        return leaf
    text = tf.get_static_value(_origin(leaf))
    return leaf if text is None else tf.gather(tf.constant([text.item()] * 2), tf.cast(test, tf.int32))


def _origin(tensor: Any) -> Any:
    """A tensor as it is outside of the branches and loops that it was passed into."""
    while tensor.op.type == "Placeholder" and (outside := captured(tensor)) is not None:
        tensor = outside
    return tensor
