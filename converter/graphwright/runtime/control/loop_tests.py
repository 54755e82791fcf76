"""Tests of loops: what is known of them before the loop, and those that TensorFlow computes wrongly where it asks them.

If the condition of a `tf.while_loop` computes with what a `tf.cond` in it gives, constants are folded wrongly, and the
loop may give empty tensors. Such a loop carries what its test gives: a bool, which is its condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import smart_constant_value
from graphwright.runtime.lists.list_bounds import origin_of


class FragileTestError(Exception):
    """A test computes with what an `if` gives."""


def sturdy(held: Any) -> Any:
    """What a test gives, in the graph of a condition; raised if TensorFlow may compute it wrongly there."""
    last = origin_of(held).op
    if any(operation.type in _CHOICES and operation is not last for operation in held.graph.get_operations()):
        raise FragileTestError
    return held


def begins(test: Callable[..., Any], state: tuple[Any, ...]) -> Callable[[], bool]:
    """What finds out whether a loop surely has an iteration: its test is evaluated as far as TensorFlow knows it."""
    graph = tf.compat.v1.get_default_graph()

    def surely() -> bool:
        with graph.as_default():
            held = test(*state)
        return bool(smart_constant_value(held) if isinstance(held, tf.Tensor) else held)

    return surely


def of_its_own(entry: list[Any]) -> list[Any]:
    """What goes into such a loop, each number as a tensor of which nothing else is made."""

    def is_number(leaf: Any) -> bool:
        return isinstance(leaf, tf.Tensor) and (leaf.dtype.is_integer or leaf.dtype.is_floating)

    return [tf.identity(leaf) if is_number(leaf) else leaf for leaf in entry]


def testing_ahead(
    test: Callable[..., Any], body: Callable[..., Any], entry: list[Any], shape_invariants: list[Any], **options: Any
) -> Any:
    """`tf.while_loop`, with the test before the loop and at the end of each iteration."""

    def is_held(held: Any, *_: Any) -> Any:
        return held

    def turn(_held: Any, *leaves: Any) -> list[Any]:
        after = body(*leaves)
        return [test(*after), *after]

    shapes = [tf.TensorShape([]), *shape_invariants]
    return tf.while_loop(is_held, turn, [test(*entry), *entry], shape_invariants=shapes, **options)[1:]


_CHOICES = ("If", "StatelessIf")
