"""Places that hold values: attributes, items of dicts, variables of functions, the inside of a list or dict.

They are read, set and put back as they were. Who sets them when isn't decided here.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.grown_lists import Grown
from graphwright.runtime.basis.plain_containers import DICTS
from graphwright.runtime.basis.separated_lists import filled
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import is_tracked, parts
from graphwright.runtime.state.contents import (
    as_it_is,
    content,
    insides,
    is_plain,
    is_same,
    is_same_content,
    let_grow,
    put_back,
    write_back,
)
from graphwright.runtime.state.undefined import Maybe, Undefined
from graphwright.special_methods import is_users_method


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
        is_alone = isinstance(value, GraphList) or is_tracked(cast("Any", type(value)))
        inside = [(value, content(value))] if is_alone else insides([value])
        return value if self.is_own() else Undefined("it"), inside

    def restore(self, snapshot: Any) -> None:
        value, inside = snapshot
        if self.get() is not value or not self.is_own():
            self.put(value)
        put_back(inside)

    def settle(self, value: Any) -> None:
        self.put(value)


def sets_itself(kind: Any) -> bool:
    """Whether the user wrote how attributes of a class are set."""
    return is_users_method(kind.__setattr__)


def users_base(kind: Any) -> Any:
    """The class whose way to set attributes only stores them: that of an object, or the first base with such a way."""
    return next(base for base in kind.__mro__ if not sets_itself(base))


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
            if sets_itself(type(self.owner)):
                return object.__getattribute__(self.owner, self.name)
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
        kind = users_base(cast("type[Any]", type(self.owner)))
        try:
            if not isinstance(value, Undefined):
                kind.__setattr__(self.owner, self.name, value)
            elif hasattr(self.owner, self.name) and self.is_own():
                kind.__delattr__(self.owner, self.name)
        except AttributeError:
            if isinstance(value, Undefined):
                object.__delattr__(self.owner, self.name)
            else:
                object.__setattr__(self.owner, self.name, value)

    def settle(self, value: Any) -> None:
        self.put(value)
        filled(self.owner)


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
        return as_it_is(self.owner)

    def put(self, value: Any) -> None:
        if isinstance(value, GraphList):
            let_grow(self.owner, value)
        elif value is not self.owner:
            write_back(self.owner, value)
            filled(self.owner)

    def snapshot(self) -> Any:
        return self.owner, insides([self.owner])

    def restore(self, snapshot: Any) -> None:
        put_back(snapshot[1])

    def settle(self, value: Any) -> None:
        self.put(value)


Places = Callable[[], Sequence[StatePlace]]


def found_places(places: Places | None) -> tuple[StatePlace, ...]:
    """The places that a construct's text shows, each once.

    Those of an object that isn't there yet are for notes, and so is what a property sets.
    """
    if places is None:
        return ()
    try:
        found = places()
    except (AttributeError, NameError):
        return ()
    found = [one for place in found for one in places_set_by(place) if not is_property(one)]
    return tuple({place.key: place for place in found}.values())


def places_set_by(place: StatePlace) -> list[StatePlace]:
    """The places that setting one sets: where the graph chooses the object, those of each object."""
    kind = cast("type[Any]", type(place.owner))
    if not isinstance(place, Attribute) or not has_member(kind, "graphwright_options"):
        return [place]
    return [each for option in kind.graphwright_options for each in places_set_by(place.of(option))]


@contextlib.contextmanager
def as_left(places: Sequence[StatePlace], values: Sequence[Any]) -> Generator[None, None, None]:
    """Let attributes hold what a branch has left in them, for who reads the objects that it gives."""
    pairs = zip(places, values, strict=True)
    attributes = [(place, place.snapshot(), value) for place, value in pairs if isinstance(place, Attribute)]
    try:
        for place, _, value in attributes:
            place.put(value)
        yield
    finally:
        for place, before, _ in reversed(attributes):
            place.restore(before)


def is_property(place: StatePlace) -> bool:
    """Whether setting it runs code, which sets other places."""
    return isinstance(place, Attribute) and isinstance(getattr(place.owner.__class__, place.name, None), property)


def is_reference(place: StatePlace, snapshot: Any) -> bool:
    """Whether what has been set is no state: nothing new, or a thing that graphs only refer to."""
    before, inside = snapshot
    now = place.owner if isinstance(place, Contents) else place.get()
    if now is before and (is_plain(now) or is_tracked(cast("Any", type(now)))):
        return all(is_same_content(one, then) or _brings_references(one, then) for one, then in inside)
    if isinstance(now, GraphList):
        return False
    return is_same(now, before) or _is_reference(now)


def _brings_references(now: Any, before: Any) -> bool:
    if isinstance(now, GraphList):
        return False
    if type(now) in DICTS:
        return any(_is_reference(value) for key, value in parts(now) if key not in before)
    return any(map(_is_reference, list(now)[len(before) :]))


def _is_reference(value: Any) -> bool:
    if isinstance(value, (tf.Variable, tf.Module, type, types.ModuleType, tf.data.Dataset)):
        return True
    return callable(value) and not isinstance(value, (Maybe, Grown)) and not is_tensor(value)
