"""Compares nested values as TensorFlow does when branches and loop iterations must match.

Lists and dicts are expanded for that; tuples already are values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from graphwright_analysis.immutability import immutable

from . import dtypes
from .converters import Converter
from .domain import (
    Api,
    Array,
    Bound,
    Class,
    Composite,
    Constant,
    DType,
    Function,
    Object,
    Partial,
    Scalar,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Value,
    Variable,
    dtype_of,
    python_kind,
)
from .joining import staged
from .lineage import lineage


@immutable
class Structure(Value):
    """The content of a `list` or `dict` at some point; the entries of a dict are sorted by key."""

    kind: Literal["list", "dict"]
    items: tuple[Value, ...]
    keys: tuple[str, ...] = ()


def difference(left: Value, right: Value, converter: Converter = Converter.AUTOGRAPH) -> tuple[str, str] | None:
    """The two structures in words, if they always differ; Graphwright allows lists to differ in length."""
    first, second = kind_of(left), kind_of(right)
    if first is None or second is None:
        return None
    if first != second:
        return (described(left), described(right))
    if not isinstance(left, (Tuple, Structure)) or not isinstance(right, (Tuple, Structure)):
        return None
    if len(left.items) != len(right.items) and first == "list" and converter is not Converter.AUTOGRAPH:
        return None
    if len(left.items) != len(right.items) or (isinstance(left, Structure) and left.keys != getattr(right, "keys", ())):
        return (described(left), described(right))
    pairs = zip(left.items, right.items, strict=True)
    inner = next((found for a, b in pairs if (found := difference(a, b, converter)) is not None), None)
    return inner and _whole(left, right, inner)


def _whole(left: Value, right: Value, inner: tuple[str, str]) -> tuple[str, str]:
    """Two nested values in full, if that shows the difference."""
    both = described(left), described(right)
    return both if both[0] != both[1] else inner


def leaves(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """The pairs of parts at the same position."""
    if isinstance(left, (Tuple, Structure)) and isinstance(right, (Tuple, Structure)):
        if len(left.items) == len(right.items):
            for a, b in zip(left.items, right.items, strict=True):
                yield from leaves(a, b)
        return
    yield left, right


def flat(value: Value) -> Iterator[Value]:
    """All parts of a nested value."""
    if isinstance(value, (Tuple, Structure)):
        for item in value.items:
            yield from flat(item)
    else:
        yield value


def kind_of(value: Value) -> str | None:
    """The kind of a value in TensorFlow's comparison, or None if unknown."""
    match value:
        case Tuple():
            return f"namedtuple of {value.fields}" if value.fields else "tuple"
        case Structure():
            return value.kind
        case Tensor() | Variable() | Array():
            return "tensor"
        case Constant() | Scalar():
            return "tensor" if python_kind(value) in (bool, int, float, complex, str, bytes) else None
        case Composite():
            return value.kind
        case TensorArray():
            return "TensorArray"
        case _:
            return None


def described(value: Value) -> str:
    """A value's structure in words."""
    match value:
        case Tuple() if value.fields:
            return f"a namedtuple with the fields {', '.join(value.fields)}"
        case Tuple() if not value.items:
            return "an empty tuple"
        case Tuple():
            return f"a tuple of length {_several(value.items)}"
        case Structure(kind="dict", keys=()):
            return "an empty dict"
        case Structure(kind="dict"):
            return f"a dict with the key{'s' * (len(value.keys) > 1)} {', '.join(value.keys)}"
        case Structure():
            return f"a list of length {_several(value.items)}" if value.items else "an empty list"
        case Composite() | TensorArray():
            return f"a {value.kind if isinstance(value, Composite) else 'TensorArray'}"
        case Tensor() | Variable() | Array() | Constant() | Scalar():
            return "a tensor"
        case _:
            return "something else"


def _several(items: tuple[Value, ...]) -> str:
    kinds = {kind_of(item) for item in items}
    if kinds & {"tuple", "list", "dict"}:
        return f"{len(items)} ({', '.join(described(item) for item in items)})"
    return str(len(items))


def emptied(first: Value, second: Value) -> tuple[str, str] | None:
    """The two in words, if one is an empty list and the other a list of unknown length."""
    sides = (first, second)
    empty = [side == Structure("list", ()) for side in sides]
    unknown = [isinstance(side, Object) and side.kind == "list" for side in sides]
    if empty[0] and unknown[1]:
        return "an empty list", "a list"
    return ("a list", "an empty list") if unknown[0] and empty[1] else None


