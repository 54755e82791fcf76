"""Literals and casts that give a value another dtype."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphwright_analysis.findings import View
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.values import dtypes

_WHOLE = re.compile(r"-?\d[\d_]*\Z")


Side = tuple[Place, str, str]
"""Where a side's value is bound, its dtype, and the dtype of the other side."""


def agreements(sides: Sequence[Side], whose: str, view: View) -> Iterator[tuple[str, tuple[Place, str]]]:
    """The ways to give two sides one dtype, each as title and edit; the best first.

    None is certain: the eager code gives a float then where it gave an integer, which may have been used as one.
    """
    for place, _, wanted in sides:
        literal = float_literal(place, wanted)
        if literal is not None:
            yield f"Use the float {literal[1]}", literal
            return
    for place, dtype, wanted in sorted(sides, key=lambda side: narrows(side[1], side[2])):
        edit = cast(place, dtype, wanted, view)
        if edit is not None:
            yield f"Cast the {dtype} value{whose} to {wanted}", edit


def float_literal(place: Place, wanted: str) -> tuple[Place, str] | None:
    """`1` as `1.0`, where a place is bound to a whole number and float32 is wanted."""
    span = _value(place)
    if wanted != "float32" or span is None or not _WHOLE.match(place.block.text[span.start : span.end]):
        return None
    return Place(place.block, span), place.block.text[span.start : span.end] + ".0"


def cast(place: Place, dtype: str, wanted: str, view: View) -> tuple[Place, str] | None:
    """The value of a place inside `tf.cast`, where that keeps the numbers what they are."""
    span, tensorflow = _value(place), view.tensorflow
    numbers = dtypes.FLOATS | dtypes.INTEGERS | {"bool"}
    if span is None or tensorflow is None or dtype not in numbers or wanted not in numbers - {"bool"}:
        return None
    if (dtype in dtypes.FLOATS and wanted in dtypes.INTEGERS) or _loses(dtype, wanted, view.has_long_integers):
        return None
    text = place.block.text[span.start : span.end]
    if "\n" in text:
        return None
    return Place(place.block, span), f"{tensorflow}.cast({text}, {tensorflow}.{wanted})"


def narrows(dtype: str, wanted: str) -> bool:
    """Whether values may be lost on the way from one dtype to another."""
    return _WIDTHS.index(wanted) < _WIDTHS.index(dtype) if {dtype, wanted} <= set(_WIDTHS) else False


def _loses(dtype: str, wanted: str, has_long_integers: bool) -> bool:
    """Whether integers may become other ones; those of 64 bits are taken for short, unless long ones are in sight."""
    if dtype not in dtypes.INTEGERS or wanted == "float64":
        return False
    if wanted in dtypes.FLOATS:
        return has_long_integers and dtype.endswith("64")
    if (dtype, wanted) == ("int64", "int32"):
        return has_long_integers
    (signed, bits), (wants_sign, wanted_bits) = _form(dtype), _form(wanted)
    return wanted_bits < bits if signed == wants_sign else not wants_sign or wanted_bits <= bits


def _form(dtype: str) -> tuple[bool, int]:
    return not dtype.startswith("u"), int(dtype.lstrip("uint"))


_WIDTHS = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64") + (
    "float16", "bfloat16", "float32", "float64",
)  # fmt: skip


def _value(place: Place) -> Range | None:
    """The span of the expression that a place is bound to; an expression's own place is its value."""
    return place.value
