"""Whether two arguments surely make two traces, as TensorFlow's cache compares them.

Unknown is never surely different; measured on TensorFlow, not read.
"""

from __future__ import annotations

from graphwright_analysis.tracing.facts import Held
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    Api,
    Bound,
    Constant,
    Function,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    python_kind,
)
from graphwright_analysis.values.shapes import Shape


def difference(first: Value, second: Value) -> Difference | None:
    """How two arguments surely differ."""
    match first, second:
        case (Constant(), Constant()) if NONE in (first, second):
            return None if first == second else Difference.STRUCTURE
        case Constant(), Constant():
            # 1, 1.0 and True are one key.
            return None if first.value == second.value else Difference.VALUE
        case (Constant() | Scalar(), Constant() | Scalar()):
            return _numbers(first, second)
        case (Tensor(), Tensor()) | (Variable(), Variable()):
            return _tensors(first, second)
        case (Tuple() | Held(), Tuple() | Held()):
            return _collections(first, second)
        case Function(), Function():
            if first.node is not second.node:
                return Difference.OBJECT
            return Difference.FRESH if first.frame != second.frame else None
        case Object(), Object():
            return Difference.FRESH if first.id != second.id else None
        case Bound(), Bound():
            return difference(first.target, second.target) or difference(first.receiver, second.receiver)
        case Api(), Api():
            return Difference.OBJECT if first != second else None
        case _:
            kinds = {_kind(first), _kind(second)}
            return Difference.STRUCTURE if len(kinds) == 2 and None not in kinds else None


def _kind(value: Value) -> str | None:
    match value:
        case Constant() | Scalar():
            return "None" if value == NONE else "Python value"
        case Tensor():
            return "tensor"
        case Variable():
            return "variable"
        case Tuple() | Held():
            return "collection"
        case _:
            return None


def _numbers(first: Constant | Scalar, second: Constant | Scalar) -> Difference | None:
    kinds = {python_kind(first), python_kind(second)}
    if type(None) in kinds:
        return Difference.STRUCTURE if len(kinds) == 2 else None
    turns = [value.turn for value in (first, second) if isinstance(value, Scalar) and value.turn > 0]
    return Difference.VALUE if len(turns) == 2 and turns[0] != turns[1] else None


def _tensors(first: Tensor | Variable, second: Tensor | Variable) -> Difference | None:
    if None not in (first.dtype, second.dtype) and first.dtype != second.dtype:
        return Difference.DTYPE
    return Difference.SHAPE if _shapes_differ(first.shape, second.shape) else None


def _shapes_differ(first: Shape, second: Shape) -> bool:
    if first is None or second is None:
        return False
    if len(first) != len(second):
        return True
    return any(a != b and shapes.ANY not in (a, b) for a, b in zip(first, second, strict=True))


def _collections(first: Tuple | Held, second: Tuple | Held) -> Difference | None:
    sizes = len(first.items), len(second.items)
    if type(first) is not type(second):
        same = sizes[0] == sizes[1] and _one_kind(first) and _one_kind(second)
        return Difference.KIND if same else Difference.STRUCTURE
    if isinstance(first, Held) and isinstance(second, Held) and (first.kind, first.keys) != (second.kind, second.keys):
        return Difference.STRUCTURE
    if isinstance(first, Tuple) and isinstance(second, Tuple) and first.fields != second.fields:
        return Difference.STRUCTURE
    if sizes[0] != sizes[1]:
        return Difference.STRUCTURE
    found = (difference(a, b) for a, b in zip(first.items, second.items, strict=True))
    return next((how for how in found if how is not None), None)


def _one_kind(value: Tuple | Held) -> bool:
    """Whether it is a plain tuple or list, where one may stand for the other."""
    return not value.fields if isinstance(value, Tuple) else value.kind == "list"


def is_partial_batch(first: Value, second: Value) -> bool:
    """Whether the second is like the first but for fewer rows."""
    if isinstance(first, (Tuple, Held)) and isinstance(second, (Tuple, Held)):
        pairs = list(zip(first.items, second.items, strict=True))
        return all(a == b or is_partial_batch(a, b) for a, b in pairs)
    if not isinstance(first, (Tensor, Variable)) or not isinstance(second, (Tensor, Variable)):
        return False
    before, after = first.shape, second.shape
    if not before or not after or before[1:] != after[1:] or before[0] is None or after[0] is None:
        return False
    return 0 <= after[0] < before[0]
