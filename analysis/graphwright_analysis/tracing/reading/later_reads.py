"""Where a name is read after a branch: at all, or whichever way was gone through it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.flow import total_activity
from graphwright_analysis.flow.tree import kind_of, walk
from graphwright_analysis.syntax.names import Symbol, symbol_of
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import place_of

from . import name_lookup


def first(frame: Frame, node: gast.If, symbol: Symbol, attribute: str | None = None) -> Place | None:
    """The first place after the statement that reads the symbol, or that attribute of it."""
    body: Sequence[gast.AST] = getattr(name_lookup.frame_function(frame), "body", ())
    if not isinstance(body, list):
        return None
    end = frame.block.range_of(node).end
    best: Place | None = None
    for statement in body:
        for child in walk(statement):
            if attribute is not None:
                if not isinstance(child, gast.Attribute) or child.attr != attribute:
                    continue
                child = child.value
            if isinstance(child, gast.Name) and child.id == symbol.root and isinstance(child.ctx, gast.Load):
                place = place_of(frame, child)
                if place.range.start >= end and (best is None or place.range.start < best.range.start):
                    best = place
    return best


def sure(frame: Frame, node: gast.If, symbol: Symbol) -> Place | None:
    """The first place that reads the symbol whichever way was gone through the statement."""
    for statement in _following(name_lookup.frame_function(frame), node) or ():
        if isinstance(statement, gast.AugAssign) and symbol_of(statement.target) == symbol:
            return place_of(frame, statement.target)
        heads = _HEADS.get(kind_of(statement))
        for part in [statement] if heads is None else [getattr(statement, name) for name in heads]:
            for child in _always(part):
                if symbol_of(child) == symbol and isinstance(getattr(child, "ctx", None), gast.Load):
                    return place_of(frame, child)
        if symbol in total_activity([statement]).writes or _leaves_early(statement):
            return None
    return None


_HEADS: dict[str, tuple[str, ...]] = {
    "If": ("test",),
    "While": ("test",),
    "For": ("iter",),
    "Match": ("subject",),
    **dict.fromkeys(("With", "Try", "FunctionDef", "ClassDef"), ()),
}
"""What is evaluated of a compound statement wherever it is executed."""


def _following(around: gast.AST, node: gast.AST) -> list[gast.stmt] | None:
    """The statements that are executed after one, in whose own list and those around it, as long as no loop is."""
    for name in ("body", "orelse"):
        statements: list[gast.stmt] = getattr(around, name, [])
        for at, each in enumerate(statements if isinstance(statements, list) else []):  # pyright: ignore[reportUnnecessaryIsInstance]
            if each is node:
                return statements[at + 1 :]
            inner = _following(each, node) if isinstance(each, (gast.If, gast.With)) else None
            if inner is not None:
                return [*inner, *statements[at + 1 :]]
    return None


def _always(node: gast.AST) -> Iterator[gast.AST]:
    """The expressions that are evaluated wherever this one is."""
    yield node
    if isinstance(node, gast.BoolOp):
        yield from _always(node.values[0])
    elif isinstance(node, gast.IfExp):
        yield from _always(node.test)
    elif not isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
        for child in gast.iter_child_nodes(node):
            yield from _always(child)


def _leaves_early(statement: gast.stmt) -> bool:
    return any(isinstance(child, (gast.Return, gast.Raise, gast.Break, gast.Continue)) for child in walk(statement))
