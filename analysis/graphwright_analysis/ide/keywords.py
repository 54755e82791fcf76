"""Where the keywords of control flow stand: trees know where a statement begins, not where its `else` is.

What a keyword's statement does is in `control_flow`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Decided

_WORD = re.compile(r"async\s+for|elif|else|for|if|while|in")


def keywords(block: Block, node: Decided) -> Iterator[Range]:
    """The keywords of an `if`, a loop or a conditional expression, in the order of the text."""
    if isinstance(node, gast.IfExp):
        yield from _between(block, "if", block.range_of(node.body).end, block.range_of(node.test).start)
        yield from _between(block, "else", block.range_of(node.test).end, block.range_of(node.orelse).start)
        return
    start = block.range_of(node).start
    word = _WORD.match(block.text, start)
    if word is not None:
        yield Range(*word.span())
    if isinstance(node, gast.For):
        yield from _between(block, "in", block.range_of(node.target).end, block.range_of(node.iter).start)
    if node.orelse and not _is_elif(block, node):
        yield from _between(block, "else", block.range_of(node.body[-1]).end, block.range_of(node.orelse[0]).start)


def keyword_at(block: Block, path: Sequence[gast.AST], offset: int) -> tuple[Decided, Range] | None:
    """The construct of which a keyword stands at an offset, and that keyword."""
    for node in reversed(path):
        if isinstance(node, Decided):
            for span in keywords(block, node):
                if span.contains(offset):
                    return node, span
    return None


def _is_elif(block: Block, node: gast.If | gast.For | gast.While) -> bool:
    first = node.orelse[0]
    return (
        isinstance(node, gast.If)
        and isinstance(first, gast.If)
        and block.text.startswith("elif", block.range_of(first).start)
    )


def _between(block: Block, word: str, start: int, end: int) -> Iterator[Range]:
    """The last time that a word stands alone in a stretch, comments left out."""
    stretch = re.sub(r"#[^\r\n]*", lambda match: " " * len(match.group()), block.text[start:end])
    found = list(re.finditer(rf"\b{word}\b", stretch))
    if found:
        yield Range(start + found[-1].start(), start + found[-1].end())
