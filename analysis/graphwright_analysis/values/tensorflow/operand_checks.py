"""Where TensorFlow surely refuses one operand for what is asked of it: sizes, axes, entries for each axis, a mask."""

from __future__ import annotations

import math

from graphwright_analysis.values.domain import NONE
from graphwright_analysis.values.shapes import is_number, position_of, unequal

from . import operands
from .checked_calls import Check, CheckedCall, Refusal


def reshape(call: CheckedCall) -> Refusal | None:
    if operands.integer(call.get("shape")) is not None and not call.eager:
        return call.refusal("shape", "tensor", "shape", "`shape` is a number, but it must be a list of sizes")
    shape, wanted = call.shape("tensor"), operands.integers(call.get("shape"), call.elements)
    if shape is None or wanted is None or any(size is None or size < -1 for size in wanted) or wanted.count(-1) > 1:
        return None
    known = math.prod(size for size in shape if is_number(size) and size)
    target = math.prod(size for size in wanted if size is not None and size != -1)
    complete = all(map(is_number, shape)) and 0 not in shape
    if 0 in shape or not target:
        return None
    if -1 in wanted:
        fits = not complete or known % target == 0
    else:
        fits = known == target if complete else target % known == 0
    if fits:
        return None
    text = f"{known} elements" if complete else f"a multiple of {known} elements"
    return call.refusal(
        "shape", "tensor", "shape", f"{text} can't fill a shape of {'a multiple of ' if -1 in wanted else ''}{target}"
    )


def axis_in(name: str, more: int = 0, parameter: str = "axis", least: int = 0) -> Check:
    """An axis that the operand doesn't have; `more` where the result has one more, `least` the rank from which on
    TensorFlow looks."""

    def check(call: CheckedCall) -> Refusal | None:
        shape, value = call.shape(name), call.get(parameter)
        if shape is None or value == NONE or len(shape) < least:
            return None
        for axis in operands.integers(value, call.elements) or ():
            if axis is not None and position_of(axis, len(shape) + more) is None:
                return call.refusal("shape", name, parameter, f"a tensor of rank {len(shape)} has no axis {axis}")
        return None

    return check


def squeeze(call: CheckedCall) -> Refusal | None:
    shape = call.shape("input")
    outside = axis_in("input")(call)
    if outside is not None or shape is None or call.get("axis") == NONE:
        return outside
    for axis in operands.integers(call.get("axis"), call.elements) or ():
        size = None if axis is None else shape[axis]
        if is_number(size) and size != 1:
            return call.refusal("shape", "input", "axis", f"axis {axis} has size {size}, not 1")
    return None


def long_as_rank(name: str, parameter: str) -> Check:
    def check(call: CheckedCall) -> Refusal | None:
        shape, value = call.shape(name), call.get(parameter)
        parts = call.elements(value) if operands.is_collection(value) else None
        if shape is None or parts is None or len(parts) == len(shape):
            return None
        words = f"`{parameter}` has {len(parts)} entries, but `{name}` has rank {len(shape)}"
        return call.refusal("shape", name, parameter, words)

    return check


def split(call: CheckedCall) -> Refusal | None:
    shape, axis, count = call.shape("value"), call.integer("axis", 0), call.integer("num_or_size_splits")
    at = position_of(axis, len(shape)) if shape is not None and axis is not None else None
    if shape is None or at is None or not is_number(shape[at]):
        return None
    sizes = call.get("num_or_size_splits")
    parts = operands.integers(sizes, call.elements) if operands.is_collection(sizes) else None
    if parts and all(part is not None and part >= 0 for part in parts):
        total = sum(part or 0 for part in parts)
        words = f"axis {axis} has size {shape[at]}, but the pieces add up to {total}"
        return call.refusal("shape", "value", "num_or_size_splits", words) if total != shape[at] else None
    if count is not None and count > 0 and (shape[at] or 0) % count:
        return call.refusal(
            "shape", "value", "num_or_size_splits", f"axis {axis} has size {shape[at]}, not a multiple of {count}"
        )
    return None


def boolean_mask(call: CheckedCall) -> Refusal | None:
    shape, mask, axis = call.shape("tensor"), call.shape("mask"), call.integer("axis", 0)
    if shape is None or not mask or axis != 0 or len(mask) > len(shape):
        return None
    for at, (a, b) in enumerate(zip(shape, mask, strict=False)):
        if unequal(a, b):
            return call.refusal("shape", "tensor", "mask", f"axis {at} has size {a}, but the mask has {b}")
    return None
