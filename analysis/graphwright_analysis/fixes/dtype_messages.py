"""Messages about operands whose dtypes don't match.

Whether they match is decided elsewhere.
"""

from __future__ import annotations

from graphwright_analysis.tracing.facts import Operand, OperationRefused
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import dtype_of, python_kind
from graphwright_analysis.values.tensorflow import tables

from .casts import narrows


def message(refused: OperationRefused, operands: list[Operand], tensorflow: str) -> str:
    """Return why TensorFlow can't build the operation, and what to write instead."""
    operation = refused.operation
    kinds = {_kind(operand) for operand in operands}
    if refused.second is None or (len(kinds) == 1 and None not in kinds):
        words = refused.words if refused.second is None else kinds.pop()
        return f"`{operation}` doesn't accept {words}. {_cast_of_one(operation, operands, tensorflow)}"
    named = [(_named(operand), _kind(operand)) for operand in operands]
    known = not any(None in each for each in named) and len({text for text, _ in named}) == 2
    if not known:
        return f"TensorFlow {refused.cannot} this `{operation}`: its operands are {refused.words}. Cast one of them."
    both = " and ".join(f"{text} is {kind}" for text, kind in named)
    return f"{both}, so TensorFlow {refused.cannot} this `{operation}`. {_cast_of_two(operands, tensorflow)}"


def _cast_of_one(operation: str, operands: list[Operand], tensorflow: str) -> str:
    """Say which cast the operation accepts, where one does."""
    entry = tables.entry(operation.removeprefix("tf.")) if operation.startswith("tf.") else None
    refused = () if entry is None else entry.refuses
    dtype = dtype_of(operands[0].value)
    if operation == "tf.where":
        wanted = ["bool"]
    elif operation in _INDEXED:
        wanted = ["int32"]
    elif dtype == "bool":
        wanted = ["int32", "float32"]
    else:
        wanted = ["float32"] if dtype in dtypes.INTEGERS else ["int32"] if dtype in dtypes.FLOATS else []
    text = _named(operands[0])
    target = next((each for each in wanted if each not in refused), None)
    if target is None or text is None or dtype == target:
        return "Convert it first."
    return f"Cast first: `{_cast(text, target, tensorflow)}`."


def _cast_of_two(operands: list[Operand], tensorflow: str) -> str:
    """Say which operand to cast: the tensor, or of two tensors the one that loses nothing."""
    first, second = operands
    pairs = [(operand, _wanted(other)) for operand, other in ((first, second), (second, first))]
    tensors = [(operand, wanted) for operand, wanted in pairs if python_kind(operand.value) is None]
    for operand, wanted in sorted(tensors, key=lambda pair: narrows(dtype_of(pair[0].value) or "", pair[1] or "")):
        dtype, text = dtype_of(operand.value), _named(operand)
        if wanted in _NUMBERS and dtype in _NUMBERS | {"bool"} and text is not None:
            return f"Cast one of them: `{_cast(text, wanted, tensorflow)}`."
    return "Convert one of them first."


_INDEXED = frozenset({"write", "scatter", "read", "gather"})
"""Methods of TensorArrays with an index."""
_NUMBERS = dtypes.FLOATS | dtypes.INTEGERS


def _cast(text: str, dtype: str, tensorflow: str) -> str:
    return f"{tensorflow}.cast({text.strip('`')}, {tensorflow}.{dtype})"


def _wanted(operand: Operand) -> str | None:
    """Return the dtype that the other operand needs."""
    kind = python_kind(operand.value)
    return {int: "int32", float: "float32"}.get(kind) if kind is not None else dtype_of(operand.value)


def _named(operand: Operand) -> str | None:
    text = operand.place.block.text[operand.place.range.start : operand.place.range.end]
    return f"`{text}`" if len(text) <= 40 and "\n" not in text else None


def _kind(operand: Operand) -> str | None:
    kind = python_kind(operand.value)
    return f"a Python {kind.__name__}" if kind is not None else dtype_of(operand.value)
