"""Rewriting calls and definitions so that a `tf.function` is traced once: constants, signatures, hoisted arguments."""

from __future__ import annotations

import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Retraced, Varying
from graphwright_analysis.values.domain import Tensor

from .hoisting import bound_in, names_in

Edits = tuple[tuple[Place, str], ...]


def in_constant(varying: Varying, tensorflow: str | None) -> Edits | None:
    """The argument inside `tf.constant`, where the function would do with a tensor."""
    if not varying.takes_tensor or varying.place is None or tensorflow is None:
        return None
    text = source(varying.place)
    return ((varying.place, f"{tensorflow}.constant({text})"),) if "\n" not in text and "=" not in text else None


def signature(call: Retraced, tensorflow: str | None) -> Edits | None:
    """An `input_signature` that all calls fit, where the function doesn't ask for a size in Python."""
    if call.specs is None or not _plain(call, tensorflow):
        return None
    assert call.made is not None
    written = ", ".join(_spec(spec, tensorflow) for spec in call.specs if isinstance(spec, Tensor))
    return ((call.made, f"{tensorflow}.function(input_signature=[{written}])"),)


def reduced(call: Retraced, tensorflow: str | None) -> Edits | None:
    """`reduce_retracing=True`, where the function doesn't ask for a size in Python."""
    if not _plain(call, tensorflow):
        return None
    assert call.made is not None
    return ((call.made, f"{tensorflow}.function(reduce_retracing=True)"),)


def hoisted(call: Retraced, varying: Varying) -> Edits | None:
    """The argument made once in front of the loop, where it uses nothing that the loop binds."""
    loop, place = call.loop, varying.place
    if loop is None or place is None or varying.fresh not in ("lambda", "bound method", "functools.partial"):
        return None
    text, made = loop.block.text, source(place)
    line = text.rfind("\n", 0, loop.range.start) + 1
    indent, body = text[line : loop.range.start], text[loop.range.start : loop.range.end]
    if indent.strip() or "\n" in made or not re.match(r"(async\s+)?(for|while)\b", body):
        return None
    if bound_in(body) & names_in(made):
        return None
    name = re.sub(r"\W", "_", varying.parameter)
    name = f"{name}_once" if re.search(rf"\b{name}\b", text) else name
    plain = varying.fresh != "bound method" or re.fullmatch(r"[\w.]+", made) is not None
    if not plain or re.search(rf"\b{name}\b", text):
        return None
    return (Place(loop.block, Range(line, line)), f"{indent}{name} = {made}\n"), (place, name)


def source(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]


def _plain(call: Retraced, tensorflow: str | None) -> bool:
    """Whether the function stands under a bare `@tf.function` and no Python in it hangs on a size."""
    made = call.made
    if made is None or tensorflow is None or source(made) != f"{tensorflow}.function":
        return False
    text = made.block.text[made.range.end :]
    following = re.search(r"^(?=\S)(?!@|def|async)", text[text.find("def") :], re.MULTILINE)
    body = text[: text.find("def") + following.start()] if following else text
    return re.search(r"\.shape\b|\blen\(|\brange\(|\bfor\b|\bzip\(|\bdef\b.*\bdef\b", body, re.DOTALL) is None


def _spec(spec: Tensor, tensorflow: str | None) -> str:
    shape = "[" + ", ".join("None" if size is None else str(size) for size in spec.shape or ()) + "]"
    return f"{tensorflow}.TensorSpec({shape}, {tensorflow}.{spec.dtype})"
