"""Whether two arguments surely make two traces, or surely use one, as TensorFlow's cache compares them.

Unknown is never surely different, nor surely the same; measured on TensorFlow, not read.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphwright_analysis.tracing.facts import Held
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    Api,
    ApiInstance,
    Bound,
    Composite,
    Constant,
    Dataset,
    Function,
    Object,
    Scalar,
    Spec,
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
        case Composite(), Composite():
            known = None not in (first.dtype, second.dtype)
            others = Difference.DTYPE if known and first.dtype != second.dtype else None
            return Difference.STRUCTURE if first.kind != second.kind else others
        case Function(), Function():
            if first.node is not second.node:
                return Difference.OBJECT
            return Difference.FRESH if first.frame != second.frame else None
        case Object(), Object():
            return Difference.FRESH if first.id != second.id else None
        case Dataset(), Dataset() if first.iterator == second.iterator:
            return difference(first.element, second.element)
        case ApiInstance(), ApiInstance():
            others = first.name != second.name or (first.made != second.made and 0 not in (first.made, second.made))
            return Difference.OBJECT if others else None
        case (Spec(), _) | (_, Spec()):
            return _with_specs(first, second)
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
        case Composite():
            return value.kind
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


def _with_specs(first: Value, second: Value) -> Difference | None:
    """How they differ where one stands for all tensors of a kind; one of any rank differs from one of a known rank."""
    sides = [_meant(first), _meant(second)]
    found = difference(*sides)
    ranks = [isinstance(side, Spec) and side.unranked for side in (first, second)]
    known = [isinstance(side, Tensor) and side.shape is not None for side in sides]
    return found or (Difference.SHAPE if ranks[0] != ranks[1] and any(known) else None)


def _meant(value: Value) -> Value:
    """What a spec stands for; any other value stands for itself."""
    return value.means if isinstance(value, Spec) else value


def is_exact(value: Value) -> bool:
    """Whether all is known that the cache's key is made of."""
    match value:
        case Constant() | Function() | Api():
            return True
        case Tensor() | Variable():
            return value.dtype is not None and value.shape is not None and shapes.ANY not in value.shape
        case Tuple() | Held():
            return all(map(is_exact, value.items))
        case Object():
            return value.kind == "instance"
        case ApiInstance():
            return value.made != 0
        case Dataset():
            return is_exact(value.element)
        case Spec():
            return is_exact(value.means) or (value.unranked and isinstance(value.means, Tensor))
        case Bound():
            return is_exact(value.target) and is_exact(value.receiver)
        case _:
            return False


def exact_key(value: Value) -> object:
    """What tells a value from all others of the kinds that are told apart by what they are; None for any other."""
    match value:
        case Constant():
            return "value", value.value
        case Tensor() | Variable() if is_exact(value):
            return type(value) is Variable, value.dtype, value.shape
        case Tuple() | Held():
            items = tuple(map(exact_key, value.items))
            kind = ("tuple", value.fields) if isinstance(value, Tuple) else (value.kind, value.keys)
            return None if None in items else (kind, items)
        case _:
            return None


def takes(general: Value, given: Value) -> bool:
    """Whether a trace that was made for one argument surely takes another one."""
    if not is_exact(general) or not is_exact(given):
        return False
    match general, given:
        case (Tensor() | Spec(), Tensor() | Spec()):
            return _takes_tensor(general, given)
        case (Tuple() | Held(), Tuple() | Held()) if _collections(general, given) in (None, Difference.SHAPE):
            return all(map(takes, general.items, given.items))
        case Dataset(), Dataset():
            return general.iterator == given.iterator and takes(general.element, given.element)
        case _:
            same = general == given or (isinstance(general, Constant) and isinstance(given, Constant))
            return same and difference(general, given) is None


def _takes_tensor(general: Tensor | Spec, given: Tensor | Spec) -> bool:
    wide, narrow = _meant(general), _meant(given)
    if not isinstance(wide, Tensor) or not isinstance(narrow, Tensor):
        return takes(wide, narrow)
    if wide.dtype != narrow.dtype:
        return False
    if isinstance(general, Spec) and general.unranked:
        return True
    if (isinstance(given, Spec) and given.unranked) or wide.shape is None or narrow.shape is None:
        return False
    if len(wide.shape) != len(narrow.shape):
        return False
    return all(size in (None, other) for size, other in zip(wide.shape, narrow.shape, strict=True))


def relaxed(first: Mapping[str, Value], second: Mapping[str, Value]) -> dict[str, Value] | None:
    """What takes the arguments of both, as `reduce_retracing` has it made, if anything does."""
    if first.keys() != second.keys():
        return None
    found = {name: _relaxed(value, second[name]) for name, value in first.items()}
    known = {name: value for name, value in found.items() if value is not None}
    return known if len(known) == len(found) else None


def _relaxed(first: Value, second: Value) -> Value | None:
    if takes(first, second):
        return first
    wide, narrow = _meant(first), _meant(second)
    if isinstance(wide, Tensor) and isinstance(narrow, Tensor) and wide.dtype == narrow.dtype:
        if wide.shape is None or narrow.shape is None or len(wide.shape) != len(narrow.shape):
            return Spec(Tensor(wide.dtype), unranked=True)
        return Tensor(wide.dtype, shapes.relaxed(wide.shape, narrow.shape))
    if isinstance(first, Tuple) and isinstance(second, Tuple) and len(first.items) == len(second.items):
        items = [_relaxed(*pair) for pair in zip(first.items, second.items, strict=True)]
        known = tuple(item for item in items if item is not None)
        return Tuple(known, first.fields) if len(known) == len(items) and first.fields == second.fields else None
    return None


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
