"""What converted code changes where its text doesn't show it: attributes, items and variables of called functions.

While a branch or a turn is traced, a journal notes the places that are set in it. Those that aren't state of the
construct yet make it be traced again with them as state. How state goes through the graph isn't decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.births import born_here
from graphwright.runtime.state.containers import is_container, parts
from graphwright.runtime.state.describing import fresh, holding
from graphwright.runtime.state.places import (
    Attribute,
    Contents,
    Item,
    SharedVariable,
    StatePlace,
    is_reference,
    unwrapped,
    write_back,
)

Places = Callable[[], Sequence[StatePlace]]

__all__ = [
    "ChangedError",
    "Places",
    "StateJournal",
    "attribute",
    "carry",
    "changes",
    "changes_inside",
    "changes_variable",
    "found_places",
    "holding",
    "is_noting",
    "variable",
]


class ChangedError(Exception):
    """A branch or a turn has set places that weren't its state."""

    def __init__(self, places: tuple[StatePlace, ...], local: frozenset[str], held: dict[int, Any]) -> None:
        super().__init__("the construct is traced again")
        self.places, self.local, self.held = places, local, held


@dataclass
class StateJournal:
    """The notes of one staged construct. `places` are state already, `local` names what is born in each trace."""

    places: tuple[StatePlace, ...] = ()
    local: frozenset[str] = frozenset()
    held: dict[int, Any] = field(default_factory=dict[int, Any])
    """Objects that are state by their places, so that they stay the objects that they are."""
    found: dict[Any, tuple[StatePlace, Any]] = field(default_factory=dict[Any, "tuple[StatePlace, Any]"])
    fresh: dict[Any, tuple[StatePlace, Any]] = field(default_factory=dict[Any, "tuple[StatePlace, Any]"])
    """What is noted in the trace that goes on; it is `found` if it turns out to be a change."""
    carried: dict[Any, StatePlace] = field(default_factory=dict[Any, StatePlace])
    touched: set[Any] = field(default_factory=set[Any])
    born: dict[int, Any] = field(default_factory=dict[int, Any])
    stand_ins: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, "tuple[Any, Any]"])
    kept: dict[Any, Any] = field(default_factory=dict[Any, Any])
    also_held: dict[int, Any] = field(default_factory=dict[int, Any])
    known: frozenset[Any] = frozenset()
    """The keys of the places that the user's text shows, which therefore are no others' by the same name."""

    def __post_init__(self) -> None:
        self.kept = {place.key: place.snapshot() for place in self.places}

    @classmethod
    def of_places(cls, places: Places | None) -> StateJournal:
        """Notes that begin with the places that the user's text shows."""
        found = found_places(places)
        return cls(found, known=frozenset(place.key for place in found))

    def again(self, changed: ChangedError) -> StateJournal:
        """The notes of the next attempt."""
        return StateJournal(changed.places, changed.local, changed.held, known=self.known)

    def entry(self) -> tuple[Any, ...]:
        """What is at the places before the construct."""
        return tuple(place.get() for place in self.places)

    def run(self, action: Callable[[], Any], values: Iterable[Any]) -> tuple[Any, tuple[Any, ...]]:
        """Trace something from what is at the places; gives its result and what is there then."""
        tokens = _journal.set(self), born_here.set(self.born)
        try:
            for place, value in zip(self.places, values, strict=True):
                place.put(fresh(value))
            result = action()
            self._sift()
            return result, self.entry()
        finally:
            _journal.reset(tokens[0])
            born_here.reset(tokens[1])
            for place, snapshot in (*reversed(self.fresh.values()), *reversed(self.found.values())):
                place.restore(snapshot)
            self.fresh.clear()
            for place in reversed(self.places):
                place.restore(self.kept[place.key])

    def note(self, place: StatePlace) -> None:
        """A place is about to be set."""
        stand_in = self.stand_ins.get(id(place.owner))
        if stand_in is not None:
            original = stand_in[1]
            if id(original) in self.held:
                return
            self.also_held[id(original)] = original
            place = place.of(original)
            if place.key not in self.kept:
                self.found.setdefault(place.key, (place, place.snapshot()))
        if place.key in self.kept:
            self.touched.add(place.key)
        elif not self._knows(place):
            self.fresh[place.key] = place, place.snapshot()

    def _knows(self, place: StatePlace) -> bool:
        known = place.key in self.found or place.key in self.fresh or place.key in self.carried
        return known or id(place.owner) in self.born or place.text in self.local

    def stand_for(self, copy: Any, original: Any) -> None:
        """An object that was made again for a turn is one that was there before."""
        if copy is not original and type(copy) is type(original) and is_container(copy):
            if not isinstance(copy, (list, tuple, dict)):
                self.stand_ins[id(copy)] = copy, original
            inside = dict(parts(original))
            for key, part in parts(copy):
                if key in inside and not isinstance(part, (tf.Tensor, tf.Variable)):
                    self.stand_for(part, inside[key])

    def adopt(self, notes: dict[Any, tuple[StatePlace, Any]]) -> None:
        """Take over what was noted elsewhere."""
        for key, note in notes.items():
            if key not in self.kept and not self._knows(note[0]):
                self.fresh[key] = note

    def places_set(self) -> tuple[StatePlace, ...]:
        """The places that were set, those that loops carry included."""
        return tuple({**self.carried, **{key: place for key, (place, _) in self.fresh.items()}}.values())

    def check(self) -> None:
        """Have the construct traced again if places were set that it doesn't carry."""
        if not self.found and not self.also_held:
            return
        found = [place for place, _ in self.found.values()]
        kept = [place for place in self.places if place.key in self.touched | self.known]
        lost = {place.text for place in self.places if place not in kept}
        local = self.local | {place.text for place in found if place.text in lost}
        places = [*kept, *(place for place in found if place.text not in local)]
        raise ChangedError(tuple(places), local, self.held | self.also_held)

    def settle(self, values: Sequence[Any]) -> None:
        """Set the places to what they have after the construct."""
        outer = _journal.get()
        for place, value in zip(self.places, values, strict=True):
            if outer is not None:
                outer.note(place)
            place.settle(value)

    def _sift(self) -> None:
        """Of what has been noted, keep what is state: what graphs only refer to stays set."""
        for key, (place, snapshot) in self.fresh.items():
            if not is_reference(place, snapshot):
                self.found[key] = place, snapshot
        self.fresh.clear()


