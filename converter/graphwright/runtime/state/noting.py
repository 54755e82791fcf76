"""What generated code calls to tell of what it is about to change: attributes, variables, lists and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from graphwright.runtime.basis.attributes import attributes_of, has_member
from graphwright.runtime.basis.births import changes_inside, is_collection, tracing
from graphwright.runtime.basis.plain_containers import DEQUE, PLAIN
from graphwright.runtime.basis.separated_lists import has_separated, refuse_changed_inside, refuse_separated
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.containers import is_of_module
from graphwright.runtime.state.journal import current
from graphwright.runtime.state.places import (
    Attribute,
    Item,
    SharedVariable,
    StatePlace,
    is_property,
    places_set_by,
    sets_itself,
)
from graphwright.runtime.state.undefined import behind

_CONTENTS: Any = (list, DEQUE, dict)  # Untyped, so that what was checked against it is still anything.


def is_noting() -> bool:
    """Whether a branch or a turn is being traced."""
    return tracing.get() is not None or has_separated()


def changes(owner: Any, name: Any, text: str = "", inside: bool = False) -> None:
    """An attribute is about to be set, or (`inside`) the list or dict that it holds changed."""
    journal, owner = current(), behind(owner)
    held = getattr(owner, name, None) if inside and isinstance(name, str) else None
    if inside:
        refuse_changed_inside(held)
    else:
        refuse_separated([owner])
    if journal is None or isinstance(owner, (tf.Tensor, tf.Variable)) or not isinstance(name, str):
        return
    if inside and (id(owner) in journal.born or not _is_content(held)):
        # What the innermost construct has made may hold a list or dict that was there before.
        changes_inside(held, text or name)
        return
    if inside:
        _note_around(owner, held, text or name)
    for place in places_set_by(Attribute(owner, name, text or name)):
        attributes = attributes_of(place.owner)
        held = attributes.get(name)
        if is_collection(held) and not is_of_module(held):
            changes_inside(held, place.text)  # `owner.name += 1` changes it in place.
        runs_code = is_property(place) or sets_itself(type(place.owner))
        inner = [Attribute(place.owner, key, key) for key in attributes if runs_code]
        for each in inner if is_property(place) and inner else [*inner, place]:
            journal.note(each)


def _note_around(owner: Any, held: Any, text: str) -> None:
    """Tell the construct around that has made an object of a change of a list or dict in it that was there before.

    What a loop carries is told of when the loop is built.
    """
    journal = current()
    while journal is not None and id(owner) not in journal.born:
        if id(held) in journal.before:
            return
        journal = journal.around
    if journal is not None and type(held) in PLAIN and id(held) not in journal.born:
        journal.note_inside(held, text)


def sets_in(owner: Any, name: str) -> Any:
    """What an expression gives, of which an attribute is about to be set."""
    if is_noting():
        changes(owner, name)
    return owner


def attribute(owner: Any, name: str, text: str = "") -> StatePlace:
    """An attribute as a place; `text` is how the user writes it."""
    return Attribute(behind(owner), name, text or name)


def variable(reader: Callable[[], Any], name: str) -> StatePlace:
    """A variable of a function around, or a global, as a place."""
    names = reader.__code__.co_freevars
    if name not in names:
        return Item(reader.__globals__, name)
    assert reader.__closure__ is not None
    return SharedVariable(reader.__closure__[names.index(name)], name)


def changes_variable(reader: Callable[[], Any], name: str, inside: bool = False) -> None:
    """A variable of a function around, or a global, is about to be set, or what it holds changed."""
    journal, place = current(), variable(reader, name)
    if inside:
        refuse_changed_inside(place.get())
    if journal is None:
        return
    if not inside or _is_content(place.get()):
        journal.note(place)
    else:
        changes_inside(place.get(), name)


def _is_content(value: Any) -> bool:
    if isinstance(value, _CONTENTS) and (is_of_module(value) or not is_collection(value)):
        return True
    return has_member(value.__class__, "graphwright_flatten")


def notes_around() -> Iterator[tuple[StatePlace, Any]]:
    """The places that have been set in the constructs that are being traced, with what they held."""
    notes = current()
    while notes is not None:
        yield from (*notes.carried.values(), *notes.fresh.values(), *notes.found.values())
        notes = notes.around


def births_noted(value: Any) -> int:
    """In how many of the constructs that are being traced an object was made."""
    notes, count = current(), 0
    while notes is not None:
        count += id(value) in notes.born
        notes = notes.around
    return count
