"""What a function gives where the sizes of what it is given come back in it: by forms such as `B H W C -> B W H C`.

A form is what TensorFlow made of an example for several sizes and dtypes; `tools/example_forms.py` found it.
A call that fits several forms gives what they have in common, and one that fits none is a tensor at most.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import NONE, UNKNOWN, Composite, Constant, Tensor, Tuple, Value, is_tensor_like
from graphwright_analysis.values.shapes import ANY, Shape

from . import operands
from .operands import Arguments
from .special_functions import ListOf, named_dtype

Text = Mapping[str, Any]
"""A form as the table has it.

`of` says by parameter which letter stands for the dtype of an operand and which for its sizes, `sizes` which
parameters are sizes themselves, `given` which must have a value, and `free` which may have any. `gives` is one output,
or a list of them behind the word `tuple` or `list`; a list has one that stands for all. An output has a `dtype`: one,
or the letter that decides and what it gives; a `shape` of numbers, letters, `...` for any sizes before, `?` for one
that isn't followed and None for one that TensorFlow doesn't know; and, where it is no plain tensor, a `kind`. A list
for a size names the places, as `image.2`, of which TensorFlow has to know the sizes to know this one.
"""

_HARMLESS = frozenset({"name", "seed"})
"""Parameters that change nothing of what is known of a result."""


Given = Value | ListOf


@immutable
class _Fit:
    """What the letters of a form stand for in a call; `before` are the sizes of `...`."""

    sizes: Mapping[str, int | None]
    before: Shape
    dtypes: Mapping[str, str | None]
    places: Mapping[str, Any]
    """The size, or the sizes, at each place."""


def given(forms: Sequence[Text], defaults: Mapping[str, Any], arguments: Arguments) -> Given:
    """What a call gives."""
    fits = [(form, fit) for form in forms if (fit := _fit(form, defaults, arguments)) is not None]
    if not fits:
        single = all(isinstance(form["gives"], dict) and "kind" not in form["gives"] for form in forms)
        return Tensor() if single and not any(isinstance(v, Composite) for v in arguments.values.values()) else UNKNOWN
    return functools.reduce(_common, [_asked(form, fit, arguments) for form, fit in fits])


def _asked(form: Text, fit: _Fit, arguments: Arguments) -> Given:
    """What a form gives, in the dtype that the call asks for where it does."""
    made = _made(form["gives"], form.get("fields", ()), fit)
    asking = [name for name in operands.DTYPE_PARAMETERS if arguments.get(name) != NONE and name not in _named(form)]
    return _of_dtype(made, named_dtype(arguments.get(asking[0]))) if asking else made


def _named(form: Text) -> set[str]:
    """The parameters that a form says something of."""
    return {*form["of"], *form.get("sizes", ()), *form.get("given", ()), *form.get("free", ())}


def _fit(form: Text, defaults: Mapping[str, Any], arguments: Arguments) -> _Fit | None:
    """How a call fits a form, or None where it doesn't."""
    known = _named(form) | _HARMLESS | {*operands.DTYPE_PARAMETERS}
    others = [name for name in arguments.values if name not in known]
    if arguments.extra or any(not _is(arguments.get(name), defaults.get(name, ...)) for name in others):
        return None
    for name, wanted in form.get("given", {}).items():
        if not (_is(arguments.get(name), wanted) if arguments.has(name) else defaults.get(name, ...) == wanted):
            return None
    sizes: dict[str, int | None] = {}
    for name, letter in form.get("sizes", {}).items():
        default = defaults.get(name)
        sizes[letter] = arguments.size(name) if arguments.has(name) else default if type(default) is int else ANY
    return _fit_of_operands(form["of"], sizes, arguments)


def _fit_of_operands(of: Mapping[str, Any], sizes: dict[str, int | None], arguments: Arguments) -> _Fit | None:
    before: Shape = None
    dtypes: dict[str, str | None] = {}
    places: dict[str, Any] = {}
    for name, (letter, pattern, *kind) in of.items():
        value = arguments.get(name)
        if not arguments.has(name) or (isinstance(value, Composite) and value.kind not in kind):
            return None
        if dtypes.get(letter) is None or is_tensor_like(value):
            dtypes[letter] = (
                value.dtype if isinstance(value, Composite) else operands.own_dtype(value, arguments.elements)
            )
        shape = None if isinstance(value, Composite) else _shape_of(arguments, name, kind)
        if shape is None:
            sizes.update({each: sizes.get(each, ANY) for each in pattern or () if isinstance(each, str)})
            continue
        parts = list(_bound(pattern, shape))
        if len(parts) != len(pattern):
            return None
        places.update((f"{name}.{at}", size) for at, (_, size) in enumerate(parts))
        for each, size in parts:
            if each == "...":
                before = cast("Shape", size) if before is None else _agreed_shape(before, cast("Shape", size))
            elif isinstance(each, str):
                found = cast("int | None", size)
                sizes[each] = _agreed(sizes[each], found) if each in sizes else found
            elif shapes.unequal(each, cast("int | None", size)):
                return None
    return _Fit(sizes, before, dtypes, places)


