"""Places that hold values: attributes, items of dicts, variables of functions, the inside of a list or dict.

They are read, set and put back as they were. Who sets them when isn't decided here.
"""

from __future__ import annotations

import types
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import same
from graphwright.runtime.state.undefined import Undefined


class StatePlace(Protocol):
    """Something that can be set; `text` is how the user writes it."""

    @property
    def owner(self) -> Any: ...
    @property
    def text(self) -> str: ...
    @property
    def key(self) -> Any: ...
    def of(self, owner: Any) -> Any: ...
    def get(self) -> Any: ...
    def put(self, value: Any) -> None: ...
    def snapshot(self) -> Any: ...
    def restore(self, snapshot: Any) -> None: ...
    def settle(self, value: Any) -> None: ...


class _Settable:
    """What places that can hold any value have in common."""

    owner: Any

    def get(self) -> Any:
        raise NotImplementedError

    def put(self, value: Any) -> None:
        raise NotImplementedError

    def is_own(self) -> bool:
        return True

    def of(self, owner: Any) -> Any:
        return replace(self, owner=owner)  # type: ignore[type-var]

    def snapshot(self) -> Any:
        value = self.get()
        return value if self.is_own() else Undefined("it"), content(value)

    def restore(self, snapshot: Any) -> None:
        value, inside = snapshot
        if self.get() is not value or not self.is_own():
            self.put(value)
        refill(value, inside)

    def settle(self, value: Any) -> None:
        """Set it for good: a list or dict stays the one that it was."""
        before, plain = self.get(), unwrapped(value)
        if type(before) in (list, dict) and type(plain) is type(before) and plain is not before:
            write_back(before, plain)
        else:
            self.put(value)


@dataclass(frozen=True)
class Attribute(_Settable):
    """An attribute of an object."""

    owner: Any
    name: str
    text: str = ""

    @property
    def key(self) -> Any:
        return id(self.owner), self.name

    def get(self) -> Any:
        try:
            return getattr(self.owner, self.name)
        except AttributeError:
            return Undefined(self.text)

    def is_own(self) -> bool:
        """Whether it isn't the class's."""
        attributes = getattr(self.owner, "__dict__", None)
        return (
            attributes is None
            or self.name in attributes
            or hasattr(getattr(self.owner.__class__, self.name, 0), "__set__")
        )

    def put(self, value: Any) -> None:
        try:
            if not isinstance(value, Undefined):
                setattr(self.owner, self.name, value)
            elif hasattr(self.owner, self.name) and self.is_own():
                delattr(self.owner, self.name)
        except AttributeError:
            if isinstance(value, Undefined):
                object.__delattr__(self.owner, self.name)
            else:
                object.__setattr__(self.owner, self.name, value)


@dataclass(frozen=True)
class Item(_Settable):
    """What is under a key of a dict."""

    owner: Any
    text: str

    @property
    def key(self) -> Any:
        return id(self.owner), "item", self.text

    def get(self) -> Any:
        return self.owner.get(self.text, Undefined(self.text))

    def put(self, value: Any) -> None:
        if isinstance(value, Undefined):
            self.owner.pop(self.text, None)
        else:
            self.owner[self.text] = value


@dataclass(frozen=True)
class SharedVariable(_Settable):
    """A variable that functions share."""

    owner: types.CellType
    text: str

    @property
    def key(self) -> Any:
        return id(self.owner), "variable"

    def get(self) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return Undefined(self.text)

    def put(self, value: Any) -> None:
        if isinstance(value, Undefined):
            del self.owner.cell_contents
        else:
            self.owner.cell_contents = value


@dataclass(frozen=True)
class Contents:
    """All that is in a list or dict, which stays the same object."""

    owner: Any
    text: str = field(compare=False)

    @property
    def key(self) -> Any:
        return id(self.owner), "contents"

    def of(self, owner: Any) -> Contents:
        return replace(self, owner=owner)

    def get(self) -> Any:
        return content(self.owner)

    def put(self, value: Any) -> None:
        plain = unwrapped(value)
        if isinstance(plain, GraphList) or type(plain) is not type(self.owner):
            raise TypeError(
                f"the list '{self.text}' changes length in a function called from a branch or loop in the graph: "
                "return the list from the function, and assign the result in the branch or loop"
            )
        write_back(self.owner, plain)

    def snapshot(self) -> Any:
        return content(self.owner)

    def restore(self, snapshot: Any) -> None:
        write_back(self.owner, snapshot)

    def settle(self, value: Any) -> None:
        self.put(value)


def write_back(container: Any, values: Any) -> None:
    """Let a list or dict hold what another holds."""
    if isinstance(container, list):
        container[:] = values
    elif list(container) == list(values):
        container.update(values)
    else:
        container.clear()
        container.update(values)


def content(value: Any) -> Any:
    """What is in a list or dict, to be put back."""
    if isinstance(value, GraphList):
        return value.store, value.element
    if type(value) is list:
        return list(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return dict(value) if type(value) is dict else None  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def refill(value: Any, inside: Any) -> None:
    """Put back what was in a list or dict."""
    if isinstance(value, GraphList):
        value.store, value.element = inside
    elif type(value) in (list, dict):
        write_back(value, inside)


def unwrapped(value: Any) -> Any:
    """A list of Keras or tf.Module as a list."""
    return value


def is_reference(place: StatePlace, snapshot: Any) -> bool:
    """Whether what has been set is no state: nothing new, or a thing that graphs only refer to."""
    now = place.get()
    if isinstance(place, Contents):
        return is_same_content(now, snapshot) or _brings_references(now, snapshot)
    before, inside = snapshot
    if type(now) in (list, dict) and now is before:
        return is_same_content(now, inside) or _brings_references(now, inside)
    if isinstance(now, GraphList):
        return False
    return _same(now, before) or _is_reference(now)


def is_same_content(now: Any, before: Any) -> bool:
    """Whether two lists or dicts hold the same things."""
    if len(now) != len(before):
        return False
    if isinstance(now, _DICT):
        return list(now) == list(before) and all(_same(now[key], before[key]) for key in now)
    return all(map(_same, now, before))


def _same(one: Any, two: Any) -> bool:
    return one is two or (not tf.is_tensor(one) and not tf.is_tensor(two) and same(one, two))


def _brings_references(now: Any, before: Any) -> bool:
    if isinstance(now, _DICT):
        return any(_is_reference(value) for key, value in now.items() if key not in before)
    return any(map(_is_reference, now[len(before) :]))


def _is_reference(value: Any) -> bool:
    if isinstance(value, (tf.Variable, tf.Module, type, types.ModuleType, tf.data.Dataset)):
        return True
    return callable(value) and not tf.is_tensor(value)


# Untyped, so that what was checked against it is still anything.
_DICT: Any = dict
