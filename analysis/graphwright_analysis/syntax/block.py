"""A file as a sequence of blocks, each with its tree, and the places of nodes in the file.

`parse` creates the blocks of a text. A block's tree has positions relative to the block, so it can be reused if the
block has only moved. A class has the trees of its parts, whose lines count from a number of their own (`Block.base`).
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import LineIndex, Range

from .blocks import LogicalLine
from .same_code import UNMOVED, Moves
from .standins import SyntaxProblem

Kind = Literal["block", "header", "member"]


class ClassPart(NamedTuple):
    """A part of a class, and where it begins in the class's block."""

    offset: int
    block: Block


@immutable(eq=False)
class Block:
    """One top-level statement with its clauses, decorators and comments, or a part of a class.

    Blocks are compared by identity. A class that is split into parts contains their nodes instead of its own.
    """

    text: str
    statements: tuple[gast.stmt, ...]
    broken: tuple[Range, ...]
    lines: LineIndex
    problems: tuple[SyntaxProblem, ...] = ()
    kind: Kind = "block"
    base: int = 0
    """The offset of the line numbers of its nodes, which identifies the part that they are from."""
    parts: tuple[ClassPart, ...] = ()
    """The header of a class, without its body, and its members."""
    part_at: dict[int, ClassPart] = field(default_factory=lambda: {}, repr=False)
    outline: tuple[LogicalLine, ...] = field(default=(), repr=False)
    """The logical lines of a class that is split into parts."""
    origin: Block | None = None
    """The block with the same code that these nodes are from."""
    moves: Moves = UNMOVED
    """How places in the origin move to this text."""
    matches: dict[re.Pattern[str], re.Match[str] | None] = field(default_factory=lambda: {}, repr=False)
    ranges: dict[gast.AST, Range] = field(default_factory=lambda: {}, repr=False)
    """The ranges of nodes that were requested: each run of the code needs the same ones."""

    @property
    def source(self) -> Block:
        """The block that was parsed: the same one as long as the code is the same."""
        return self if self.origin is None else self.origin

    @property
    def traced(self) -> Block:
        """What runs: a class as it is now, anything else as it was parsed."""
        return self if self.parts else self.source

    @property
    def head(self) -> Block:
        """The text that identifies the block when the members of the class change."""
        return self.parts[0].block.source if self.parts else self.source

    @property
    def pieces(self) -> tuple[Block, ...]:
        """The parts that were parsed separately."""
        return tuple(part.block.source for part in self.parts) or (self.source,)

    def first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern in the text; cached."""
        if pattern not in self.matches:
            self.matches[pattern] = pattern.search(self.text)
        return self.matches[pattern]

    def range_of(self, node: gast.AST) -> Range:
        """The range of a node in the block's text.

        A node without a position has that of its children, or else of its parent; (0, 0) if it isn't from this block.
        """
        found = self.ranges.get(node)
        if found is None:
            found = _own_range(self, node) or _children_range(self, node) or _surrounding_range(self, node)
            self.ranges[node] = found
        return found

    def lines_of(self, node: Any) -> tuple[int, int]:
        """The first and the last line of a node with a position, counting from the block's first line as 1."""
        span = self.range_of(node)
        return self.lines.line_of(span.start) + 1, self.lines.line_of(max(span.end - 1, span.start)) + 1

    def is_broken(self, node: gast.AST) -> bool:
        """True if the node is, or is part of, a placeholder for code that can't be parsed."""
        if not self.broken:
            return False
        span = self.range_of(node)
        return any(part.start <= span.start and span.end <= part.end for part in self.broken)


@immutable(eq=False, slots=False)
class Module:
    """A file's text and the blocks that it consists of."""

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
        """The blocks, with the parts of split ones in their place."""
        return tuple(piece for block in self.blocks for piece in block.pieces)

    def first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern within one statement; comments between methods are ignored."""
        return next((match for piece in self.pieces if (match := piece.first(pattern)) is not None), None)

    @functools.cached_property
    def report_blocks(self) -> Mapping[Block, tuple[Block, Moves, int]]:
        """The blocks of this text in which to report parts of classes, and blocks with the same code.

        Each with how places in it move, and where it then begins.
        """
        found: dict[Block, tuple[Block, Moves, int]] = {}
        for block in self.blocks:
            if block.origin is not None:
                found[block.origin] = block, block.moves, 0
            found.update((part.block.source, (block, part.block.moves, part.offset)) for part in block.parts)
        return found

    def range_of(self, block: Block, node: gast.AST) -> Range:
        """The range of a block's node in the file."""
        return block.range_of(node).shifted(self.starts_of[block])

    def block_at(self, offset: int) -> Block:
        """The block that contains an offset; an offset outside of the text is in the nearest block."""
        return self.blocks[max(bisect.bisect_right(self.starts, offset) - 1, 0)]

    @property
    def errors(self) -> tuple[SyntaxProblem, ...]:
        """Python's messages about the code that can't be parsed."""
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
    """The offset of a line and column of a node in the block, or in the part that the line is from."""
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
