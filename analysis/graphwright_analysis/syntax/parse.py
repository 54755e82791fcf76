"""Keeps a file as a row of parsed top-level blocks, and after an edit parses only those whose text changed.

Of a class it is the header and the members, each by itself. It doesn't look at what the statements mean.

The result is a function of the text alone: a previous module only saves work.
A block's tree has positions in the block, so that it can be used again where the block has merely moved; a class has
the trees of its parts, whose lines are counted from a number of their own (`Block.base`).
"""

from __future__ import annotations

import bisect
import copy
import functools
import itertools
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import gast

from graphwright_analysis.text import LineIndex, Range

from .blocks import Cut, KnownLines, LogicalLine, cut
from .classes import ClassCut, cut_class
from .recover import parse_text
from .standins import SyntaxProblem


class Part(NamedTuple):
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
    kind: Literal["block", "header", "member"] = "block"
    base: int = 0
    """What is added to the line numbers of its nodes, so that they tell the part that they are from."""
    parts: tuple[Part, ...] = ()
    """A class's header, whose class has no body, and its members."""
    part_at: dict[int, Part] = field(default_factory=lambda: dict[int, Part](), repr=False)
    outline: tuple[LogicalLine, ...] = field(default=(), repr=False)
    """The logical lines of a class that is cut into parts."""
    matches: dict[re.Pattern[str], re.Match[str] | None] = field(
        default_factory=lambda: dict[re.Pattern[str], "re.Match[str] | None"](), repr=False
    )

    @property
    def head(self) -> Block:
        """What tells the block from others when the members of the class change."""
        return self.parts[0].block if self.parts else self

    @property
    def pieces(self) -> tuple[Block, ...]:
        """What is parsed by itself."""
        return tuple(part.block for part in self.parts) or (self,)

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
        found = _own_range(self, node) or _children_range(self, node)
        return found if found is not None else _surrounding_range(self, node)

    def lines_of(self, node: Any) -> tuple[int, int]:
        """The first and the last line of a node that has a position, the block's first line being 1."""
        return self._line(node.lineno), self._line(getattr(node, "end_lineno", None) or node.lineno)

    def _line(self, line: int) -> int:
        part = self.part_at.get(line // BASE)
        return line - self.base if part is None else self.lines.line_of(part.offset) + line % BASE

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
    def wholes(self) -> Mapping[Block, tuple[Block, int]]:
        """The class that each part of one is from, and where the part begins in it."""
        return {part.block: (block, part.offset) for block in self.blocks for part in block.parts}

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


def parse_module(text: str, previous: Module | None = None) -> Module:
    """The module of any text whatever; blocks of `previous` with the same text are used again. Never raises."""
    if previous is not None and previous.text == text:
        return previous
    front, back, cuts = _changed(text, previous)
    kept_front = previous.blocks[:front] if previous else ()
    kept_back = previous.blocks[len(previous.blocks) - back :] if previous else ()
    spare = Spare(previous.blocks[front : len(previous.blocks) - back] if previous else ())
    changed = spare.blocks([(text, piece) for piece in cuts])
    blocks = (*kept_front, *changed, *kept_back)
    moved = len(text) - len(previous.text) if previous else 0
    reaches: list[int] = [piece.reach for piece in cuts]
    if previous:
        behind = previous.reaches[len(previous.blocks) - back :]
        reaches = [*previous.reaches[:front], *reaches, *(reach + moved for reach in behind)]
    return module_of(text, blocks, tuple(reaches))


def module_of(text: str, blocks: tuple[Block, ...], reaches: tuple[int, ...]) -> Module:
    """The module whose blocks these are."""
    starts = (0, *itertools.accumulate(len(block.text) for block in blocks))[: len(blocks)]
    starts_of = dict(zip(blocks, starts, strict=True))
    for block, start in zip(blocks, starts, strict=True):
        starts_of.update((part.block, start + part.offset) for part in block.parts)
    return Module(text, blocks, starts, LineIndex(text), starts_of, reaches)


class Spare:
    """Blocks that a module had before, which are used again where the same text is parsed."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._whole: dict[str, deque[Block]] = {}
        self._parts: dict[tuple[str, str], deque[Block]] = {}
        for block in blocks:
            self._whole.setdefault(block.text, deque()).append(block)

    def blocks(self, cuts: Sequence[tuple[str, Cut]]) -> list[Block]:
        """The blocks that texts were cut into; to be asked once."""
        texts = [text[piece.start : piece.end] for text, piece in cuts]
        same = [self._taken(text) for text in texts]
        # What is left of classes that changed has parts that didn't.
        for block in [block for left in self._whole.values() for block in left]:
            for part in block.parts:
                self._parts.setdefault((part.block.kind, part.block.text), deque()).append(part.block)
        return [
            self._parsed(text, piece) if block is None else block
            for text, (_, piece), block in zip(texts, cuts, same, strict=True)
        ]

    def _taken(self, text: str) -> Block | None:
        same = self._whole.get(text)
        return same.popleft() if same else None

    def _parsed(self, text: str, piece: Cut) -> Block:
        lines = LineIndex(text)
        outline = _moved(piece.lines, -piece.start)
        cuts = cut_class(text, outline)
        made = None if cuts is None else self._class(text, lines, cuts, outline)
        if made is not None:
            return made
        parsed = parse_text(text, lines)
        return Block(text, parsed.statements, parsed.broken, lines, parsed.problems)

    def _class(self, text: str, lines: LineIndex, cuts: ClassCut, outline: tuple[LogicalLine, ...]) -> Block | None:
        """A class put together from its parts; None where its header is too odd."""
        start, end = cuts.header
        header = self._part("header", f"{text[start:end]}{cuts.indent}pass\n")
        only: Any = header.statements[0] if len(header.statements) == 1 else None
        if not isinstance(only, gast.ClassDef) or len(only.body) != 1 or not isinstance(only.body[0], gast.Pass):
            return None
        parts = [Part(start, header)]
        for start, end in cuts.members:
            parts.append(Part(start, self._part("member", text[start:end])))
        body = [statement for part in parts[1:] for statement in part.block.statements]
        if not body:
            return None
        whole: Any = copy.copy(only)
        whole.body = body
        whole.end_lineno, whole.end_col_offset = body[-1].end_lineno, body[-1].end_col_offset
        return Block(
            text,
            (whole,),
            tuple(broken.shifted(part.offset) for part in parts for broken in part.block.broken),
            lines,
            tuple(
                SyntaxProblem(problem.range.shifted(part.offset), problem.message)
                for part in parts
                for problem in part.block.problems
            ),
            parts=tuple(parts),
            part_at={part.block.base // BASE: part for part in parts},
            outline=outline,
        )

    def _part(self, kind: Literal["header", "member"], source: str) -> Block:
        same = self._parts.get((kind, source))
        if same:
            return same.popleft()
        lines, base = LineIndex(source), next(_numbers) * BASE
        parsed = parse_text(source, lines, indented=kind == "member", base=base)
        return Block(source, parsed.statements, parsed.broken, lines, parsed.problems, kind, base)


BASE = 1 << 20
"""More lines than any file has."""
_numbers = itertools.count(1)


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
    known = _known_lines(previous, front, text, same_front, same_back) if front < count else None
    for piece in cut(text, start, known):
        index = bisect.bisect_left(previous.starts, piece.start - moved)
        reused = piece.start >= len(text) - same_back and index >= front and index < count
        if reused and previous.starts[index] == piece.start - moved:
            return front, count - index, cuts
        cuts.append(piece)
    return front, 0, cuts


def _known_lines(previous: Module, front: int, text: str, same_front: int, same_back: int) -> KnownLines:
    """What is known of the logical lines of the first block that isn't kept."""
    block, start, moved = previous.blocks[front], previous.starts[front], len(text) - len(previous.text)
    kept = 0
    while kept < len(block.outline) and start + block.outline[kept].reach < same_front:
        kept += 1
    behind = next(
        (
            at
            for at in range(kept, len(block.outline))
            if start + block.outline[at].start >= len(previous.text) - same_back
        ),
        len(block.outline),
    )
    later = _moved(block.outline[behind:], start + moved)
    return KnownLines(_moved(block.outline[:kept], start), {line.start: at for at, line in enumerate(later)}, later)


def _moved(lines: Sequence[LogicalLine], by: int) -> tuple[LogicalLine, ...]:
    if not by:
        return tuple(lines)
    return tuple([LogicalLine(a + by, b + by, c + by, width, d + by) for a, b, c, width, d in lines])


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
