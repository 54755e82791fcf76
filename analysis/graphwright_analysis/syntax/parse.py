"""Keeps a file as a row of parsed top-level blocks, and after an edit parses only those whose text changed.

It doesn't look at what the statements mean.

The result is a function of the text alone: a previous module only saves work.
A block's tree has positions in the block, so that it can be used again where the block has merely moved.
"""

from __future__ import annotations

import bisect
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import gast

from graphwright_analysis.text import LineIndex, Range

from .blocks import Cut, cut
from .comments import Comment, comments_in
from .recover import parse_text
from .standins import SyntaxProblem


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One top-level statement with its clauses, decorators and comments; identity is equality."""

    text: str
    statements: tuple[gast.stmt, ...]
    broken: tuple[Range, ...]
    lines: LineIndex
    problems: tuple[SyntaxProblem, ...] = ()

    def range_of(self, node: gast.AST) -> Range:
        """Where a node is in the block's text.

        A node without a position has that of its children, else that of what it is in; (0, 0) if the node is not
        from this block.
        """
        found = _own_range(self, node) or _children_range(self, node)
        return found if found is not None else _surrounding_range(self, node)

    def is_broken(self, node: gast.AST) -> bool:
        """Whether the node is (part of) a stand-in for code that can't be parsed."""
        if not self.broken:
            return False
        span = self.range_of(node)
        return any(part.start <= span.start and span.end <= part.end for part in self.broken)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A file's text and its blocks, which together are all of it."""

    text: str
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]
    lines: LineIndex
    starts_of: dict[Block, int] = field(repr=False)
    reaches: tuple[int, ...] = field(repr=False)  # how far the text was looked at to find each block's end

    def start_of(self, block: Block) -> int:
        """The offset of a block of this module."""
        return self.starts_of[block]

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

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Every comment; the text is scanned anew each time."""
        return tuple(
            Comment(comment.range.shifted(start), comment.text)
            for block, start in zip(self.blocks, self.starts, strict=True)
            if "#" in block.text
            for comment in comments_in(block.text)
        )


def parse_module(text: str, previous: Module | None = None) -> Module:
    """The module of any text whatever; blocks of `previous` with the same text are used again. Never raises."""
    if previous is not None and previous.text == text:
        return previous
    front, back, cuts = _changed(text, previous)
    kept_front = previous.blocks[:front] if previous else ()
    kept_back = previous.blocks[len(previous.blocks) - back :] if previous else ()
    spare: dict[str, deque[Block]] = {}
    if previous:
        for block in previous.blocks[front : len(previous.blocks) - back]:
            spare.setdefault(block.text, deque()).append(block)
    changed: list[Block] = []
    for piece in cuts:
        block_text = text[piece.start : piece.end]
        same = spare.get(block_text)
        changed.append(same.popleft() if same else parsed_block(block_text))
    blocks = (*kept_front, *changed, *kept_back)
    moved = len(text) - len(previous.text) if previous else 0
    reaches: list[int] = [piece.reach for piece in cuts]
    if previous:
        behind = previous.reaches[len(previous.blocks) - back :]
        reaches = [*previous.reaches[:front], *reaches, *(reach + moved for reach in behind)]
    starts: list[int] = []
    position = 0
    for block in blocks:
        starts.append(position)
        position += len(block.text)
    starts_of = dict(zip(blocks, starts, strict=True))
    return Module(text, blocks, tuple(starts), LineIndex(text), starts_of, tuple(reaches))


def parsed_block(text: str) -> Block:
    """A block's text, parsed by itself."""
    lines = LineIndex(text)
    parsed = parse_text(text, lines)
    return Block(text, parsed.statements, parsed.broken, lines, parsed.problems)


def _changed(text: str, previous: Module | None) -> tuple[int, int, list[Cut]]:
    """How many of the previous blocks are kept in front and behind, and the cuts of what is between."""
    if previous is None:
        return 0, 0, list(cut(text))
    old = previous.text
    same_front = _common_prefix(old, text)
    same_back = _common_suffix(old, text, min(len(old), len(text)) - same_front)
    # A cut holds if all the text that it was decided by is the same, and the last whole block never counts.
    count = len(previous.blocks)
    front = 0
    while front + 1 < count and previous.reaches[front] < same_front and previous.starts[front + 1] < same_front:
        front += 1
    start = previous.starts[front] if front < count else 0
    moved = len(text) - len(old)
    cuts: list[Cut] = []
    for piece in cut(text, start):
        index = bisect.bisect_left(previous.starts, piece.start - moved)
        reused = piece.start >= len(text) - same_back and index >= front and index < count
        if reused and previous.starts[index] == piece.start - moved:
            return front, count - index, cuts
        cuts.append(piece)
    return front, 0, cuts


def _common_prefix(first: str, second: str) -> int:
    """How many characters two texts have in common at the front."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _common_suffix(first: str, second: str, most: int) -> int:
    """How many characters two texts have in common at the end, at most `most`."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle
    return low


def _own_range(block: Block, node: Any) -> Range | None:
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    starts, limit = block.lines.starts, len(block.text)
    end_line, end_column = getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or 0
    if 0 < line <= end_line <= len(starts) and block.text.isascii():
        near = Range(starts[line - 1] + node.col_offset, starts[end_line - 1] + end_column)
        if 0 <= near.start <= near.end <= limit:
            return near
    start = block.lines.offset_of_utf8(min(max(line, 1), len(starts)), max(node.col_offset, 0))
    end = block.lines.offset_of_utf8(min(max(end_line, 1), len(starts)), max(end_column, 0))
    return Range(min(start, limit), min(max(start, end), limit))


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