_journal: ContextVar[StateJournal | None] = ContextVar("graphwright_journal", default=None)


def is_noting() -> bool:
    """Whether a branch or a turn is being traced."""
    return _journal.get() is not None


def current() -> StateJournal | None:
    """The journal of the branch or turn that is being traced."""
    return _journal.get()


def watched(action: Callable[[], Any]) -> tuple[Any, StateJournal]:
    """Run something, and give the notes of what it has set."""
    outer, inner = _journal.get(), StateJournal()
    tokens = _journal.set(inner), born_here.set(inner.born)
    try:
        result = action()
    finally:
        _journal.reset(tokens[0])
        born_here.reset(tokens[1])
    if outer is not None:
        outer.born.update(inner.born)
        outer.adopt(inner.fresh)
    return result, inner


def changes(owner: Any, name: Any, text: str = "", inside: bool = False) -> None:
    """An attribute is about to be set, or (`inside`) the list or dict that it holds changed."""
    journal = _journal.get()
    if journal is None or isinstance(owner, (tf.Tensor, tf.Variable)) or not isinstance(name, str):
        return
    if inside and not _is_content(getattr(owner, name, None)):
        return
    if isinstance(getattr(owner.__class__, name, None), property):
        for inner in list(getattr(owner, "__dict__", ())):
            journal.note(Attribute(owner, inner, inner))
    else:
        journal.note(Attribute(owner, name, text or name))


def attribute(owner: Any, name: str, text: str = "") -> StatePlace:
    """An attribute as a place; `text` is how the user writes it."""
    return Attribute(owner, name, text or name)


def variable(reader: Callable[[], Any], name: str) -> StatePlace:
    """A variable of a function around, or a global, as a place."""
    names = reader.__code__.co_freevars
    if name not in names:
        return Item(reader.__globals__, name)
    assert reader.__closure__ is not None
    return SharedVariable(reader.__closure__[names.index(name)], name)


def found_places(places: Places | None) -> tuple[StatePlace, ...]:
    """The places that a construct's text shows, each once; those of an object that isn't there yet are for notes."""
    if places is None:
        return ()
    try:
        found = places()
    except (AttributeError, NameError):
        return ()
    return tuple({place.key: place for place in found}.values())


def carry(places: Sequence[StatePlace], values: Sequence[Any]) -> None:
    """Set places that are state of the construct that is being traced, where they don't have their values yet."""
    journal = _journal.get()
    for place, value in zip(places, values, strict=True):
        if journal is not None:
            journal.carried[place.key] = place
        if place.get() is not value:
            place.put(value)


def changes_inside(container: Any, text: str) -> None:
    """A list or dict is about to be changed in place."""
    journal = _journal.get()
    if journal is not None and type(container) in (list, dict):
        journal.note(Contents(container, text))


def changes_variable(reader: Callable[[], Any], name: str, inside: bool = False) -> None:
    """A variable of a function around, or a global, is about to be set, or what it holds changed."""
    journal = _journal.get()
    if journal is None:
        return
    place = variable(reader, name)
    if not inside or _is_content(place.get()):
        journal.note(place)


def written_back(original: Any, value: Any, text: str) -> Any:
    """The original list or dict with what a copy of it came to hold; the value itself where that can't be."""
    if type(original) not in (list, dict) or type(unwrapped(value)) is not type(original) or value is original:
        return value
    changes_inside(original, text)
    write_back(original, unwrapped(value))
    return original


def _is_content(value: Any) -> bool:
    return isinstance(value, (list, dict)) or hasattr(value.__class__, "graphwright_flatten")
