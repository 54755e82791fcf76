"""Lengths that Python has known while a function was traced, of lists that become tensors: the graph has them.

Before:

    if len(returns) > 1: ...

After:

    tf.cond(tf.shape(returns)[0] > 1, ...)

How a length is written isn't decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Tensor, python_kind

from graphwright.eject import seeds
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def note(style: TensorFlow, facts: Facts) -> None:
    """Have expressions with such a length, and names that it is assigned to, be numbers of the graph."""
    known = -1
    while known < len(style.in_tests):
        known = len(style.in_tests)
        names = _names(style, facts)
        for part in facts.statements:
            dtype = _DTYPES.get(python_kind(style.value(part)))
            if dtype is not None and part not in style.in_tests and _asks(style, part, names):
                style.in_tests[part] = Tensor(dtype, (), number=dtype != "bool")


def _names(style: TensorFlow, facts: Facts) -> set[str]:
    """The names that only such lengths are assigned to."""
    asked, others = set[str](), set[str]()
    for part in facts.statements:
        for target, value in seeds.assigned_pairs(part):
            (asked if value in style.in_tests else others).add(getattr(target, "id", ""))
    return asked - others


def _asks(style: TensorFlow, node: Any, names: set[str]) -> bool:
    """Whether Python computes an expression from the length of a list that becomes a tensor."""
    match node:
        case gast.Name(ctx=gast.Load()):
            return node.id in names
        case gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=name)]):
            return style.holds_list(name) and name not in style.lengths
        case gast.Compare() | gast.BinOp() | gast.UnaryOp() | gast.BoolOp():
            return any(part in style.in_tests for part in walk(node)[1:])
        case _:
            return False


_DTYPES: dict[type | None, str] = {bool: "bool", int: "int32", float: "float32"}
