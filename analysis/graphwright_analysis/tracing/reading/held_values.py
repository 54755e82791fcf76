"""What values hold: elements, items and sizes, and the tensors that are made of them.

Attributes, which a property may compute, are the evaluator's.
"""

from __future__ import annotations

import ast

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    STATIC,
    UNDEFINED,
    UNKNOWN,
    Array,
    Constant,
    Dataset,
    Items,
    Object,
    StaticShape,
    Tensor,
    Traced,
    Tuple,
    UnknownSize,
    Value,
    Variable,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.kinds import is_static
from graphwright_analysis.values.known_arrays import KnownArray
from graphwright_analysis.values.lost_shapes import RanklessShape
from graphwright_analysis.values.shapes import Shape
from graphwright_analysis.values.tensorflow import functions, indexing


def size(entry: int | None, axis: int | None = None) -> Value:
    """One entry of a static shape as Python sees it."""
    if entry is None:
        return UnknownSize(None, axis)
    return STATIC if entry == shapes.ANY else Constant(entry)


def sizes(shape: tuple[int | None, ...]) -> tuple[Value, ...]:
    """A static shape as a tuple or list of Python values."""
    return tuple(size(entry, axis) for axis, entry in enumerate(shape))


def shape_given(run: Run, value: Value) -> Shape:
    """The static shape that an argument such as `[None, 3]`, a number or a TensorShape stands for."""
    if isinstance(value, Constant) and type(value.value) is int:
        return (value.value,)
    elements = elements_of(run, value)
    static = value.shape if isinstance(value, StaticShape) else None
    return indexing.given(value, elements) if elements is not None else static


def item(run: Run, owner: Value, key: Value, missing: Value = UNKNOWN) -> Value:
    """`owner[key]`."""
    if isinstance(owner, RanklessShape):
        return UnknownSize(None, key.value if isinstance(key, Constant) and isinstance(key.value, int) else None)
    if isinstance(owner, StaticShape):
        if owner.shape is None or not isinstance(key, Constant) or not isinstance(key.value, int):
            return STATIC
        if not -len(owner.shape) <= key.value < len(owner.shape):
            return UNKNOWN
        return size(owner.shape[key.value], key.value)
    if isinstance(owner, Object) and (entries := run.state.entries(owner.id)) is not None:
        if not isinstance(key, Constant):
            return UNKNOWN
        found = entries.get(key.value)
        return missing if found is UNDEFINED else found
    elements = elements_of(run, owner)
    if elements is not None and isinstance(key, Constant) and isinstance(key.value, int):
        if -len(elements) <= key.value < len(elements):
            return elements[key.value]
        return missing
    if isinstance(owner, (Object, Tuple, Elements)):
        return element_of(run, owner)
    return STATIC if is_static(owner) else UNKNOWN


def constant_key(step: str) -> Constant:
    """The key that a symbol's step such as `['k']` or `[0]` names."""
    return Constant(ast.literal_eval(step[1:-1]))


def elements_of(run: Run, value: Value) -> tuple[Value, ...] | None:
    """The elements that iterating the value in Python gives, where all are known."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Elements):
        return value.known
    if isinstance(value, Object):
        items = run.state.items(value.id)
        if items is not None:
            return items.known
        entries = run.state.entries(value.id)
        return tuple(Constant(key) for key, _ in entries.known) if entries is not None and entries.closed else None
    if isinstance(value, KnownArray) and value.shape:
        return tuple(KnownArray(value.dtype, (), (number,)) for number in value.numbers)
    if isinstance(value, (Tensor, Array)) and value.shape and value.shape[0] is not None and 0 <= value.shape[0] <= 8:
        make = Tensor if isinstance(value, Tensor) else Array
        return (make(value.dtype, value.shape[1:]),) * value.shape[0]
    if isinstance(value, StaticShape) and value.shape is not None:
        return sizes(value.shape)
    return None


def stacked_list(run: Run, value: Value) -> Tensor | None:
    """What `tf.stack` makes of a list of unknown length whose elements are alike."""
    items = run.state.items(value.id) if isinstance(value, Object) else None
    if items is None or items.known is not None or not isinstance(items.element, Tensor):
        return None
    shape = items.element.shape
    return Tensor(items.element.dtype, None if shape is None else (None, *shape))


def as_tensor(run: Run, value: Value) -> Tensor:
    """What `tf.convert_to_tensor` makes of a value, collections in the state included."""
    return functions.converted(value, lambda part: elements_of(run, part))


def element_of(run: Run, value: Value) -> Value:
    """What is known of each element that iterating the value gives."""
    elements = elements_of(run, value)
    if elements is not None:
        if len(elements) > 1:
            lose(run, *elements)
        return common(Items(elements))
    if isinstance(value, Object):
        items = run.state.items(value.id)
        return items.element if items is not None else UNKNOWN
    if isinstance(value, Elements):
        return value.element
    if isinstance(value, (Tensor, Variable, Array)):
        rest = value.shape[1:] if value.shape else None
        if isinstance(value, Array):
            return Array(value.dtype, rest)
        return Tensor(value.dtype, rest, number=isinstance(value, Tensor) and value.number)
    if isinstance(value, Dataset):
        return value.element
    return STATIC if is_static(value) else UNKNOWN


VIEWS: dict[str, Value] = {"keys": STATIC, "items": Elements(Tuple((STATIC, UNKNOWN))), "values": Elements(UNKNOWN)}
"""What nothing but a mapping has: methods that give its keys and what it holds, which Python walks through."""


def lose(run: Run, *values: Value) -> None:
    """It isn't known any more which of these values is which: calls of the functions among them can't be counted."""
    for value in values:
        if isinstance(value, Traced):
            run.escapes(value)
        elif isinstance(value, Object) and value.kind == "instance":
            for held in run.state.owned(value.id, Traced).values():
                assert isinstance(held, Traced)
                run.escapes(held)
