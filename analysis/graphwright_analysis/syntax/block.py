"""A file as a row of blocks, each with its tree, and where the nodes of a tree are in the file.

How blocks come from a text is in `parse`. A block's tree has positions in the block, so that it can be used again where
the block has merely moved; a class has the trees of its parts, whose lines are counted from a number of their own
(`Block.base`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import gast

from graphwright_analysis.text import LineIndex, Range

from .blocks import LogicalLine
from .same_code import UNMOVED, Moves
from .standins import SyntaxProblem

Kind = Literal["block", "header", "member"]


class ClassPart(NamedTuple):
    """A piece of a class, and where it begins in the class's block."""

    offset: int
    block: Block


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One top-level statement with its clauses, decorators and comments, or a part of a class.

    Identity is equality. A class that is cut into parts holds their nodes, but for its own.
    """

    text: str
    statements: tuple[gast.stmt, ...]
    broken: tuple[Range, ...]
    lines: LineIndex
    problems: tuple[SyntaxProblem, ...] = ()
    kind: Kind = "block"
    base: int = 0
    """What is added to the line numbers of its nodes, so that they tell the part that they are from."""
    parts: tuple[ClassPart, ...] = ()
    """A class's header, whose class has no body, and its members."""
    part_at: dict[int, ClassPart] = field(default_factory=lambda: {}, repr=False)
    outline: tuple[LogicalLine, ...] = field(default=(), repr=False)
    """The logical lines of a class that is cut into parts."""
    origin: Block | None = None
    """The block with the same code whose nodes these are."""
    moves: Moves = UNMOVED
    """How places in the origin move to this text."""
    matches: dict[re.Pattern[str], re.Match[str] | None] = field(default_factory=lambda: {}, repr=False)
    ranges: dict[gast.AST, Range] = field(default_factory=lambda: {}, repr=False)
    """Where nodes are that were asked about: the same ones are with each run of their code."""

    @property
    def source(self) -> Block:
        """The block that was parsed: the same one as long as the code is the same."""
        return self if self.origin is None else self.origin

    @property
    def traced(self) -> Block:
        """What is run: a class as it is now, anything else as it was parsed."""
        return self if self.parts else self.source

    @property
    def head(self) -> Block:
        """What tells the block from others when the members of the class change."""
        return self.parts[0].block.source if self.parts else self.source

    @property
    def pieces(self) -> tuple[Block, ...]:
        """What was parsed by itself."""
        return tuple(part.block.source for part in self.parts) or (self.source,)

    def first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern in the text; what was asked before is known."""
        if pattern not in self.matches:
            self.matches[pattern] = pattern.search(self.text)
        return self.matches[pattern]

    def range_of(self, node: gast.AST) -> Range:
        """Where a node is in the block's text.

        A node without a position has that of its children, else that of what it is in; (0, 0) if the node is not
        from this block.
        """
        found = self.ranges.get(node)
        if found is None:
            found = _own_range(self, node) or _children_range(self, node) or _surrounding_range(self, node)
            self.ranges[node] = found
        return found

    def lines_of(self, node: Any) -> tuple[int, int]:
        """The first and the last line of a node that has a position, the block's first line being 1."""
        span = self.range_of(node)
        return self.lines.line_of(span.start) + 1, self.lines.line_of(max(span.end - 1, span.start)) + 1

    def is_broken(self, node: gast.AST) -> bool:
        """Whether the node is (part of) a stand-in for code that can't be parsed."""
        if not self.broken:
            return False
        span = self.range_of(node)
        return any(part.start <= span.start and span.end <= part.end for part in self.broken)


