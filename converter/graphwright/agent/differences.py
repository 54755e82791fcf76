"""Compares plain data as `snapshots` makes it, and says in words where two values differ first.

Numbers are compared as their dtypes allow: a compiler may add floats in another order.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, cast

from .snapshots import CopiedObject, Opaque, Symbolic

_NOTHING: Any = object()
_TEXT = (str, bytes)
_LONGEST = 80
_RELATIVE = {"float16": 1e-2, "bfloat16": 2e-2, "float32": 1e-4, "float64": 1e-7, "complex64": 1e-4}
GRADIENTS = 10.0
"""How much more gradients may differ, in which roundings add up."""

Found = tuple[str, str, str]
"""A place, the value there, and the other value in words."""


def differences(value: Any, other: Any, path: str, *, slack: float = 1.0) -> Iterator[Found]:
    """Each place where two values differ, in order."""
    if isinstance(value, CopiedObject) and isinstance(other, CopiedObject) and value.kind == other.kind:
        yield from _keyed(value.parts, other.parts, path, ".{}", slack)
    elif isinstance(value, dict) and isinstance(other, dict):
        yield from _keyed(cast("dict[Any, Any]", value), cast("dict[Any, Any]", other), path, "[{!r}]", slack)
    elif any(isinstance(value, kind) and isinstance(other, kind) for kind in (list, tuple)):
        yield from _items(value, other, path, slack)
    elif isinstance(value, list) and _is_array(other) and cast(Any, other).ndim:
        # A list that grows in a graph comes out as one tensor.
        yield from _items(cast("list[Any]", value), list(cast(Any, other)), path, slack)
    elif not _same(value, other, slack):
        yield _leaf(value, other, path, slack)


def printed_differences(text: str, other: str) -> Iterator[Found]:
    """The first line that differs of what was printed."""
    lines, others = text.splitlines(), other.splitlines()
    for number in range(max(len(lines), len(others))):
        line, instead = (each[number] if number < len(each) else _NOTHING for each in (lines, others))
        if line is _NOTHING or instead is _NOTHING or line != instead:
            yield f"printed line {number + 1}", shown(line), shown(instead)
            return


def shown(value: Any) -> str:
    """A value as a person reads it."""
    if value is _NOTHING:
        return "nothing"
    if isinstance(value, Symbolic):
        return "a tensor of the graph, without a value"
    if isinstance(value, (Opaque, CopiedObject)):
        return f"an object of type {value.kind}"
    if _is_array(value) and value.shape == ():
        text = repr(value.item()) if value.dtype.kind in "OSU" else str(value)
    else:
        text = " ".join(str(value).split()) if _is_array(value) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _keyed(value: dict[Any, Any], other: dict[Any, Any], path: str, place: str, slack: float) -> Iterator[Found]:
    for key in dict.fromkeys([*value, *other]):
        inner = path + place.format(key) if path else str(key)
        if key in value and key in other:
            yield from differences(value[key], other[key], inner, slack=slack)
        else:
            yield inner, shown(value.get(key, _NOTHING)), shown(other.get(key, _NOTHING))


def _items(value: Any, other: Any, path: str, slack: float) -> Iterator[Found]:
    if len(value) != len(other):
        yield f"len({path})", str(len(value)), str(len(other))
        return
    for index, (first, second) in enumerate(zip(value, other, strict=True)):
        yield from differences(first, second, f"{path}[{index}]", slack=slack)


def _same(value: Any, other: Any, slack: float) -> bool:
    if isinstance(value, _TEXT) or isinstance(other, _TEXT):
        return _text(value) == _text(other)
    if any(each is None or isinstance(each, (Opaque, CopiedObject, Symbolic, set)) for each in (value, other)):
        return bool(type(value) is type(other) and value == other)
    if any(isinstance(each, (dict, list, tuple)) for each in (value, other)):
        return False
    first, second = _array(value), _array(other)
    return _same_kind(value, other) and first.shape == second.shape and bool(_equal(first, second, slack).all())


def _leaf(value: Any, other: Any, path: str, slack: float) -> Found:
    if not (_is_array(value) and _is_array(other)):
        return path, _typed(value, other), _typed(other, value)
    if value.shape != other.shape or not _same_kind(value, other):
        return path, _spec(value), _spec(other)
    place = tuple(int(each[0]) for each in (~_equal(value, other, slack)).nonzero()) if value.shape else ()
    where = f"{path}[{', '.join(map(str, place))}]" if place else path
    return where, shown(_array(value[place])), shown(_array(other[place]))


def _typed(value: Any, other: Any) -> str:
    """A value, with its dtype where the other looks the same."""
    if shown(value) == shown(other) or (_is_array(value) and value.shape):
        return _spec(value) if _is_array(value) else f"{shown(value)} ({type(value).__name__})"
    return shown(value)


def _spec(value: Any) -> str:
    name = "string" if value.dtype.kind in "OSU" else value.dtype.name
    return f"{name}[{', '.join(map(str, value.shape))}]"


def _same_kind(value: Any, other: Any) -> bool:
    """Python's numbers have no dtype: an int fits any whole number."""
    first, second = _array(value).dtype, _array(other).dtype
    both = _is_array(value) and _is_array(other)
    return first == second if both else _kind(first) == _kind(second)


def _kind(dtype: Any) -> str:
    return {"u": "i", "V": "f", "S": "O", "U": "O"}.get(dtype.kind, str(dtype.kind))


def _equal(value: Any, other: Any, slack: float) -> Any:
    numpy: Any = sys.modules["numpy"]
    name = value.dtype.name if value.dtype.name in _RELATIVE else other.dtype.name
    if value.dtype.kind in "OSU":
        texts = [_text(a) == _text(b) for a, b in zip(value.ravel(), other.ravel(), strict=True)]
        return numpy.array(texts, bool).reshape(value.shape)
    if _kind(value.dtype) not in ("f", "c"):
        return numpy.asarray(value == other)
    relative = max(_RELATIVE.get(name, 1e-2), _RELATIVE.get(other.dtype.name, 0.0)) * slack
    wide = complex if value.dtype.kind == "c" else float
    first, second = value.astype(wide), other.astype(wide)
    return numpy.asarray(numpy.isclose(first, second, rtol=relative, atol=relative / 10, equal_nan=True))


def _text(value: Any) -> Any:
    value = value.item() if _is_array(value) and value.shape == () else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _array(value: Any) -> Any:
    return sys.modules["numpy"].asarray(value)


def _is_array(value: Any) -> bool:
    numpy: Any = sys.modules["numpy"]
    return isinstance(value, (numpy.ndarray, numpy.generic))
