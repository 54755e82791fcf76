"""Classes and instances: attribute lookup along the bases, and making instances.

Only classes that the project defines are looked into; what an outside base adds is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Api,
    Bound,
    Class,
    Function,
    Method,
    Object,
    Partial,
    Super,
    Traced,
    Tuple,
    Value,
)

from . import calls
from .run import Frame, Run

OPEN_BASES = (
    "tf.Module",
    "tf.keras.Model",
    "tf.keras.layers.Layer",
    "tf.keras.losses.Loss",
    "tf.keras.metrics.Metric",
    "tf.keras.optimizers.schedules.LearningRateSchedule",
    "tf.keras.callbacks.Callback",
)
"""Outside bases whose instances take attributes like any object and have few public ones of their own."""

_OF_OPEN_BASES = frozenset(
    [
        "name",
        "name_scope",
        "variables",
        "trainable_variables",
        "non_trainable_variables",
        "submodules",
        "trainable",
        "weights",
        "losses",
        "layers",
        "trainable_weights",
        "metrics",
        "dtype",
        "built",
        "inputs",
        "outputs",
        "input",
        "output",
        "optimizer",
        "loss",
        "model",
        "params",
    ]
)


def new_frame(
    run: Run,
    node: gast.AST,
    parent: Frame | None,
    owner: Value | None = None,
    id_: int | None = None,
    block: Any = None,
) -> Frame:
    """An activation of a function, class body, comprehension or module."""
    from_block = block if block is not None else parent.block if parent is not None else None
    assert from_block is not None
    scope = run.scopes_of(from_block, node)
    converted = parent.converted if parent is not None else True
    frame = Frame(run.fresh() if id_ is None else id_, scope, from_block, parent, node, converted, owner)
    run.frames[frame.id] = frame
    return frame


def lineage(class_: Value) -> Iterator[Value]:
    """The class and everything it inherits from, depth first."""
    yield class_
    if isinstance(class_, Class):
        for base in class_.bases:
            yield from lineage(base)


def outside_base(class_: Value) -> str | None:
    """The first base from outside the project that isn't `object`, by name; '' where it isn't even known."""
    for base in lineage(class_):
        if isinstance(base, Api) and base.name not in (
            "object",
            "typing.Generic",
            "abc.ABC",
            "typing.NamedTuple",
        ):
            return base.name
        if not isinstance(base, (Api, Class)):
            return ""
    return None


def is_keras(class_: Value) -> bool:
    return (outside_base(class_) or "").startswith("tf.keras.")


def attribute(run: Run, frame: Frame, owner: Value, name: str, missing: Value) -> Value:
    """An attribute of an instance, a class or a `super()`."""
    if isinstance(owner, Super):
        return _behind(run, frame, owner, name)
    if isinstance(owner, Class):
        return _of_class(run, frame, owner, name)
    assert isinstance(owner, Object)
    found = run.state.value(owner.id, name)
    if found is not UNDEFINED:
        return found
    if owner.kind != "instance" or owner.type is None:
        return Method(owner, name)
    for class_ in lineage(owner.type):
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if found is not UNDEFINED:
                return bound(run, frame, found, owner)
    base = outside_base(owner.type)
    if base is None or (base in OPEN_BASES and name not in _OF_OPEN_BASES):
        return missing
    return Method(owner, name) if base in OPEN_BASES else UNKNOWN


def _of_class(run: Run, frame: Frame, owner: Class, name: str) -> Value:
    for class_ in lineage(owner):
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if isinstance(found, Partial) and found.target == Api("classmethod"):
                return Bound(found.positional[0], owner)
            if isinstance(found, Partial) and found.target == Api("staticmethod"):
                return found.positional[0]
            if found is not UNDEFINED:
                return found
    return UNKNOWN


def _behind(run: Run, frame: Frame, owner: Super, name: str) -> Value:
    receiver = owner.receiver
    line = list(lineage(receiver.type)) if isinstance(receiver, Object) and receiver.type is not None else []
    start = line.index(owner.owner) + 1 if owner.owner in line else len(line)
    for class_ in line[start:]:
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if found is not UNDEFINED:
                return bound(run, frame, found, receiver)
    return Method(owner, name)


def bound(run: Run, frame: Frame, found: Value, receiver: Value) -> Value:
    """What looking up a class attribute through an instance gives."""
    if isinstance(found, (Function, Traced)):
        return Bound(found, receiver)
    if isinstance(found, Partial) and isinstance(found.target, Api):
        if found.target.name in ("property", "functools.cached_property"):
            return calls.call(run, frame, Bound(found.positional[0], receiver), [], {}, None)
        if found.target.name == "staticmethod":
            return found.positional[0]
        if found.target.name == "classmethod":
            type_ = receiver.type if isinstance(receiver, Object) else None
            return Bound(found.positional[0], type_ or UNKNOWN)
    return found


def instantiate(
    run: Run,
    frame: Frame,
    class_: Class,
    positional: list[Value],
    named: dict[str, Value],
    node: gast.AST | None,
) -> Value:
    """A new instance, with what its `__init__` or its fields make of the arguments."""
    if Api("typing.NamedTuple") in class_.bases:
        values = [*positional, *(named.get(name, UNKNOWN) for name in class_.fields[len(positional) :])]
        return Tuple(tuple(values), class_.fields) if len(values) == len(class_.fields) else UNKNOWN
    made = run.allocate("instance", class_)
    if class_.dataclass:
        for base in reversed([c for c in lineage(class_) if isinstance(c, Class)]):
            _set_fields(run, made, base, positional, named)
        initializer = attribute(run, frame, made, "__post_init__", UNDEFINED)
        arguments: tuple[list[Value], dict[str, Value]] = ([], {})
    else:
        initializer = attribute(run, frame, made, "__init__", UNDEFINED)
        arguments = (positional, named)
    if isinstance(initializer, Bound):
        calls.call(run, frame, initializer, *arguments, node)
    return made


def _set_fields(run: Run, made: Object, class_: Class, positional: list[Value], named: dict[str, Value]) -> None:
    for position, name in enumerate(class_.fields):
        value = positional[position] if position < len(positional) else named.get(name)
        if value is None:
            value = run.state.value(class_.id, name)
        run.state.set(made.id, name, UNKNOWN if value is UNDEFINED else value)
