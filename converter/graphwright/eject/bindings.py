"""What the statements of a function bind to names and attributes, and what it returns.

What a value is isn't decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeVar

import gast
from graphwright_analysis.flow.tree import FUNCTIONS
from graphwright_analysis.values.domain import Value

from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def named(node: gast.AST) -> str:
    """A name, or an attribute like `self.best`; empty for anything else."""
    return dotted(node) or ""


def bindings_of(statements: Any, name: str) -> list[tuple[Any, Any]]:
    """The assignments of a name, each with the expression that it gets; None where that has no node of its own."""
    found: list[tuple[Any, Any]] = []
    for part in statements:
        if isinstance(part, gast.AnnAssign) and part.value is not None and named(part.target) == name:
            found.append((part, part.value))
        for target in getattr(part, "targets", ()) if isinstance(part, gast.Assign) else ():
            if named(target) == name:
                found.append((part, part.value))
            elif isinstance(target, gast.Tuple) and name in map(named, target.elts):
                position = [named(each) for each in target.elts].index(name)
                given = part.value.elts if isinstance(part.value, gast.Tuple) else []
                found.append((part, given[position] if len(given) == len(target.elts) else None))
    return found


def is_none(node: gast.AST | None) -> bool:
    """Whether an expression is `None`."""
    return isinstance(node, gast.Constant) and node.value is None


def returns_of(function: Any) -> list[Any]:
    """The `return` statements of a function, without those of functions in it."""
    parts = [part for each in function.body for part in walk(each, lambda inner: not isinstance(inner, FUNCTIONS))]
    return [part for part in parts if isinstance(part, gast.Return)]


def sides_of(value: Any) -> list[Any]:
    """The expressions that a value may come from: both sides of a conditional one."""
    if isinstance(value, gast.IfExp):
        return [*sides_of(value.body), *sides_of(value.orelse)]
    return [] if value is None else [value]


def with_copied(given: Mapping[_Name, Sequence[Value]], copies: Mapping[_Name, Set[_Name]]) -> dict[_Name, list[Value]]:
    """The values that names are given, with those of the names that they are copies of."""
    found = {name: [*values] for name, values in given.items()}
    for _ in found:
        for name, others in copies.items():
            found[name] += [value for other in others for value in found.get(other, ()) if value not in found[name]]
    return found


_Name = TypeVar("_Name")
