"""Shapes of what is picked out of a tensor: by indices, by a mask, by segments, or one axis in place of another."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.values.domain import NONE
from graphwright_analysis.values.shapes import ANY, Shape, merged_size, position_of

from .operands import Arguments


def gathered(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, indices = arguments.shape("params"), arguments.shape("indices")
    batch = arguments.integer("batch_dims", 0)
    if shape is None or indices is None or batch is None:
        return None
    axis = batch if arguments.get("axis") == NONE else arguments.integer("axis")
    batch = position_of(batch, len(indices) + 1) if batch >= 0 else batch + len(indices)
    if batch is None or batch > min(len(shape), len(indices)) or batch < 0:
        return None
    at = position_of(axis, len(shape)) if axis is not None else None
    if at is None or at < batch:
        return (ANY,) * (len(shape) + len(indices) - 1 - batch) if axis is None else None
    head = tuple(merged_size(a, b) for a, b in zip(shape[:batch], indices[:batch], strict=True))
    return (*head, *shape[batch:at], *indices[batch:], *shape[at + 1 :])


def gathered_nd(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, indices, batch = arguments.shape("params"), arguments.shape("indices"), arguments.integer("batch_dims", 0)
    depth = indices[-1] if indices else None
    if shape is None or not indices or batch is None or depth is None or depth == ANY or batch < 0:
        return None
    if batch + depth > len(shape) or batch >= len(indices):
        return None
    head = tuple(merged_size(a, b) for a, b in zip(shape[:batch], indices[:batch], strict=True))
    return (*head, *indices[batch:-1], *shape[batch + depth :])


def looked_up(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, ids = arguments.shape("params"), arguments.shape("ids")
    plain = arguments.parts("params") is None
    return None if not shape or ids is None or not plain else (*ids, *shape[1:])


def masked(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, mask = arguments.shape(deciding[0]), arguments.shape("mask")
    axis = 0 if arguments.get("axis") == NONE else arguments.integer("axis")
    at = position_of(axis, len(shape)) if shape is not None and axis is not None else None
    if shape is None or not mask or at is None:
        return None
    return (*shape[:at], None, *shape[at + len(mask) :])


def found_where(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("condition")
    return (None, ANY if shape is None else len(shape))


def segments(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, ids = arguments.shape("data"), arguments.shape("segment_ids")
    if shape is None or ids is None:
        return None
    count = arguments.size("num_segments") if arguments.has("num_segments") else ANY
    return (count, *shape[len(ids) :])
