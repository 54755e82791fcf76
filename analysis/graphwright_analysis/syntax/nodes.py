"""The classes of parsed nodes: those of gast with slots, so that a node takes a third of the memory.

Nodes are most of what is kept. Those made elsewhere are of gast's own classes, so what a node is, `isinstance` and the
name of its class say, not the class itself. Nothing is parsed here.
"""

from __future__ import annotations

import ast
import copyreg
from typing import Any

import gast


def _reduced(node: Any, protocol: int) -> tuple[Any, ...]:
    """How a node is copied: trees of Python's own forget what is in slots."""
    slots: tuple[str, ...] = node.__slots__
    held = {name: getattr(node, name) for name in slots if hasattr(node, name)}
    return copyreg.__newobj__, (type(node),), (node.__dict__ or None, held)  # pyright: ignore


def _slotted(kind: Any) -> Any:
    own = {"__slots__": (*kind._fields, *kind._attributes), "__reduce_ex__": _reduced}
    return type(kind.__name__, (kind,), own)


def _subclasses(base: type) -> list[type]:
    below = [kind for kind in base.__subclasses__() if kind.__module__ in ("ast", "_ast")]
    return below + [kind for child in below for kind in _subclasses(child)]


SHARED: dict[type, Any] = {
    kind: getattr(gast, kind.__name__)()
    for base in (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    for kind in _subclasses(base)
}
"""The one node of each context and operator, by Python's class."""
CLASSES: dict[type, Any] = {
    kind: _slotted(getattr(gast, kind.__name__))
    for kind in _subclasses(ast.AST)
    if kind not in SHARED and hasattr(gast, kind.__name__)
}
"""The classes of all other nodes, by Python's."""
CLASSES[ast.arg] = CLASSES[ast.Name]