@dataclass(frozen=True, eq=False)
class Module:
    """A file's text and its blocks, which together are all of it."""

    text: str
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]
    lines: LineIndex
    starts_of: dict[Block, int] = field(repr=False)  # parts of classes, too
    reaches: tuple[int, ...] = field(repr=False)  # how far the text was looked at to find each block's end

    def start_of(self, block: Block) -> int:
        """The offset of a block of this module, or of a part of one."""
        return self.starts_of[block]

    @functools.cached_property
    def pieces(self) -> tuple[Block, ...]:
        """The blocks, with the parts of those that are cut into parts in their place."""
        return tuple(piece for block in self.blocks for piece in block.pieces)

    def first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern that stays within one statement; comments between methods aren't looked at."""
        return next((match for piece in self.pieces if (match := piece.first(pattern)) is not None), None)

    @functools.cached_property
    def report_blocks(self) -> Mapping[Block, tuple[Block, Moves, int]]:
        """The blocks of this text in which to tell of parts of classes, and of blocks with the same code; with how
        places in those move, and where what they are then places in begins."""
        found: dict[Block, tuple[Block, Moves, int]] = {}
        for block in self.blocks:
            if block.origin is not None:
                found[block.origin] = block, block.moves, 0
            found.update((part.block.source, (block, part.block.moves, part.offset)) for part in block.parts)
        return found

    def range_of(self, block: Block, node: gast.AST) -> Range:
        """Where a node of a block is in the file."""
        return block.range_of(node).shifted(self.starts_of[block])

    def block_at(self, offset: int) -> Block:
        """The block that holds an offset; one outside of the text counts as its nearest end."""
        return self.blocks[max(bisect.bisect_right(self.starts, offset) - 1, 0)]

    @property
    def errors(self) -> tuple[SyntaxProblem, ...]:
        """What Python says of the code that can't be parsed."""
        return tuple(
            SyntaxProblem(problem.range.shifted(start), problem.message)
            for block, start in zip(self.blocks, self.starts, strict=True)
            for problem in block.problems
        )


BASE = 1 << 20
"""More lines than any file has."""


def _own_range(block: Block, node: Any) -> Range | None:
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    if block.origin is not None:
        own = _own_range(block.origin, node)
        return None if own is None else block.moves.range(own)
    end_line, end_column = getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or 0
    starts, base, limit = block.lines.starts, block.base, len(block.text)
    if 0 < line - base <= end_line - base <= len(starts) and block.text.isascii():
        near = Range(starts[line - base - 1] + node.col_offset, starts[end_line - base - 1] + end_column)
        if 0 <= near.start <= near.end <= limit:
            return near
    start, end = _offset(block, line, node.col_offset), _offset(block, end_line, end_column)
    return Range(min(start, limit), min(max(start, end), limit))


def _offset(block: Block, line: int, column: int) -> int:
    """Where a line and column of a node are in the block, or in the part that the line is from."""
    part = block.part_at.get(line // BASE)
    if part is not None:
        return part.offset + min(_offset(part.block, line, column), len(part.block.text))
    if block.origin is not None:
        return block.moves.range(Range(0, _offset(block.origin, line, column))).end
    line = min(max(line - block.base, 1), len(block.lines.starts))
    return block.lines.offset_of_utf8(line, max(column, 0))


def _children_range(block: Block, node: gast.AST) -> Range | None:
    ranges = [found for child in gast.walk(node) if (found := _own_range(block, child)) is not None]
    if not ranges:
        return None
    return Range(min(found.start for found in ranges), max(found.end for found in ranges))


def _surrounding_range(block: Block, node: gast.AST) -> Range:
    pending: list[tuple[gast.AST, Range]] = [(statement, Range(0, 0)) for statement in block.statements]
    while pending:
        parent, outer = pending.pop()
        own = _own_range(block, parent) or outer
        for child in gast.iter_child_nodes(parent):
            if child is not node:
                pending.append((child, own))
            elif isinstance(parent, gast.ExceptHandler) and isinstance(child, gast.Name):
                return _handler_name(block, own, child.id)
            else:
                return own
    return Range(0, 0)


def _handler_name(block: Block, handler: Range, name: str) -> Range:
    match = re.compile(rf"\bas\s+({re.escape(name)})\b").search(block.text, handler.start, handler.end)
    return Range(match.start(1), match.end(1)) if match else handler
