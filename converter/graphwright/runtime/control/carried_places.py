"""Attributes and shared variables that the turns of a loop set, as further state of the loop while a graph is built.

Which they are is said by generated code. In a loop outside of graphs they are nobody's concern.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from graphwright.runtime.basis.outcomes import Never, Turn, pack, unpack
from graphwright.runtime.state.journal import current
from graphwright.runtime.state.places import Places, StatePlace, found_places


def state_names(names: Sequence[str] | None, turn: Callable[..., Any], count: int) -> tuple[str, ...]:
    """What the user calls the state; the parameters of the turn are called so, too."""
    if names or not count:
        return tuple(names or ())
    code = getattr(turn, "__code__", None)
    own = () if code is None else code.co_varnames[: code.co_argcount][-count:]
    return own if len(own) == count else tuple(f"state {index + 1}" for index in range(count))


@dataclass(frozen=True)
class WithPlaces:
    """A loop whose state is `count` values and what is at the places."""

    places: tuple[StatePlace, ...]
    count: int

    def entry(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The state before the loop; the construct around is told what is at the places, which turns are traced on."""
        if (journal := current()) is not None:
            for place in self.places:
                journal.note(place)
        return self.state(values)

    def state(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values, and what is at the places."""
        return (*values, *(place.get() for place in self.places))

    def renewed(self, whole: tuple[Any, ...]) -> tuple[Any, ...]:
        """The state with what is at the places by now."""
        return self.state(whole[: self.count])

    def names(self, names: Sequence[str] | None, turn: Callable[..., Any]) -> tuple[str, ...]:
        """What the user calls them."""
        return (*state_names(names, turn, self.count), *(place.text for place in self.places))

    def turn(self, turn: Callable[..., Any]) -> Callable[..., Any]:
        """A turn on the whole state; an item may stand in front of it."""

        def carrying(*values: Any) -> Any:
            result = turn(*self._own(values))
            if isinstance(result, Never):
                return result
            if isinstance(result, Turn):
                return Turn(result.stop, self.state(result.state))
            return pack(self.state(unpack(result, self.count)))

        return _wrapping(carrying, turn)

    def test(self, test: Callable[..., Any]) -> Callable[..., Any]:
        """A test of the whole state."""

        def carrying(*values: Any) -> Any:
            return test(*self._own(values))

        return _wrapping(carrying, test)

    def settled(self, whole: Any) -> Any:
        """The values after the loop; the places are set."""
        values = unpack(whole, self.count + len(self.places))
        _leave(self.places, values[self.count :])
        return pack(values[: self.count])

    def _own(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        own = len(values) - len(self.places)
        _carry(self.places, values[own:])
        return values[:own]


def noting_places(turn: Callable[..., Any], places: Places | None) -> Callable[..., Any]:
    """A turn that tells the construct around it of the places that it sets."""

    def noting(*values: Any) -> Any:
        journal = current()
        if journal is not None:
            for place in found_places(places):
                journal.note(place)
        return turn(*values)

    return turn if places is None else _wrapping(noting, turn)


def _wrapping(carrying: Any, written: Callable[..., Any]) -> Any:
    """The same function, which says what it wraps."""
    carrying.__wrapped__ = written
    return carrying


def _carry(places: Sequence[StatePlace], values: Sequence[Any]) -> None:
    """Set places that are state of the construct that is being traced, where they don't have their values yet."""
    journal = current()
    for place, value in zip(places, values, strict=True):
        if journal is not None:
            journal.carried.setdefault(place.key, (place, place.snapshot()))
        if place.get() is not value:
            place.put(value)


def _leave(places: Sequence[StatePlace], values: Sequence[Any]) -> None:
    """Set places to what a loop has left in them."""
    journal = current()
    for place, value in zip(places, values, strict=True):
        if place.get() is not value:
            if journal is not None:
                journal.note(place)
            place.put(value)
