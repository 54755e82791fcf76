"""Assigns tensors to several targets: in a graph they can't be walked over.

Before:

    (a, b), d = x, 1
    (p, q), (r, s) = rows

After:

    (a, b), d = gw.unrolled(x, 2), 1
    part, part_ = gw.unrolled(rows, 2)
    (p, q) = gw.unrolled(part, 2)
    (r, s) = gw.unrolled(part_, 2)

What is unpacked in the head of a loop is written in the same way; which loops those are is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes.tensor_values import may_be_tensor
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


@dataclass(frozen=True)
class Unpacking:
    """How tensors are unpacked: which expressions may be tensors, and what is written for a text and its target."""

    is_tensor: Callable[[Any], bool]
    written: Callable[[str, Any], str]


def with_operators(lowering: Lowering) -> Unpacking:
    return Unpacking(may_be_tensor, lambda text, target: unrolled(lowering.gw, text, target))


def unrolled(gw: str, text: str, target: gast.Tuple) -> str:
    """What is unpacked into a target, which says how many parts there are unless one is starred."""
    count = "" if any(isinstance(part, gast.Starred) for part in target.elts) else f", {len(target.elts)}"
    return f"{gw}.unrolled({text}{count})"


def assigned(lowering: Any, node: Any, how: Unpacking) -> list[str] | None:
    """The lines for an assignment that may unpack tensors; None for any other."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or node in lowering.unit.templates or not _may_unpack(target, value, how):
        return None
    parts = _parts(lowering, lowering.read(node), target, value, how)
    if _is_nested(target) and how.is_tensor(value):
        return unpacked(lowering, target, parts, how)
    unit = lowering.unit
    (start, end), (value_start, value_end) = unit.span(node), unit.span(value)
    return [f"{unit.original(start, value_start)}{parts}{unit.original(value_end, end)}"]


def from_item(lowering: Lowering, target: gast.AST, item: str, is_tensor: bool) -> list[str]:
    """The lines in the body of a loop that give its targets an item."""
    how = with_operators(lowering)
    return unpacked(lowering, target, how.written(item, target) if is_tensor else item, how)


def unpacked(lowering: Lowering, target: gast.AST, value: str, how: Unpacking) -> list[str]:
    """Assignments of what may be tensors to a target, one for each tuple in it."""
    unit = lowering.unit
    if not isinstance(target, _SEQUENCES):
        return [f"{unit.original(*unit.span(target))} = {value}"]
    nested = [part for part in target.elts if isinstance(part, _SEQUENCES)]
    names: dict[Any, str] = {}
    for part in nested:
        names[part] = unit.fresh("part")
        unit.names.add(names[part])

    def part_text(part: gast.AST) -> str:
        return names.get(part) or unit.original(*unit.span(part))

    text = unit.splice(target, part_text)
    deeper = [line for part in nested for line in unpacked(lowering, part, how.written(names[part], part), how)]
    return [f"{text} = {value}", *deeper]


def _may_unpack(target: gast.AST, value: gast.AST, how: Unpacking) -> bool:
    """Whether what is unpacked, or a part of it, may be a tensor."""
    if not isinstance(target, _SEQUENCES):
        return False
    if not _is_nested(target):
        return how.is_tensor(value)
    parts = value.elts if isinstance(value, _SEQUENCES) else [value]
    return any(map(how.is_tensor, parts)) and all(isinstance(each, _NAMES) for each in walk(target))


def _parts(lowering: Any, read: Any, target: Any, value: Any, how: Unpacking) -> str:
    """The text of a value, with what is unpacked in it."""
    if _is_nested(target) and isinstance(value, _SEQUENCES) and _are_matched(target.elts, value.elts):
        targets = dict(zip(value.elts, target.elts, strict=True))

        def text_of(part: Any) -> str:
            return _parts(lowering, read, targets[part], part, how)

        return str(lowering.unit.splice(value, text_of))
    text = str(read(value))
    return how.written(text, target) if isinstance(target, _SEQUENCES) and how.is_tensor(value) else text


def _are_matched(targets: Sequence[gast.expr], values: Sequence[gast.expr]) -> bool:
    """Whether each target gets the value that stands in its place."""
    is_starred = any(isinstance(each, gast.Starred) for each in (*targets, *values))
    return len(targets) == len(values) and not is_starred


def _is_nested(target: gast.AST) -> bool:
    return any(isinstance(each, _SEQUENCES) for each in getattr(target, "elts", ()))


_SEQUENCES = (gast.Tuple, gast.List)
_NAMES = (gast.Name, gast.Starred, *_SEQUENCES)
