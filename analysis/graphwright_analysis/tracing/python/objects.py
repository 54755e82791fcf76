"""Classes and instances: attribute lookup along the bases, and making instances.

Only classes that the project defines are looked into; what an outside base adds is unknown.
"""

from __future__ import annotations

from graphwright_analysis.imports import Import
from graphwright_analysis.tracing.functions import cache_keys, conversion
from graphwright_analysis.tracing.library import extension_types, keras_code
from graphwright_analysis.tracing.machine import open_instances
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.surroundings import Surroundings
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import class_bases
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
    Value,
)
from graphwright_analysis.values.lineage import lineage

from . import calls

_OF_MODULE = frozenset(
    {"name", "name_scope", "variables", "trainable_variables", "non_trainable_variables", "submodules"}
)
"""The public attributes that `tf.Module` gives its instances."""


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
    found = run.resolved(run.state.value(owner.id, name))
    if found is not UNDEFINED:
        return found
    if owner.kind == "module":
        return _submodule(run, owner, name)
    if owner.kind != "instance" or owner.type is None:
        return Method(owner, name)
    for class_ in lineage(owner.type):
        if isinstance(class_, Class):
            found = run.state.value(class_.id, name)
            if found is not UNDEFINED:
                plain = isinstance(found, (Constant, Scalar, Tensor))
                return UNKNOWN if plain and open_instances.is_open(run, owner) else bound(run, frame, found, owner)
    base = class_bases.outside_base(owner.type)
    surely = base is None or (base == "tf.Module" and name not in _OF_MODULE)
    if surely and not open_instances.is_open(run, owner) and not class_bases.declared(run, owner.type, "__getattr__"):
        return missing
    return Method(owner, name) if base == "tf.Module" or class_bases.is_keras(owner.type) else UNKNOWN


def _submodule(run: Run, package: Object, name: str) -> Value:
    """What a package has under a name that its own code doesn't bind."""
    run.surroundings.ask(Surroundings.has_run, package.id)  # For the record: it may be possible later.
    frame = run.frame(package.id)
    if frame is None:
        return UNKNOWN
    brought = run.starred(frame, name)
    if brought is not UNDEFINED:
        return brought
    found = run.destination_in_project(frame.file, Import(name, 1, None))
    return UNKNOWN if found is None else run.resolved(found)


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
    return extension_types.spec_of(owner) if name == "Spec" and class_bases.is_extension_type(owner) else UNKNOWN


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
            return calls.call_value(run, Bound(getter, receiver), Call(conversion.special(run, frame, getter)))
        if found.target.name == "staticmethod":
            return _wrapped(found)
        if found.target.name == "classmethod":
            type_ = receiver.type if isinstance(receiver, Object) else None
            return Bound(_wrapped(found), type_ or UNKNOWN)
    return found


def set_property(run: Run, frame: Frame, owner: Object, name: str, value: Value) -> bool:
    """Whether a property of the project takes the value, which its setter is called for."""
    found = class_bases.declared(run, owner.type, name) if owner.type is not None else None
    if not isinstance(found, Partial) or found.target != Api("property"):
        return False
    setter = dict(found.named).get("fset")
    if not isinstance(setter, Function):
        return False
    calls.call_value(run, Bound(setter, owner), Call(conversion.special(run, frame, setter), [value]))
    return True


def _wrapped(wrapper: Partial, name: str = "function") -> Value:
    """What `property`, `staticmethod` or `classmethod` was given, if anything."""
    return wrapper.positional[0] if wrapper.positional else dict(wrapper.named).get(name, UNKNOWN)


def instantiate(run: Run, class_: Class, call: Call) -> Value:
    """A new instance, with what its `__init__` or its fields make of the arguments."""
    if Api("typing.NamedTuple") in class_.bases:
        values = [*call.positional, *(call.named.get(name, UNKNOWN) for name in class_.fields[len(call.positional) :])]
        return Tuple(tuple(values), class_.fields) if len(values) == len(class_.fields) else UNKNOWN
    made = run.allocate("instance", class_)
    cache_keys.note_instance(run, class_, made, call)
    for name in sorted(class_bases.set_by_new(run, class_)):
        run.state.set(made.id, name, UNKNOWN)
    taken_apart = class_bases.is_extension_type(class_)
    if class_.dataclass or (taken_apart and not class_bases.declares(run, made, "__init__")):
        _set_fields(run, made, class_, call)
        initializer = attribute(run, call.frame, made, "__post_init__", UNDEFINED)
        call = call.with_arguments([])
    else:
        initializer = attribute(run, call.frame, made, "__init__", UNDEFINED)
    if isinstance(initializer, Bound):
        calls.call_value(run, initializer, call.from_frame(conversion.special(run, call.frame, initializer.target)))
    else:
        keras_code.constructed(run, made, call)
    if taken_apart:
        extension_types.convert_fields(run, made)
    return made


def _set_fields(run: Run, made: Object, class_: Class, call: Call) -> None:
    fields = class_bases.fields_of(class_)
    given = call.by_name(*fields)
    for name in fields:
        value = given.get(name) or class_bases.declared(run, class_, name)
        run.state.set(made.id, name, UNKNOWN if value is None else value)
