"""Keeps a file as a row of parsed top-level blocks, and after an edit parses only those whose text changed.

Of a class it is the header and the members, each by itself. It doesn't look at what the statements mean.

The result is a function of the text alone: a previous module only saves work.
"""

from __future__ import annotations

import bisect
import copy
import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import gast

from graphwright_analysis.text import LineIndex

from .block import BASE, Block, ClassPart, Kind, Module
from .blocks import BlockCut, KnownLines, LogicalLine, cut, logical_lines
from .classes import ClassCut, cut_class
from .recover import parse_text
from .same_code import code_in, moves
from .standins import SyntaxProblem


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
        starts_of[block.source] = start
        for part in block.parts:
            starts_of[part.block] = starts_of[part.block.source] = start + part.offset
    return Module(text, blocks, starts, LineIndex(text), starts_of, reaches)


class Spare:
    """Blocks that a module had before, which are used again where the same text is parsed."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._whole: dict[str, deque[Block]] = {}
        self._parts: dict[tuple[str, str], deque[Block]] = {}
        self._by_code: dict[str, dict[tuple[str, ...], deque[Block]]] = {}
        """Of each kind those that are left, by their code, once that is asked for."""
        self._used = set[Block]()
        for block in blocks:
            self._whole.setdefault(block.text, deque()).append(block)

    def blocks(self, cuts: Sequence[tuple[str, BlockCut]]) -> list[Block]:
        """The blocks that texts were cut into; to be asked once."""
        texts = [text[piece.start : piece.end] for text, piece in cuts]
        same = [self._taken(self._whole.get(text)) for text in texts]
        # What is left of classes that changed has parts that didn't.
        for block in [block for left in self._whole.values() for block in left]:
            for part in block.parts:
                self._parts.setdefault((part.block.kind, part.block.text), deque()).append(part.block)
        return [
            self._parsed(text, piece) if block is None else block
            for text, (_, piece), block in zip(texts, cuts, same, strict=True)
        ]

    def _taken(self, row: deque[Block] | None) -> Block | None:
        """The first of some that isn't used yet."""
        while row:
            block = row.popleft()
            if block not in self._used:
                self._used.add(block)
                return block
        return None

    def _same_code(self, kind: Kind, text: str, lines: Sequence[LogicalLine] = ()) -> Block | None:
        """A block for a text with the code of one that is left and was parsed without trouble; that one is used."""
        if kind not in self._by_code:
            self._by_code[kind] = _by_code(
                [block for row in self._whole.values() for block in row]
                if kind == "block"
                else [block for (of, _), row in self._parts.items() for block in row if of == kind]
            )
        if not self._by_code[kind]:
            return None
        lines = lines or tuple(logical_lines(text))
        code = code_in(text, lines)
        block = None if code is None else self._taken(self._by_code[kind].get(code))
        return None if block is None else _with_text(block, text, lines)

    def _parsed(self, text: str, piece: BlockCut) -> Block:
        lines = LineIndex(text)
        outline = _moved(piece.lines, -piece.start)
        cuts = cut_class(text, outline)
        made = None if cuts is None else self._class(text, lines, cuts, outline)
        if made is not None:
            return made
        known = self._same_code("block", text, outline)
        if known is not None:
            return known
        parsed = parse_text(text, lines)
        return Block(text, parsed.statements, parsed.broken, lines, parsed.problems)

    def _class(self, text: str, lines: LineIndex, cuts: ClassCut, outline: tuple[LogicalLine, ...]) -> Block | None:
        """A class put together from its parts; None where its header is too odd."""
        start, end = cuts.header
        header = self._parts_of("header", [f"{text[start:end]}{cuts.indent}pass\n"])[0]
        only: Any = header.statements[0] if len(header.statements) == 1 else None
        if not isinstance(only, gast.ClassDef) or len(only.body) != 1 or not isinstance(only.body[0], gast.Pass):
            return None
        members = self._parts_of("member", [text[start:end] for start, end in cuts.members])
        starts = [start, *[start for start, _ in cuts.members]]
        parts = [ClassPart(start, part) for start, part in zip(starts, [header, *members], strict=True)]
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

    def _parts_of(self, kind: Kind, texts: Sequence[str]) -> list[Block]:
        same = [self._taken(self._parts.get((kind, text))) for text in texts]
        return [self._part(kind, text) if part is None else part for text, part in zip(texts, same, strict=True)]

    def _part(self, kind: Kind, source: str) -> Block:
        known = self._same_code(kind, source)
        if known is not None:
            return known
        lines, base = LineIndex(source), next(_numbers) * BASE
        parsed = parse_text(source, lines, indented=kind == "member", base=base)
        return Block(source, parsed.statements, parsed.broken, lines, parsed.problems, kind, base)


def _by_code(blocks: Iterable[Block]) -> dict[tuple[str, ...], deque[Block]]:
    """Blocks that were parsed without trouble, by their code."""
    found: dict[tuple[str, ...], deque[Block]] = {}
    for block in blocks:
        if not (block.parts or block.problems or block.broken):
            code = code_in(block.text, _lines_of(block))
            if code is not None:
                found.setdefault(code, deque()).append(block)
    return found


def _lines_of(block: Block) -> tuple[LogicalLine, ...]:
    return block.outline or tuple(logical_lines(block.text))


def _with_text(block: Block, text: str, lines: Sequence[LogicalLine]) -> Block:
    """A block for a text that has the same code; the tree stays, its places move."""
    source = block.source
    if source.text == text:
        return source
    moved = moves(_lines_of(source), lines)
    return Block(text, source.statements, (), LineIndex(text), (), source.kind, source.base, origin=source, moves=moved)


_numbers = itertools.count(1)


def _changed(text: str, previous: Module | None) -> tuple[int, int, list[BlockCut]]:
    """How many of the previous blocks are kept in front and after, and the cuts of what is between."""
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
    cuts: list[BlockCut] = []
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