def _agreed(one: int | None, other: int | None) -> int | None:
    """A size that two operands should have; a 1 may be stretched to another."""
    return ANY if one != other and 1 in (one, other) else shapes.merged_size(one, other)


def _agreed_shape(one: Shape, other: Shape) -> Shape:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(_agreed(*pair) for pair in zip(one, other, strict=True))


def _shape_of(arguments: Arguments, name: str, kind: Sequence[str]) -> Shape:
    return arguments.given_shape(name) if kind == ["shape"] else arguments.shape(name)


def _bound(pattern: Sequence[Any], shape: tuple[int | None, ...]) -> Iterator[tuple[Any, Any]]:
    """The letters and numbers of a pattern with the sizes that they stand for; none where the rank is another."""
    if pattern[:1] == ["..."]:
        own = len(pattern) - 1
        if len(shape) >= own:
            at = len(shape) - own
            yield "...", shape[:at]
            yield from zip(pattern[1:], shape[at:], strict=True)
    elif len(shape) == len(pattern):
        yield from zip(pattern, shape, strict=True)


def _is(value: Value, wanted: Any) -> bool:
    """Whether an argument has a value; what isn't known may have it."""
    if isinstance(value, Constant):
        return type(value.value) is type(wanted) and value.value == wanted
    return wanted is not ... and value == UNKNOWN


def _made(text: Any, fields: Sequence[str], fit: _Fit) -> Given:
    if isinstance(text, dict):
        return _output(cast("Text", text), fit)
    kind, *parts = text
    made = [_made(part, (), fit) for part in parts]
    if kind == "list":
        return ListOf(None, made[0] if isinstance(made[0], Value) else UNKNOWN)
    return Tuple(tuple(part if isinstance(part, Value) else UNKNOWN for part in made), tuple(fields))


def _output(text: Text, fit: _Fit) -> Value:
    dtype = text["dtype"]
    if isinstance(dtype, list):
        letter, *cases = cast("list[Any]", dtype)
        found = fit.dtypes.get(letter)
        dtype = cases[0].get(found) if cases else found
    if "kind" in text:
        return Composite(text["kind"], dtype)
    return Tensor(dtype, _shape(text["shape"], fit))


def _shape(pattern: Sequence[Any] | None, fit: _Fit) -> Shape:
    result: list[int | None] = []
    for each in pattern or ():
        letter, *needs = cast("list[Any]", each) if isinstance(each, list) else [each]
        sizes = fit.before if letter == "..." else (_size(letter, fit),)
        if sizes is None:
            return None
        result += functools.reduce(_needing, (fit.places.get(place, ANY) for place in needs), sizes)
    return None if pattern is None else tuple(result)


def _size(letter: Any, fit: _Fit) -> int | None:
    return ANY if letter == "?" else fit.sizes.get(letter, ANY) if isinstance(letter, str) else letter


def _needing(sizes: tuple[int | None, ...], needed: Any) -> tuple[int | None, ...]:
    """The sizes where others have to be known, or the one at the same place; TensorFlow may well know it without."""
    others = cast("tuple[int | None, ...]", needed if isinstance(needed, tuple) else (needed,) * len(sizes))
    if len(others) != len(sizes):
        return (ANY,) * len(sizes)
    pairs = zip(sizes, others, strict=True)
    return tuple(size if size is None or shapes.is_number(other) else ANY for size, other in pairs)


def _common(one: Given, other: Given) -> Given:
    """What is known of what may be either."""
    if one == other:
        return one
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return Tensor(one.dtype if one.dtype == other.dtype else None, shapes.joined(one.shape, other.shape))
    if isinstance(one, Tuple) and isinstance(other, Tuple) and len(one.items) == len(other.items):
        parts = [_common(a, b) for a, b in zip(one.items, other.items, strict=True)]
        return Tuple(tuple(part if isinstance(part, Value) else UNKNOWN for part in parts), one.fields)
    if isinstance(one, ListOf) and isinstance(other, ListOf):
        element = _common(one.element, other.element)
        return ListOf(None, element if isinstance(element, Value) else UNKNOWN)
    return UNKNOWN


def _of_dtype(found: Given, dtype: str | None) -> Given:
    """The same where the call has asked for a dtype, of which only one tensor can be sure."""
    match found:
        case Tensor():
            return Tensor(dtype, found.shape)
        case Tuple():
            parts = (_of_dtype(part, None) for part in found.items)
            return Tuple(tuple(part if isinstance(part, Value) else UNKNOWN for part in parts), found.fields)
        case Composite():
            return Composite(found.kind, None)
        case ListOf():
            element = _of_dtype(found.element, None)
            return ListOf(None, element if isinstance(element, Value) else UNKNOWN)
        case _:
            return found
