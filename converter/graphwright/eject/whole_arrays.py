"""Arrays read as one tensor: what a function does with a list that has only grown.

Before:

    return tf.stack(squares), sum(squares), list(reversed(squares))

After:

    return squares.stack(), tf.reduce_sum(squares.stack(), axis=0), squares.stack()[::-1]

Which lists are arrays is decided in `arrays`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.values.domain import shape_of

from graphwright.eject import seeds, stacks
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.expressions import ExpressionRenderer
    from graphwright.passes.facts import Facts


def whole(style: Any, read: ExpressionRenderer, node: Any) -> str | None:
    """`tf.stack(name)` and its like."""
    called = dotted(node.func) or ""
    if (backwards := turned(node)) is not None and _is_array(style, backwards):
        return f"{backwards.id}.stack()[::-1]"
    if not node.args or not _is_array(style, node.args[0]):
        return None
    name = node.args[0].id
    last = called.rpartition(".")[2]
    if called == "len":
        return f"{name}.size()"
    if called == "sum":
        return f"{style.tf}.reduce_sum({name}.stack(), axis=0)"
    if last in ("stack", "convert_to_tensor") and len(node.args) == 1 and not node.keywords:
        return f"{name}.stack()"
    if last == "stack" and (order := order_of(read.facts, style, node)) is not None:
        return f"{style.tf}.transpose({name}.stack(), {order})"
    if last == "concat" and isinstance(node.args[-1], gast.Constant) and node.args[-1].value == 0:
        return f"{name}.concat()"
    if last == "add_n":
        return f"{style.tf}.reduce_sum({name}.stack(), 0)"
    return None


def is_returned(facts: Facts, node: gast.expr) -> bool:
    """Whether a name is what a function returns, or a part of it."""
    returns = [part for part in facts.statements if isinstance(part, gast.Return)]
    return any(part is node for each in returns for part in parts_of(each.value))


def parts_of(value: Any) -> list[Any]:
    """What is returned: the parts of a tuple, or the value itself."""
    return list(value.elts) if isinstance(value, gast.Tuple) else [value]


def turned(node: Any) -> Any:
    """The list in `tf.stack(name[::-1])`, or in `tf.stack(list(reversed(name)))`; None for anything else."""
    last = (dotted(node.func) or "").rpartition(".")[2]
    if last not in ("stack", "convert_to_tensor") or len(node.args) != 1 or node.keywords:
        return None
    part = node.args[0]
    if kind_of(part) != "Subscript":
        return stacks.part_of(part)
    step: Any = getattr(part.slice, "step", None)
    is_back = isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub)
    if not is_back or getattr(step.operand, "value", None) != 1:
        return None
    return part.value if part.slice.lower is None and part.slice.upper is None else None


def shape_of_elements(facts: Facts, style: TensorFlow, name: str) -> Any:
    """The shape of what is appended to a list; None if it isn't known."""
    appended = [call.args[0] for call in appends_in(facts.node) if call.func.value.id == name and call.args]
    return shape_of(seeds.stacked(seeds.value_of(style, appended[0]))) if appended else None


def order_of(facts: Facts, style: TensorFlow, node: Any) -> list[int] | None:
    """Where the axes of an array go for `tf.stack(name, axis=1)`; None for any other call."""
    axis: Any = node.keywords[0].value if len(node.keywords) == 1 and node.keywords[0].arg == "axis" else None
    name = getattr(node.args[0], "id", "") if len(node.args) == 1 else ""
    shape = shape_of_elements(facts, style, name)
    place = getattr(axis, "value", None)
    if shape is None or type(place) is not int or place > len(shape):
        return None
    order = list(range(1, len(shape) + 1))
    order.insert(place, 0)
    return order


def appends_in(construct: gast.AST) -> Iterator[Any]:
    for part in walk(construct, lambda inner: not isinstance(inner, FUNCTIONS)):
        if (
            not isinstance(part, gast.Call)
            or not isinstance(part.func, gast.Attribute)
            or not isinstance(part.func.value, gast.Name)
        ):
            continue
        if part.func.attr in ("append", "extend", "insert", "pop", "remove", "clear"):
            yield part


def _is_array(style: Any, node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and node.id in style.arrays
