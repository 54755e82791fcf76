"""What is said of operands whose dtypes don't go together.

Whether they do is decided elsewhere.
"""

from __future__ import annotations

from graphwright_analysis.tracing.facts import Operand, OperationRefused
from graphwright_analysis.values.domain import dtype_of, python_kind


def message(refused: OperationRefused, operands: list[Operand]) -> str:
    """Return why TensorFlow can't build the operation, and what to write instead."""
    operation = refused.operation
    kinds = {_kind(operand) for operand in operands}
    if refused.second is None or (len(kinds) == 1 and None not in kinds):
        words = refused.words if refused.second is None else kinds.pop()
        return f"`{operation}` doesn't accept {words}. Cast first, with tf.cast."
    named = [(_named(operand), _kind(operand)) for operand in operands]
    known = not any(None in each for each in named) and len({text for text, _ in named}) == 2
    sides = " and ".join(f"{text} is {kind}" for text, kind in named) if known else f"its operands are {refused.words}"
    if any(python_kind(operand.value) is str for operand in operands):
        advice = "Convert one side first."
    elif any(python_kind(operand.value) is not None for operand in operands):
        advice = "A Python value only follows a tensor's dtype where nothing is lost; cast the tensor with tf.cast."
    else:
        advice = "TensorFlow doesn't convert tensors by itself; cast one side with tf.cast."
    return f"TensorFlow {refused.cannot} this `{operation}`: {sides}. {advice}"


def _named(operand: Operand) -> str | None:
    text = operand.place.block.text[operand.place.range.start : operand.place.range.end]
    return f"`{text}`" if len(text) <= 40 and "\n" not in text else None


def _kind(operand: Operand) -> str | None:
    kind = python_kind(operand.value)
    return f"a Python {kind.__name__}" if kind is not None else dtype_of(operand.value)