def adapts(converter: Converter, first: Value, second: Value) -> bool:
    """True if one is a Python number that takes the other's dtype, as in code that Graphwright converts."""
    if converter is Converter.AUTOGRAPH:
        return False
    for number, other in ((first, second), (second, first)):
        kind = python_kind(number)
        whole = kind is int or (isinstance(number, Tensor) and number.number and number.dtype in dtypes.INTEGERS)
        part = kind is float or (isinstance(number, Tensor) and number.number and number.dtype in dtypes.FLOATS)
        wider = dtypes.FLOATS | dtypes.COMPLEX
        family = dtypes.INTEGERS | wider if whole else wider if part else frozenset[str]()
        if dtype_of(other) in family:
            return True
    return False


def unsupported(value: Value, converter: Converter = Converter.AUTOGRAPH) -> str | None:
    """The kind of a value that can't be part of a graph's state: a function, a layer, an instance."""
    match value:
        case Function() | Bound(target=Function()) | Traced() | Partial():
            return "a function"
        case Class():
            return "a class"
        case DType():
            return "a dtype"
        case Api() if value.name.startswith(("tf.nn.", "tf.math.", "tf.keras.activations.")):
            return "a function"
        case Object(kind="instance"):
            told = _plain_instance(value)
            return told if converter is Converter.AUTOGRAPH or _is_outside(value.type) else None
        case _:
            known = not isinstance(value, Api) and _is_named(value, _OUTSIDE)
            return f"a `{getattr(value, 'name', '')}`" if known else None


def can_be_called(value: Value) -> bool:
    """Whether a value is a function, a layer, or an object with `__call__`, of which Graphwright calls one of a few."""
    if isinstance(value, Object) and value.kind == "instance":
        return value.type is not None and any(
            "__call__" in each.special if isinstance(each, Class) else _is_named(each, (*_CALLED, "tf.keras.Model"))
            for each in lineage(value.type)
        )
    return isinstance(value, Api) or unsupported(value) == "a function" or _is_named(value, _CALLED)


def _is_named(value: Value, beginnings: tuple[str, ...]) -> bool:
    name = getattr(value, "name", "")
    return isinstance(name, str) and name.startswith(beginnings)


_CALLED = ("tf.keras.layers.", "tf.keras.losses.", "tf.keras.metrics.", "tf.keras.Sequential")
_OUTSIDE = (*_CALLED, "tf.keras.optimizers.")


def own_class(value: Value) -> Class | None:
    """The project's class of which a value is an instance."""
    if isinstance(value, Object) and value.kind == "instance" and isinstance(value.type, Class):
        return value.type
    return None


def _plain_instance(value: Object) -> str | None:
    """True for an instance of a class that defines no conversion to tensors."""
    if not isinstance(value.type, Class):
        return None
    for class_ in lineage(value.type):
        if isinstance(class_, Class):
            if class_.node.decorator_list and not class_.dataclass:
                return None
            if any(name.startswith(_CONVERSIONS) for name in class_.special):
                return None
        elif not isinstance(class_, Api) or (class_.name not in _BASES and not class_.name.startswith("tf.keras.")):
            return None
    return f"a `{value.type.node.name}` object"


def _is_outside(class_: Value | None) -> bool:
    """True if instances of the class aren't plain objects, whose attributes Graphwright passes on one by one."""
    return class_ is not None and any(
        "__call__" in each.special
        if isinstance(each, Class)
        else each not in (Api("object"), Api("typing.Generic"), Api("abc.ABC"))
        for each in lineage(class_)
    )


_CONVERSIONS = ("__tf_", "__array", "__iter__", "__getattr__", "__float__", "__int__", "__len__")
_BASES = frozenset({"object", "typing.Generic", "abc.ABC", "tf.Module"})


def carried(value: Value) -> Value:
    """The value as a loop carries it: numbers anywhere inside become tensors."""
    if isinstance(value, Structure):
        return Structure(value.kind, tuple(carried(item) for item in value.items), value.keys)
    if python_kind(value) in (bool, int, float, complex):
        return Tensor(dtype_of(value), (), number=True)
    return staged(value)
