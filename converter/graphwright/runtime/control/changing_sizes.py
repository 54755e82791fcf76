"""Tensors in a loop whose size only the run decides: XLA computes wrong gradients of them, so taking one raises.

An operation has such a result if all that it is called with has a known shape. What lists do is said elsewhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_in_loop
from graphwright.runtime.basis.outcomes import ReturnOutcome
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.linear_forms import NoFormError, largest_sum
from graphwright.runtime.errors.lost_sizes import not_to_be_derived
from graphwright.runtime.state.joining import MismatchError
from graphwright.runtime.state.nodes import ContainerNode, DenseNode, StateNode

__all__ = ["check_growth", "refuse_gradients_of_changing_sizes"]


def refuse_gradients_of_changing_sizes() -> None:
    """Let the gradients raise of what the loop's body or branch that is being traced makes; called at its end."""
    if not is_for_xla() or not is_in_loop():
        return
    for operation in tf.compat.v1.get_default_graph().get_operations():
        for result in operation.outputs if _decides_size(operation) else ():
            for tensor in _floats_of(result, _STEPS):
                _guard(tensor)


def _decides_size(operation: Any) -> bool:
    inputs = operation.inputs
    if not inputs or operation.type.startswith("TensorList") or operation.type in _FOLLOWED_ELSEWHERE:
        return False
    if not all(tensor.shape.is_fully_defined() for tensor in inputs):
        return False
    if all(result.shape.is_fully_defined() for result in operation.outputs):
        return False
    if any(_is_room(tensor, _STEPS) for tensor in inputs):
        return False
    return operation.type != "StridedSlice" or _changes_length(operation)


def _is_room(tensor: Any, steps: int) -> bool:
    """Whether a number is made of how many elements a list has room for, which XLA knows."""
    if tensor.op.type == "TensorListLength":
        return True
    return steps > 0 and not tensor.shape.rank and any(_is_room(part, steps - 1) for part in tensor.op.inputs)


def _changes_length(operation: Any) -> bool:
    """Whether the length of a slice isn't the same in each iteration, as that of `xs[i : i + 2]` is."""
    begins, ends = (_items(tensor) for tensor in operation.inputs[1:3])
    skipped = sum(operation.get_attr(name) for name in ("ellipsis_mask", "new_axis_mask"))
    if begins is None or ends is None or skipped:
        return True
    masks = [operation.get_attr(name) for name in ("begin_mask", "end_mask", "shrink_axis_mask")]
    for place, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        from_start, to_end, is_item = (bool(mask & 1 << place) for mask in masks)
        bounds = [(end, 1)] * (not to_end) + [(begin, -1)] * (not from_start)
        if not is_item and not _is_known(bounds):
            return True
    return False


def _items(tensor: Any) -> list[Any] | None:
    """The numbers in a vector, one by one."""
    known = tf.get_static_value(tensor)
    if known is not None:
        return [tf.constant(number) for number in known.tolist()]
    return list(tensor.op.inputs) if tensor.op.type == "Pack" else None


def _is_known(bounds: Sequence[tuple[Any, float]]) -> bool:
    with contextlib.suppress(NoFormError):
        return not largest_sum(bounds, ()).terms
    return False


def _floats_of(tensor: Any, steps: int) -> Iterator[Any]:
    """The first numbers of unknown size that a gradient goes through, and that are made of a tensor."""
    if tensor.shape.is_fully_defined():
        return
    if tensor.dtype.is_floating:
        yield tensor
    elif steps:
        for operation in tensor.consumers():
            for result in operation.outputs:
                yield from _floats_of(result, steps - 1)


def _guard(tensor: Any) -> None:
    """Let what uses a tensor use one whose gradient raises."""
    users = tensor.consumers()
    guarded = not_to_be_derived(tensor, _REFUSAL) if users else tensor
    for user in users:
        for place, given in enumerate(user.inputs):
            if given is tensor:
                user._update_input(place, guarded)


_REFUSAL = (
    "XLA computes wrong gradients of a tensor whose size changes between iterations{}. Give it one size, and mask what "
    "doesn't count: `tf.where(mask, x, 0.0)`"
)
_FOLLOWED_ELSEWHERE = ("If", "StatelessIf", "While", "StatelessWhile")
_STEPS = 6


def check_growth(before: StateNode, joined: StateNode, after: StateNode, path: str) -> None:
    """Shapes may only change where no shape was known: a number, something missing."""
    if isinstance(before, DenseNode) and isinstance(joined, DenseNode):
        if before.shape != joined.shape and (before.shape or not before.weak):
            raise MismatchError(path, before, after, "shape")
    elif isinstance(before, ContainerNode) and isinstance(joined, ContainerNode) and isinstance(after, ContainerNode):
        if issubclass(before.kind, ReturnOutcome):
            return
        others = dict(zip(after.keys, after.items, strict=True))
        for key, one, two in zip(before.keys, before.items, joined.items, strict=True):
            check_growth(one, two, others[key], f"{path}[{key!r}]")
