"""Tensors whose size only the run decides, under XLA: places from the end, and operations that XLA gets wrong there.

XLA keeps such a tensor in one of its largest size and counts negative places from the end of that. Here they count
from the end of what the tensor holds, and what gives wrong values, or ends the process, is refused at its line.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.lost_sizes import line_of
from graphwright.runtime.lists.list_bounds import captured

__all__ = ["count_from_true_end", "has_size_of_run"]


def count_from_true_end() -> None:
    """Mend or refuse the operations of the graph that is being traced, at its end."""
    if not is_for_xla():
        return
    for operation in tf.compat.v1.get_default_graph().get_operations():
        kind = operation.type
        if kind in _SLICES and _sizes_vary(operation):
            _refuse_steps(operation)
            _refuse_gradient(operation)
            _count_begin(operation)
        elif kind in _REFUSED and any(_varies(tensor, set()) for tensor in operation.inputs):
            name, instead = _REFUSED[kind]
            raise TypeError(f"XLA can't run {name}{line_of(operation)} on a tensor whose size {_DECIDED}. {instead}")


def has_size_of_run(tensor: Any) -> bool:
    """Whether only the run decides the size of a tensor, and not what the function is called with."""
    return _varies(tensor, set())


def _sizes_vary(operation: Any) -> bool:
    sliced = operation.inputs[0]
    if operation.type == "StridedSlice":
        return _varies(sliced, set())
    return sliced.op.type == "Shape" and _varies(sliced.op.inputs[0], set())


def _refuse_steps(operation: Any) -> None:
    steps = tf.get_static_value(operation.inputs[3])
    if operation.type == "StridedSlice" and steps is not None and any(step != 1 for step in steps.tolist()):
        raise TypeError(
            f"XLA can't take a slice with a step{line_of(operation)} of a tensor whose size {_DECIDED}. For `x[::-1]`, "
            "write `tf.reverse(x, [0])`; or slice the list with the step before it becomes a tensor"
        )


def _refuse_gradient(operation: Any) -> None:
    """XLA has the gradient of an item, but not that of a slice whose size only the run decides."""
    if operation.type == "StridedSliceGrad" and not operation.inputs[4].shape.is_fully_defined():
        raise TypeError(
            f"XLA can't take the gradient of a slice of a tensor whose size {_DECIDED}. Slice the list before it "
            "becomes a tensor, or mask what doesn't count: `tf.where(mask, x, 0.0)`"
        )


def _count_begin(operation: Any) -> None:
    """Let the places where a slice begins count from the start."""
    begin = operation.inputs[1]
    places = tf.get_static_value(begin)
    if any(operation.get_attr(mask) for mask in ("ellipsis_mask", "new_axis_mask")):
        return
    if places is not None and all(place >= 0 for place in places.tolist()):
        return
    with tf.control_dependencies(None):
        sliced = operation.inputs[0]
        sizes = tf.shape(sliced) if operation.type == "StridedSlice" else sliced
        sizes = tf.cast(sizes[: begin.shape[0]], begin.dtype)
        counted = tf.where(begin < 0, tf.maximum(begin + sizes, 0), begin)
    operation._update_input(1, counted)


def _varies(tensor: Any, seen: set[int]) -> bool:
    """Whether only the run decides the size of a tensor, and not what the function is called with."""
    if id(tensor) in seen or tensor.shape.is_fully_defined():
        return False
    seen.add(id(tensor))
    operation = tensor.op
    if operation.type == "Placeholder":
        outside = captured(tensor)
        return outside is not None and _varies(outside, seen)
    if operation.type in _DECIDING:
        return True
    if any(_varies(part, seen) for part in operation.inputs):
        return True
    numbers = [part for part in operation.inputs if part.dtype.is_integer and part.shape.is_fully_defined()]
    return operation.type in _BY_NUMBERS and not all(_is_static(number, _STEPS) for number in numbers)


def _is_static(number: Any, steps: int) -> bool:
    """Whether a number is known when XLA compiles: made of constants and sizes."""
    if number.op.type in ("Const", "Shape", "Size", "Rank", "TensorListLength"):
        return True
    return steps > 0 and bool(number.op.inputs) and all(_is_static(part, steps - 1) for part in number.op.inputs)


_SLICES = ("StridedSlice", "StridedSliceGrad")
_DECIDING = ("Where", "Unique", "UniqueV2")
_BY_NUMBERS = ("StridedSlice", "Slice", "Range")
_STEPS = 8
_DECIDED = "only the run decides"
_SUMS = "Add in a loop over a list or range of known length, or mask what doesn't count: `tf.where(mask, x, 0.0)`."
_REFUSED = {
    "Cumsum": ("tf.cumsum", _SUMS),
    "Cumprod": ("tf.math.cumprod", _SUMS.replace("0.0", "1.0")),
    "CumulativeLogsumexp": ("tf.math.cumulative_logsumexp", _SUMS.replace("0.0", "-math.inf")),
    "Roll": ("tf.roll", "Write `tf.concat([x[-n:], x[:-n]], 0)`."),
    "Unique": ("tf.unique", "Do that outside of the function that XLA compiles."),
    "UniqueV2": ("tf.unique", "Do that outside of the function that XLA compiles."),
}
"""What XLA gets wrong for such a tensor, as it is called, and what to write instead."""
