"""Nodes that are made here: trees for the flow analyses to read, each with the text that stands for it.

Where such nodes go is decided by who makes them.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright.passes.unit import Unit


def synthetic(unit: Unit, origin: gast.AST, node: gast.AST, template: str, **parts: gast.AST) -> Any:
    """Give a node that was made here the place of another, and the text that stands for it."""
    for field in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        setattr(node, field, getattr(origin, field))
    unit.templates[node] = (template, parts)
    return node


def name(unit: Unit, origin: gast.AST, identifier: str, context: str = "Load") -> Any:
    node = gast.Name(identifier, getattr(gast, context)(), None, None)
    return synthetic(unit, origin, node, identifier)


def assignment(unit: Unit, origin: Any, identifier: str, value: gast.expr) -> Any:
    """`identifier = value`."""
    node = gast.Assign([name(unit, origin, identifier, "Store")], value, None)
    shown = "({value})" if isinstance(value, gast.NamedExpr) else "{value}"
    return synthetic(unit, origin, node, f"{identifier} = {shown}", value=value)


def constant(unit: Unit, origin: gast.AST, value: bool) -> Any:
    return synthetic(unit, origin, gast.Constant(value, None), repr(value))


def choice(unit: Unit, origin: gast.AST, test: Any, body: list[Any], orelse: list[Any]) -> Any:
    """An `if`."""
    node = gast.If(test, body, orelse)
    return synthetic(unit, origin, node, "")


def negated(unit: Unit, origin: Any, test: gast.expr) -> Any:
    """`not test`."""
    template = unit.style.negation.format(alias=unit.alias)
    return synthetic(unit, origin, gast.UnaryOp(gast.Not(), test), template, test=test)
