"""The loop around a cursor, and what it binds and calls.

What is made of it isn't decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range

from .functions import line_end
from .rewrite import RewriteSite

Loop = gast.For | gast.While
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


@immutable
class Ancestry:
    """A node at a place and what it stands in, the innermost last."""

    module: Module
    block: Block
    node: gast.AST
    around: tuple[gast.AST, ...]

    @property
    def loop(self) -> Loop | None:
        """The innermost loop whose turns the node belongs to."""
        inner = self.node
        for each in reversed(self.around):
            if isinstance(each, FUNCTIONS):
                return None
            if isinstance(each, gast.While) or (isinstance(each, gast.For) and inner is not each.iter):
                return each
            inner = each
        return None

    @property
    def function(self) -> gast.AST | None:
        return next((each for each in reversed(self.around) if isinstance(each, FUNCTIONS)), None)

    def place(self, node: gast.AST) -> Range:
        return self.module.range_of(self.block, node)

    def text(self, node: gast.AST) -> str:
        place = self.place(node)
        return self.module.text[place.start : place.end]

    def own_line(self, node: gast.AST) -> Range | None:
        """The lines of a statement that has them for itself, with its line end; None for any other."""
        place, text = self.place(node), self.module.text
        start = max(text.rfind(end, 0, place.start) for end in "\r\n") + 1
        lines = self.module.lines
        last = lines.line_of(place.end)
        stop = lines.starts[last + 1] if last + 1 < len(lines.starts) else len(text)
        behind = text[place.end : stop].strip()
        alone = not text[start : place.start].strip(" \t") and (not behind or behind.startswith("#"))
        return Range(start, stop) if alone else None

    def indent(self, node: gast.AST) -> str | None:
        """The blanks in front of a statement; None where it doesn't begin its line."""
        start = self.place(node).start
        blanks = self.module.text[max(self.module.text.rfind(end, 0, start) for end in "\r\n") + 1 : start]
        return None if blanks.strip(" \t") else blanks

    @property
    def end_of_line(self) -> str:
        return line_end(self.module.text)


def around(asked: RewriteSite) -> Iterator[Ancestry]:
    """The nodes that a cursor touches, the innermost first; none in code that can't be parsed."""
    module = asked.project.module(asked.path)
    if not module.blocks:
        return
    block = module.block_at(asked.range.start)
    if block.problems:
        return
    offset = asked.range.start - module.start_of(block)
    found: list[Ancestry] = []
    pending: list[tuple[gast.AST, tuple[gast.AST, ...]]] = [(each, ()) for each in block.statements]
    while pending:
        node, outer = pending.pop()
        if isinstance(node, (gast.stmt, gast.expr)) and not _touches(block, node, offset):
            continue
        if isinstance(node, (gast.stmt, gast.expr)):
            found.append(Ancestry(module, block, node, outer))
        pending += [(child, (*outer, node)) for child in gast.iter_child_nodes(node)]
    yield from sorted(found, key=lambda each: len(each.around), reverse=True)


def stored(node: gast.AST) -> set[str]:
    """The names that a piece of code binds or deletes."""
    found: set[str] = set()
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
            found.add(part.id)
        elif isinstance(part, (gast.FunctionDef, gast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, gast.alias):
            found.add((part.asname or part.name).partition(".")[0])
    return found


def names(node: gast.AST) -> set[str]:
    return {part.id for part in gast.walk(node) if isinstance(part, gast.Name)}


def _touches(block: Block, node: gast.AST, offset: int) -> bool:
    """Whether a cursor is at the node; its own line counts as far as it goes, blanks in front of it included."""
    place = block.range_of(node)
    if place.contains(offset):
        return True
    if not isinstance(node, gast.stmt):
        return False
    lines = block.lines
    return lines.line_of(place.start) == lines.line_of(min(offset, len(block.text)))
