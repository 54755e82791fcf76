"""Which expressions may as well be evaluated where Python wouldn't come to them, or not where it would.

What is written with that is decided elsewhere.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright.eject import filters
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def is_harmless(read: Any, node: gast.expr) -> bool:
    """Whether an expression may as well be computed where Python wouldn't come to it."""
    style = read.unit.style
    for part in walk(node):
        if isinstance(part, (gast.NamedExpr, gast.Lambda, gast.ListComp)) or (
            isinstance(part, gast.Subscript) and not _is_part(style, part)
        ):
            return False
        if (
            isinstance(part, gast.BinOp)
            and isinstance(part.op, (gast.FloorDiv, gast.Mod))
            and not _divides_surely(style, part)
        ):
            return False
        if isinstance(part, gast.Call) and (dotted(part.func) or "").removeprefix(f"{style.tf}.") not in _HARMLESS:
            return False
    return True


def is_repeatable(read: Any, node: gast.expr) -> bool:
    """Whether nobody notices if an expression is computed twice."""
    parts = walk(node)
    names = [(dotted(part.func) or "") for part in parts if isinstance(part, gast.Call)]
    plain = all(name.removeprefix(f"{read.unit.style.tf}.") in _HARMLESS | {"max", "min"} for name in names)
    return plain and not any(isinstance(part, (gast.NamedExpr, gast.Lambda, gast.Await, gast.Yield)) for part in parts)


def _divides_surely(style: Any, node: gast.BinOp) -> bool:
    """Whether a division can't fail, as one of integers by zero does."""
    is_float = str(getattr(style.value(node), "dtype", "")).startswith("float")
    return is_float or (isinstance(node.right, gast.Constant) and bool(node.right.value))


def has_no_effects(style: Any, node: Any) -> bool:
    """Whether nobody notices if an expression isn't evaluated; it can't fail, either."""
    parts = [part for part in walk(node) if not isinstance(part, (gast.Load, gast.USub, gast.keyword))]
    plain = [part for part in parts if isinstance(part, _PLAIN) or _is_part(style, part)]
    called = {dotted(part.func) for part in parts if isinstance(part, gast.Call)}
    return len(plain) == len(parts) and called <= {f"{style.tf}.{name}" for name in ("constant", "zeros", "ones")}


def _is_part(style: Any, node: Any) -> bool:
    """Whether an expression is an element that a tensor surely has."""
    place: Any = getattr(node.slice, "value", None) if isinstance(node, gast.Subscript) else None
    held: Any = style.value(node.value) if isinstance(place, int) else None
    return filters.has_known_length(held) and bool(place < held.shape[0])


_HARMLESS = frozenset(
    (
        "abs",
        "cast",
        "shape",
        "size",
        "rank",
        "norm",
        "square",
        "sqrt",
        "exp",
        "log",
        "tanh",
        "sin",
        "cos",
        "floor",
        "round",
        "zeros_like",
        "ones_like",
        "stop_gradient",
        "reduce_prod",
        "reduce_sum",
        "reduce_mean",
        "reduce_max",
        "reduce_min",
        "reduce_any",
        "reduce_all",
        "equal",
        "not_equal",
        "less",
        "greater",
        "less_equal",
        "greater_equal",
        "logical_and",
        "logical_or",
        "logical_not",
        "math.abs",
        "math.is_nan",
        "math.is_finite",
        "math.is_inf",
        "math.reduce_sum",
        "math.reduce_mean",
        "math.reduce_any",
        "math.log",
        "math.exp",
        "math.sqrt",
        "math.reduce_max",
        "math.reduce_min",
        "math.reduce_all",
        "sign",
        "maximum",
        "minimum",
        "constant",
        "len",
        "tensordot",
        "linalg.norm",
        "float",
        "int",
        "bool",
    )
)
_PLAIN = (gast.Name, gast.Constant, gast.Attribute, gast.List, gast.UnaryOp, gast.Call)
