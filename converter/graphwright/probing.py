"""How a traced function is spelt for ejecting: each expression in a call that reports its value.

What is reported is kept in `observing`.
"""

from __future__ import annotations

import types
from typing import Any, cast

import gast
from graphwright_analysis.flow.tree import FUNCTIONS

from .passes.style import Style
from .passes.unit import Unit, walk
from .pipeline import FunctionSource


class Probing(Style):
    """Graphwright's own spelling, each expression in a call that reports it."""

    def __init__(self, session: Any, code: types.CodeType, source: FunctionSource) -> None:
        self.session = session
        self.code = code
        self.numbers: dict[Any, int] = {}
        self.watched = frozenset(_watched_in(source.node))

    def is_python(self, node: Any, facts: Any) -> bool | None:
        place = self.code, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        return False if node in self.watched and place in self.session.staged else None

    def noted(self, read: Any, node: Any, text: str) -> str:
        if node not in self.watched:
            return text
        number = self.numbers.get(node)
        if number is None:
            number = self.numbers[node] = len(self.session.places)
            self.session.places.append((self.code, node))
        unit: Unit = read.unit
        owner, _, name = text.rpartition(".")
        if isinstance(node, gast.Attribute) and name.isidentifier() and not owner.endswith((" ", "\n", "super()")):
            return f'{unit.alias}.member({number}, {owner}, "{name}")'
        return f"{unit.alias}.seen({number}, {text})"


def _watched_in(function: Any) -> set[gast.AST]:
    """The expressions that are read for their value."""
    left_out: set[gast.AST] = set()
    for node in walk(function):
        if isinstance(node, FUNCTIONS):
            outside = [*node.decorator_list, node.returns]
            left_out.update(part for each in outside if each is not None for part in walk(each))
        elif isinstance(node, gast.AnnAssign):
            left_out.update(walk(node.annotation))
        elif isinstance(node, gast.match_case):
            left_out.update(walk(node.pattern))
        elif isinstance(node, gast.JoinedStr):
            left_out.update(part for each in node.values for part in _parts_in(each))
        elif isinstance(node, gast.arguments):
            annotated = [*node.args, *node.posonlyargs, *node.kwonlyargs]
            left_out.update(part for each in annotated if each.annotation is not None for part in walk(each.annotation))
        if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)) and not isinstance(node.ctx, gast.Load):
            owner: Any = node.value
            while owner is not None:
                left_out.add(owner)
                owner = getattr(owner, "value", None) if isinstance(owner, (gast.Subscript, gast.Attribute)) else None
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in _OF_PYTHON:
            left_out.add(node.func)
    found = (node for node in walk(function) if isinstance(node, _WATCHED) and node not in left_out)
    return {node for node in found if isinstance(getattr(node, "ctx", None), (gast.Load, type(None)))}


def _parts_in(piece: Any) -> list[Any]:
    """What is in a value of an f-string, which is read again as a text of its own; the value is watched as a whole."""
    whole = getattr(piece, "value", None) if isinstance(piece, gast.FormattedValue) else None
    return [part for part in walk(piece) if part is not whole]


_WATCHED = (
    gast.Name,
    gast.Attribute,
    gast.Call,
    gast.Subscript,
    gast.BinOp,
    gast.UnaryOp,
    gast.BoolOp,
    gast.Compare,
    gast.IfExp,
    gast.ListComp,
    gast.JoinedStr,
)
_OF_PYTHON = frozenset(cast("dict[str, Any]", __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)))
