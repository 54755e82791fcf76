"""Immutable values: dataclasses that are set up in a quarter of the time, of which each start has 250.

`dataclasses` compiles six methods of a frozen class one by one; here it finds the fields, and three methods are
compiled at once. That nobody changes one is left to the type checker, which makes creating one faster, too.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        """Do nothing: only a type checker reads it."""
        return lambda decorator: decorator


T = TypeVar("T")


@overload
def immutable(class_: type[T], /) -> type[T]: ...
@overload
def immutable(*, eq: bool = True, slots: bool = True) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(class_: type[T] | None = None, /, *, eq: bool = True, slots: bool = True) -> object:
    """Make a class an immutable dataclass, equal by its fields; `slots=False` for one with a cached property."""
    return partial(_made, eq=eq, slots=slots) if class_ is None else _made(class_, eq, slots)


def _made(class_: type[Any], eq: bool, slots: bool) -> type[Any]:
    own = class_.__dict__
    # Otherwise `dataclasses` makes one of the signature, which takes longer than all the rest.
    class_.__doc__ = class_.__doc__ or class_.__name__
    made = dataclass(init=False, repr=False, eq=False, slots=slots)(class_)
    parts = fields(made)
    for name, method in _methods(parts, eq).items():
        if own.get(name) is None:
            method.__qualname__ = f"{made.__qualname__}.{name}"
            setattr(made, name, method)
    if "__repr__" not in own:
        made.__repr__ = _shown
    return made


def _methods(parts: Sequence[Field[Any]], eq: bool) -> Mapping[str, Any]:
    sources = {"__init__": _initializer(parts), **(_comparisons(parts) if eq else {})}
    space: dict[str, Any] = {"_missing": MISSING}
    for each in parts:
        space[f"_default_{each.name}"], space[f"_new_{each.name}"] = each.default, each.default_factory
    exec("\n".join(sources.values()), space)
    return {name: space[name] for name in sources}


def _initializer(parts: Sequence[Field[Any]]) -> str:
    given = [each for each in parts if each.init]
    positional = [_parameter(each) for each in given if not each.kw_only]
    named = [_parameter(each) for each in given if each.kw_only]
    head = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    return "\n".join([f"def __init__({head}):", *filter(None, map(_setting, parts)), " pass"])


def _parameter(part: Field[Any]) -> str:
    if part.default is not MISSING:
        return f"{part.name}=_default_{part.name}"
    return part.name if part.default_factory is MISSING else f"{part.name}=_missing"


def _setting(part: Field[Any]) -> str:
    name = part.name
    if part.default_factory is MISSING:
        return f" self.{name} = {name}" if part.init else ""
    return f" self.{name} = _new_{name}() if {f'{name} is _missing' if part.init else True} else {name}"


def _comparisons(parts: Sequence[Field[Any]]) -> Mapping[str, str]:
    compared = [part.name for part in parts if part.compare]
    own, others = _tuple_of("self", compared), _tuple_of("other", compared)
    equal = f" return {own} == {others} if other.__class__ is self.__class__ else NotImplemented"
    return {
        "__eq__": f"def __eq__(self, other):\n{equal}",
        "__hash__": f"def __hash__(self):\n return hash({own})",
    }


def _tuple_of(holder: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{holder}.{name}, ' for name in names)})"


@reprlib.recursive_repr()
def _shown(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
