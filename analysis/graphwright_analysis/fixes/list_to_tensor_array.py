"""A list that is filled in a staged loop, rewritten as a `tf.TensorArray`."""

from __future__ import annotations

import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ListChanged
from graphwright_analysis.values.domain import dtype_of


def rewrite(change: ListChanged, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """The edits, or None unless every use of the list's name is its making, one append, or a `tf.stack` of it."""
    created, name, dtype = change.created, change.symbol, dtype_of(change.element)
    if created is None or name is None or dtype is None or tensorflow is None or change.how != "append":
        return None
    if change.construct_kind != "loop" or created.block is not change.place.block:
        return None
    block, text = created.block, created.block.text
    if text[created.range.start : created.range.end] != "[]":
        return None
    start, end = _function_around(text, created.range.start)
    append = text[change.place.range.start : change.place.range.end]
    argument = re.fullmatch(rf"{name}\.append\((.*)\)", append, re.DOTALL)
    stacks = [
        Range(start + m.start(), start + m.end())
        for m in re.finditer(rf"{re.escape(tensorflow)}\.stack\(\s*{name}\s*\)", text[start:end])
    ]
    uses = len(re.findall(rf"(?<![\w.]){name}\b", text[start:end]))
    if argument is None or not stacks or uses != 2 + len(stacks) or "\n" in append:
        return None
    made = f"{tensorflow}.TensorArray({tensorflow}.{dtype}, size=0, dynamic_size=True)"
    return (
        (created, made),
        (change.place, f"{name} = {name}.write({name}.size(), {argument.group(1)})"),
        *((Place(block, span), f"{name}.stack()") for span in stacks),
    )


def _function_around(text: str, offset: int) -> tuple[int, int]:
    """The lines of the innermost `def` around an offset."""
    line = text.rfind("\n", 0, offset) + 1
    indent = len(text[line:offset]) - len(text[line:offset].lstrip())
    starts = [m for m in re.finditer(r"^([ \t]*)(?:async\s+)?def\b", text[:line], re.M) if len(m.group(1)) < indent]
    if not starts:
        return 0, len(text)
    head = starts[-1]
    following = re.compile(rf"^[ \t]{{0,{len(head.group(1))}}}\S", re.M).search(text, line)
    return head.start(), following.start() if following else len(text)
