"""Finds the function that is asked for in the user's module, with an instance where it is a method.

It never calls the function; all that it may make is an instance of a class that needs no arguments, and a function that
is only there while another one runs.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from . import enclosed
from .loading import Missing

NO_RECEIVER: Any = object()


@dataclass(frozen=True)
class Subject:
    """What is to be traced: `call` runs it as the user would, `python` is the plain function behind it.

    `graph` is the tf.function that it is, None where it has to be made one; `note` says what was made on the way.
    `receiver` is the instance that it is called on, which a tf.function alone doesn't keep alive.
    """

    name: str
    call: Callable[..., Any]
    python: Any
    graph: Any = None
    note: str = ""
    receiver: Any = None

    @property
    def line(self) -> int | None:
        code = code_of(self.python)
        return None if code is None else code.co_firstlineno - 1

    @property
    def has_account(self) -> bool:
        """Whether it is a gw.function, which accounts for its traces."""
        return hasattr(self.graph, "traces") and hasattr(self.graph, "account")


def find(
    module: types.ModuleType, name: str, receiver: Any = NO_RECEIVER, outer: Mapping[str, Any] | None = None
) -> Subject:
    """The function of a qualified name; raises `Missing` with what to do.

    `outer` has values for names that an enclosed function reads of those around it.
    """
    if enclosed.is_enclosed(name):
        return _subject(name, enclosed.made(module, name, outer or {}))
    owner: Any = module
    *path, last = name.split(".")
    for part in path:
        owner = _member(owner, part, name)
    if inspect.isclass(owner):
        return _method(module, owner, last, name, receiver)
    found = _member(owner, last, name)
    if inspect.isclass(found):
        if not is_layer_class(found):
            raise Missing(f"{name} is a class. Name one of its methods, such as {name}.__call__.")
        instance, note = _instance(module, found, receiver, f"{name}.call")
        return _subject(name, instance, note)
    return _subject(name, found)


def _member(owner: Any, part: str, name: str) -> Any:
    try:
        return inspect.getattr_static(owner, part) if inspect.isclass(owner) else getattr(owner, part)
    except AttributeError:
        holder = owner.__name__ if inspect.ismodule(owner) or inspect.isclass(owner) else type(owner).__name__
        raise Missing(f"{holder} doesn't define {name}.") from None


def _method(module: types.ModuleType, owner: type, last: str, name: str, receiver: Any) -> Subject:
    static = _member(owner, last, name)
    if isinstance(static, (staticmethod, classmethod)):
        return _subject(name, getattr(owner, last))
    if isinstance(static, property):
        raise Missing(f"{name} is a property, not a function.")
    instance, note = _instance(module, owner, receiver, name)
    if last == "call" and is_layer_class(owner):
        return _subject(name, instance, note)
    return replace(_subject(name, getattr(instance, last), note), receiver=instance)


def _instance(module: types.ModuleType, owner: type, receiver: Any, name: str) -> tuple[Any, str]:
    """An instance to call the method of: the one that was given, one that the module has, or a new one."""
    if receiver is not NO_RECEIVER:
        return receiver, ""
    held = [*instances_of(module, owner)]
    if held:
        return getattr(module, held[0]), f"{name} was called on {held[0]}, which the module creates."
    needed = needed_arguments(owner)
    if needed:
        example = ", ".join(f"{each}=..." for each in needed)
        raise Missing(
            f"{name} needs an instance, and {owner.__name__} can't be created without {_listed(needed)}. Add "
            f"self={owner.__name__}({example}) to the arguments, or create one in the module."
        )
    return owner(), f"{name} was called on a new {owner.__name__}()."


def instances_of(module: types.ModuleType, owner: type) -> Iterator[str]:
    """The names of a module's instances of a class, those of the very class first."""
    held = [(name, value) for name, value in vars(module).items() if isinstance(value, owner)]
    yield from (name for name, value in held if type(value) is owner)
    yield from (name for name, value in held if type(value) is not owner)


def needed_arguments(owner: Any) -> list[str]:
    """What a class can't be made without."""
    try:
        parameters = inspect.signature(owner).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each.name for each in parameters if each.default is each.empty and each.kind not in kinds]


def _subject(name: str, found: Any, note: str = "") -> Subject:
    if not callable(found):
        raise Missing(f"{name} is a value of type {type(found).__name__}, not a function.")
    if hasattr(found, "get_concrete_function"):
        graph = cast("Any", found)
        return Subject(name, graph, graph.python_function, graph, note)
    return Subject(name, found, _plain(found), None, note)


def _plain(found: Any) -> Any:
    kind = cast("Any", type(found))
    if is_layer_class(kind):
        return kind.call
    return found if code_of(found) is not None else kind.__call__


def is_layer_class(kind: type) -> bool:
    keras = sys.modules.get("keras")
    layer = getattr(getattr(keras, "layers", None), "Layer", None) if keras is not None else None
    return isinstance(layer, type) and issubclass(kind, layer)


def code_of(function: Any) -> types.CodeType | None:
    """The code of a function, behind whatever wraps it."""
    inner: Any = function
    inner = getattr(inner, "python_function", inner)
    inner = inspect.unwrap(inner) if callable(inner) else inner
    code = getattr(getattr(inner, "__func__", inner), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
