"""Edits to what is done with a `tf.TensorArray`."""

from __future__ import annotations

import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import OutsideCall

from .replacing import Edits, text_of


def holder(call: OutsideCall) -> str | None:
    """The expression that a method of an array is called on, where it can be assigned to."""
    text = text_of(call.function).rpartition(".")[0]
    return text if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\[\d+\])?", text) else None


def assigned(call: OutsideCall) -> Edits | None:
    """`array.write(...)` as `array = array.write(...)`, where the array was made in the same function."""
    name = holder(call)
    if name is None or not name.isidentifier() or not _is_local(call, name):
        return None
    start = call.place.range.start
    return ((Place(call.place.block, Range(start, start)), f"{name} = "),)


def _is_local(call: OutsideCall, name: str) -> bool:
    """Whether the name is bound in the innermost function around, and is no parameter of it."""
    text = call.place.block.text
    heads = [*re.finditer(r"^([ \t]*)def\b[^\n]*", text[: call.place.range.start], re.MULTILINE)]
    around = text[heads[-1].end() : call.place.range.start] if heads else text[: call.place.range.start]
    return re.search(rf"^\s*{name}\s*=[^=]", around, re.MULTILINE) is not None


def growing(made: Place) -> Edits | None:
    """`tf.TensorArray(...)` with `dynamic_size=True`."""
    text = text_of(made)
    if "dynamic_size" in text or not text.endswith(")"):
        return None
    at = made.range.end - 1
    return ((Place(made.block, Range(at, at)), ", dynamic_size=True"),)
