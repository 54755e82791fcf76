"""Classes and instances: attribute lookup along the bases, and making instances.

Only classes that the project defines are looked into; what an outside base adds is unknown.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Api,
    Bound,
    Class,
    Constant,
    Function,
    Method,
    Object,
    Partial,
    Scalar,
    Super,
    Tensor,
    Traced,
    Tuple,
    Unknown,
    Value,
    lineage,
)

from . import cache_keys, calls, conversion, escapes, journal
from .run import Frame, Run
from .state import Place

_OF_MODULE = frozenset(
    {"name", "name_scope", "variables", "trainable_variables", "non_trainable_variables", "submodules"}
)
"""The public attributes that `tf.Module` gives its instances."""


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
    unconverted = parent.unconverted if parent is not None else None
    frame = Frame(run.fresh() if id_ is None else id_, scope, from_block, parent, node, unconverted, owner)
    run.frames[frame.id] = run.seen.frames[frame.id] = frame
    return frame


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
    if name == "__dict__":
        escapes.forget(run, owner)
        return UNKNOWN
    found = run.state.value(owner.id, name)
    if found is not UNDEFINED:
        return found
    if owner.kind == "module":
        return UNKNOWN
    if owner.kind != "instance" or owner.type is None:
        return Method(owner, name)
    for class_ in lineage(owner.type):
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if found is not UNDEFINED:
                plain = isinstance(found, (Constant, Scalar, Tensor))
                return UNKNOWN if plain and escapes.is_open(run, owner) else bound(run, frame, found, owner)
    base = outside_base(owner.type)
    surely = base is None or (base == "tf.Module" and name not in _OF_MODULE)
    if surely and not escapes.is_open(run, owner) and not _declared(run, owner.type, "__getattr__"):
        return missing
    return Method(owner, name) if base == "tf.Module" or is_keras(owner.type) else UNKNOWN


def declares(run: Run, instance: Object, name: str) -> bool:
    """Whether the instance's class or a base of it binds the name."""
    return instance.type is not None and _declared(run, instance.type, name) is not None


def store(
    run: Run,
    frame: Frame,
    owner: Object,
    name: str,
    value: Value,
    place: Place | None = None,
    node: gast.AST | None = None,
) -> None:
    """`owner.name = value`; a property or the like in the class takes the value instead."""
    found = _declared(run, owner.type, name) if owner.type is not None else None
    if isinstance(found, (Partial, Unknown)):
        escapes.forget(run, owner, value)
        return
    if node is not None:
        journal.stored(run, frame, (owner.id, name, None), node, value)
    run.state.set(owner.id, name, value, place)


def _declared(run: Run, class_: Value, name: str) -> Value | None:
    for each in lineage(class_):
        if isinstance(each, Class):
            found = run.state.value(each.id, name)
            if found is not UNDEFINED:
                return found
    return None


def _of_class(run: Run, frame: Frame, owner: Class, name: str) -> Value:
    for class_ in lineage(owner):
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if isinstance(found, Partial) and found.target == Api("classmethod"):
                return Bound(_wrapped(found), owner)
            if isinstance(found, Partial) and found.target == Api("staticmethod"):
                return _wrapped(found)
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
        if found.target.name == "functools.cached_property":
            return UNKNOWN
        if found.target.name == "property":
            getter = _wrapped(found, "fget")
            return calls.call(run, conversion.special(run, frame, getter), Bound(getter, receiver), [], {}, None)
        if found.target.name == "staticmethod":
            return _wrapped(found)
        if found.target.name == "classmethod":
            type_ = receiver.type if isinstance(receiver, Object) else None
            return Bound(_wrapped(found), type_ or UNKNOWN)
    return found


def _wrapped(wrapper: Partial, name: str = "function") -> Value:
    """What `property`, `staticmethod` or `classmethod` was given, if anything."""
    return wrapper.positional[0] if wrapper.positional else dict(wrapper.named).get(name, UNKNOWN)


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
    cache_keys.note_instance(run, frame, class_, made, node)
    if class_.dataclass:
        _set_fields(run, made, class_, positional, named)
        initializer = attribute(run, frame, made, "__post_init__", UNDEFINED)
        arguments: tuple[list[Value], dict[str, Value]] = ([], {})
    else:
        initializer = attribute(run, frame, made, "__init__", UNDEFINED)
        arguments = (positional, named)
    if isinstance(initializer, Bound):
        calls.call(run, conversion.special(run, frame, initializer.target), initializer, *arguments, node)
    return made


def _set_fields(run: Run, made: Object, class_: Class, positional: list[Value], named: dict[str, Value]) -> None:
    """Dataclass fields come in the order of the bases, the class's own last."""
    bases = [base for base in lineage(class_) if isinstance(base, Class)]
    fields = dict.fromkeys(name for base in reversed(bases) for name in base.fields)
    given = {**dict(zip(fields, positional, strict=False)), **named}
    for name in fields:
        value = given.get(name) or _declared(run, class_, name)
        run.state.set(made.id, name, UNKNOWN if value is None else value)
