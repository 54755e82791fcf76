"""`isinstance`, `type` and class patterns, where what is asked may be of the graph. It writes no call."""

from __future__ import annotations

from typing import Any

import gast

from graphwright.passes.surely_python import is_sure
from graphwright.passes.unit import walk


def operator_before(read: Any, node: gast.Call) -> str | None:
    """What stands before the name of the built-in function in its call; None if it stays as it is.

    Where a name may be None as only the graph knows, so is the answer of `isinstance`.
    """
    is_receiver = read.unit.class_name is not None and getattr(node.args[0], "id", "") == read.facts.first_parameter
    if getattr(node.func, "id", "") == "type":
        return None if is_receiver or len(node.args) > 1 else f"{read.gw}."
    sure = is_sure(node, read.facts)
    if sure and read.unit.pairs:
        return None if is_receiver else f"{read.gw}.known_"
    return f"{read.gw}." if not sure or any(map(is_pythons, walk(node.args[-1]))) else None


def operator_of_pattern(alias: str, pattern: gast.MatchClass) -> str:
    """What a class pattern asks of its subject."""
    return f"{alias}.isinstance" if is_pythons(pattern.cls) else "isinstance"


def may_ask_graph(part: Any) -> bool:
    """Whether a part of a pattern may ask the graph: for a value, which a tensor may equal, or a number's class."""
    if isinstance(part, gast.MatchClass):
        return is_pythons(part.cls)
    return isinstance(part, (gast.MatchValue, gast.MatchSingleton))


def is_pythons(node: gast.AST) -> bool:
    """Whether it is a class of Python's whose place a value of the graph may have."""
    return getattr(node, "id", "") in _PYTHONS


_PYTHONS = frozenset({"list", "int", "float", "bool", "complex", "str"})
