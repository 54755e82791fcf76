"""Shapes of convolutions and poolings with the channels last."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.values.domain import NONE, Constant
from graphwright_analysis.values.shapes import ANY, Shape, is_number, times

from . import operands
from .operands import Arguments


def convolved(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, filters = arguments.shape("input"), arguments.shape("filters")
    if shape is None or filters is None or len(shape) != len(filters) or len(shape) not in (3, 4, 5):
        return None
    found = _spatial(arguments, shape, filters[:-2], arguments.first("strides", "stride"))
    return None if found is None else (shape[0], *found, filters[-1])


def depthwise(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, filters = arguments.shape("input"), arguments.shape("filter")
    if shape is None or filters is None or len(shape) != 4 or len(filters) != 4:
        return None
    found = _spatial(arguments, shape, filters[:2], arguments.get("strides"))
    return None if found is None else (shape[0], *found, times(filters[2], filters[3]))


def pooled(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("input")
    if shape is None or len(shape) not in (3, 4, 5):
        return None
    window = _per_axis(arguments, "ksize", len(shape) - 2)
    if window is None:
        return None
    found = _spatial(arguments, shape, window, arguments.get("strides"))
    return None if found is None else (shape[0], *found, shape[-1])


def _per_axis(arguments: Arguments, name: str, count: int) -> tuple[int | None, ...] | None:
    """One number for each spatial axis, from one number or a list with or without batch and channels."""
    given = operands.integers(arguments.first(name, name.rstrip("s")), arguments.elements)
    if given is None or len(given) not in (1, count, count + 2):
        return None
    given = given * count if len(given) == 1 else given[1:-1] if len(given) == count + 2 else given
    return tuple(ANY if each is None else each for each in given)


def _spatial(
    arguments: Arguments, shape: tuple[int | None, ...], window: Sequence[int | None], strides: object
) -> tuple[int | None, ...] | None:
    padding, layout = arguments.get("padding"), arguments.get("data_format")
    strides = _per_axis(arguments, "strides", len(shape) - 2)
    text = str(layout.value) if isinstance(layout, Constant) and layout != NONE else "NHWC"
    plain = text.endswith("C") and arguments.get("dilations") == NONE and isinstance(padding, Constant)
    if not plain or strides is None or padding not in (Constant("SAME"), Constant("VALID")):
        return None
    same = padding == Constant("SAME")
    return tuple(_length(*each, same) for each in zip(shape[1:-1], window, strides, strict=True))


def _length(size: int | None, window: int | None, stride: int | None, same: bool) -> int | None:
    if size is None:
        return None
    if size == ANY or not is_number(stride) or not stride or (not same and not is_number(window)):
        return ANY
    covered = size if same else size - (window or 0) + 1
    return -(-covered // stride) if covered >= 0 else ANY
