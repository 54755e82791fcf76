"""Lists that are repeated as often as the graph says: Python would make one list of them, TensorFlow multiplies.

Before:

    lengths = [1] * len(xs)
    pairs = [0, 1] * n

After:

    lengths = tf.fill([tf.shape(xs)[0]], 1)
    pairs = tf.tile([0, 1], [tf.maximum(n, 0)])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Tensor, Tuple, shape_of

from graphwright.eject import lower_bounds, seeds
from graphwright.errors import ConversionError

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow


def parts_of(style: TensorFlow, node: gast.AST) -> tuple[Any, Any] | None:
    """The list that an expression repeats, and how often, where only the graph knows that; None for any other."""
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Mult) or style.known.seen is None:
        return None
    for repeated, times in ((node.left, node.right), (node.right, node.left)):
        held = style.value(times)
        if isinstance(repeated, (gast.List, gast.Tuple)) and isinstance(held, Tensor) and held.number:
            return repeated, times
    return None


def is_repeated(style: TensorFlow, node: gast.AST) -> bool:
    """Whether an expression is such a list, or such a list and others."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add):
        return is_repeated(style, node.left) or is_repeated(style, node.right)
    return parts_of(style, node) is not None


def displays_in(node: Any) -> list[Any]:
    """The elements that are written in an expression that gives a list."""
    if isinstance(node, gast.BinOp):
        return [*displays_in(node.left), *displays_in(node.right)]
    return list(getattr(node, "elts", ()))


def written(read: Any, node: gast.BinOp) -> str | None:
    """Such a list as a tensor; None for any other expression."""
    style = read.unit.style
    found = parts_of(style, node)
    if found is None:
        return None
    repeated, times = found
    shapes = {shape_of(seeds.stacked(_as_list(style, element))) for element in repeated.elts}
    shape = shapes.pop() if len(shapes) == 1 else None
    if shape is None or any(isinstance(element, gast.Starred) for element in repeated.elts):
        raise ConversionError(
            "the graph decides how often this list is repeated, and its elements have no common shape: use `tf.tile`",
            line=node.lineno,
        )
    tf, count = style.tf, lower_bounds.as_count(read, times)
    if len(repeated.elts) == 1 and shape == ():
        return f"{tf}.fill([{count}], {read(repeated.elts[0])})"
    items = ", ".join(read(element) for element in repeated.elts)
    times_each = ", ".join([count, *["1" for _ in shape]])
    return f"{tf}.tile([{items}], [{times_each}])"


def _as_list(style: Any, element: gast.expr) -> Any:
    """What an element of the list is; a tuple in it is a row of the tensor, too."""
    value = seeds.value_of(style, element)
    if isinstance(value, Tuple) and isinstance(element, gast.Tuple):
        return seeds.value_of(style, gast.List(element.elts, element.ctx))
    return value
