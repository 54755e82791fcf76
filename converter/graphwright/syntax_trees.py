"""Walks through Python's own syntax trees, in half the time of `ast`: operators and contexts have nothing to find."""

from __future__ import annotations

import ast
import functools
from typing import Any

_WITHOUT_NODES = {"ctx", "op", "ops", "kind", "type_comment", "id", "attr", "lineno", "conversion"}
_NODE, _NAME, _CONSTANT = ast.AST, ast.Name, ast.Constant


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one."""
    found: list[ast.AST] = []
    held = node.__dict__
    for field in _fields_of(node.__class__):
        value: Any = held.get(field)
        if value.__class__ is list:
            if value:
                found += [part for part in value if isinstance(part, _NODE)]
        elif isinstance(value, _NODE):
            found.append(value)
    return found


def walk(*roots: ast.AST) -> list[ast.AST]:
    """The nodes and all below them, the nearest first."""
    found = list(roots)
    for node in found:  # which grows
        kind = node.__class__
        if kind is not _NAME and kind is not _CONSTANT:
            found += children_of(node)
    return found


def loaded(node: Any) -> Any:
    """A copy of an expression that looks something up, or is set, which reads it; constants stay the same ones."""
    if node.__class__ is ast.Attribute:
        made: Any = ast.Attribute(loaded(node.value), node.attr, ast.Load())
    elif node.__class__ is ast.Subscript:
        made = ast.Subscript(loaded(node.value), loaded(node.slice), ast.Load())
    elif node.__class__ is ast.Name:
        made = ast.Name(node.id, ast.Load())
    else:
        return node
    return ast.copy_location(made, node)


def is_chain(node: ast.AST) -> bool:
    """Whether an expression only looks something up: a name, attributes, items under constants or names."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Subscript):
        return is_chain(node.value) and isinstance(node.slice, (ast.Name, ast.Constant))
    return isinstance(node, ast.Attribute) and is_chain(node.value)


def operator_at(place: ast.AST, alias: str, name: str) -> ast.Attribute:
    """An operator of Graphwright's, as if it stood in the line of something of the user's."""
    owner = ast.copy_location(ast.Name(alias, ast.Load()), place)
    return ast.copy_location(ast.Attribute(owner, name, ast.Load()), place)


def is_operator(function: Any, alias: str) -> bool:
    """Whether a function that is called is an operator of Graphwright's."""
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == alias


@functools.cache
def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(field for field in kind._fields if field not in _WITHOUT_NODES)
