"""Nested structures of tensors, as `tf.nest` sees them: tuples, lists and dicts with tensors as leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Constant,
    Dataset,
    Entries,
    Items,
    Object,
    Spec,
    Tensor,
    Tuple,
    Value,
    is_tensor_like,
    python_kind,
)
from graphwright_analysis.values.joining import staged


def walked(run: Run, value: Value, change: Callable[[Value], Value]) -> Value:
    """The structure with everything changed that is neither a tuple nor a dict; its dicts are made anew."""
    if isinstance(value, Tuple):
        return Tuple(tuple(walked(run, item, change) for item in value.items), value.fields)
    entries = run.state.entries(value.id) if isinstance(value, Object) else None
    if entries is None:
        return change(value)
    rows = tuple((key, walked(run, held, change)) for key, held in entries.known)
    return allocation.new_dict(run, Entries(rows, entries.closed))


def mapped(run: Run, value: Value, change: Callable[[Value], Value]) -> Value:
    """The structure with every leaf changed; lists come back as tuples, as they do from a Dataset."""

    def leaf(part: Value) -> Value:
        if not isinstance(part, Object):
            return change(part)
        items = run.state.items(part.id)
        if items is None or items.known is None:
            return UNKNOWN
        return Tuple(tuple(mapped(run, item, change) for item in items.known))

    return walked(run, value, leaf)


def rebuilt(run: Run, value: Value, change: Callable[[Value], Value], source: State | None = None) -> Value:
    """Return the structure with every leaf changed; its lists and dicts are new ones of the same kind.

    Where the structure was made on another branch of the state, `source` is the state that holds its content.
    """
    return _rebuilt(run, value, change, source or run.state, _DEPTH)


def _rebuilt(run: Run, value: Value, change: Callable[[Value], Value], source: State, depth: int) -> Value:
    if isinstance(value, Tuple) and depth:
        return Tuple(tuple(_rebuilt(run, item, change, source, depth - 1) for item in value.items), value.fields)
    if not isinstance(value, Object) or not depth:
        return change(value)
    items, entries = source.items(value.id), source.entries(value.id)
    if items is not None:
        known = items.known
        if known is not None:
            known = tuple(_rebuilt(run, item, change, source, depth - 1) for item in known)
        made = run.allocate(value.kind)
        run.state.set_content(made.id, Items(known, change(items.element)))
        return made
    if entries is None:
        return change(value)
    rows = tuple((key, _rebuilt(run, held, change, source, depth - 1)) for key, held in entries.known)
    return allocation.new_dict(run, Entries(rows, entries.closed))


_DEPTH = 8
"""How deep a structure is followed: a list may hold itself."""


def leaves(run: Run, value: Value, depth: int = _DEPTH) -> Iterator[Value]:
    """Yield what is known to be in the structure and is neither a tuple, a list nor a dict."""
    items = run.state.items(value.id) if isinstance(value, Object) else None
    entries = run.state.entries(value.id) if isinstance(value, Object) else None
    parts: Sequence[Value] | None = value.items if isinstance(value, Tuple) else None
    if items is not None:
        parts = (items.element,) if items.known is None else items.known
    elif entries is not None:
        parts = [held for _, held in entries.known]
    if parts is None or not depth:
        yield value
        return
    for part in parts:
        yield from leaves(run, part, depth - 1)


def repacked(run: Run, value: Value) -> Value:
    """The structure as each trace gets it: its dicts are made anew, and what is done to them is nobody else's."""
    return walked(run, value, lambda part: part)


def as_element(run: Run, value: Value) -> Value:
    """What a structure is as an element of a Dataset: everything in it becomes a tensor, lists of numbers too."""
    if isinstance(value, Object) and run.state.entries(value.id) is None:
        elements = held_values.elements_of(run, value)
        if elements and all(python_kind(element) is not None for element in elements):
            return held_values.as_tensor(run, value)
    return mapped(run, value, _leaf) if not isinstance(value, Dataset) else value


def _leaf(value: Value) -> Value:
    known = isinstance(value, (Tensor, Constant, Dataset)) or is_tensor_like(value) or python_kind(value) is not None
    return staged(value) if known or staged(value) is not value else UNKNOWN


def eager(run: Run, value: Value) -> Value:
    """The structure as an eager caller holds it: there every size is a number."""
    return walked(run, value, _known_eagerly)


def _known_eagerly(part: Value) -> Value:
    return Tensor(part.dtype, shapes.known_eagerly(part.shape)) if isinstance(part, Tensor) else part


def spec(run: Run, element: Value) -> Value:
    """`dataset.element_spec`: the structure with a spec for each leaf."""
    return mapped(run, element, lambda leaf: Spec(leaf) if isinstance(leaf, Tensor) else UNKNOWN)


def replace(run: Run, old: Value, new: Value) -> None:
    """Whatever name or collection holds `old` holds `new` from here on."""
    before = {cell: run.state.content(cell) for cell in run.holders_of(old)}
    for (owner, name), content in {**before, **run.state.cells}.items():
        if isinstance(content, Items) and content.known is not None and old in content.known:
            known = tuple(new if value == old else value for value in content.known)
            run.state.set_content(owner, Items(known, content.element))
        elif isinstance(content, Value) and not isinstance(content, Object):
            replaced = _replaced(content, old, new)
            if replaced is not content:
                run.state.set(owner, name, replaced)


def _replaced(value: Value, old: Value, new: Value) -> Value:
    if value == old:
        return new
    if isinstance(value, Tuple) and any(_replaced(item, old, new) is not item for item in value.items):
        return Tuple(tuple(_replaced(item, old, new) for item in value.items), value.fields)
    return value
