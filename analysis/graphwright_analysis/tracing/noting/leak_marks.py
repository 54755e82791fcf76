"""Marks in the place of tensors that a trace has left in what it made; who reads one notes the leak."""

from __future__ import annotations

from graphwright_analysis.tracing.facts import TensorLeaked
from graphwright_analysis.tracing.machine.journal import Journal, JournalEntry
from graphwright_analysis.tracing.machine.numbering import is_older
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT
from graphwright_analysis.tracing.machine.surroundings import Slot
from graphwright_analysis.values.domain import (
    UNDEFINED,
    Entries,
    Items,
    Leaked,
    Object,
    Tensor,
    TensorArray,
    Tuple,
    Value,
)


def mark_held(run: Run, journal: Journal, slot: Slot, last: JournalEntry, value: Value) -> None:
    """Put marks inside of a tuple, list or dict that the trace has made and left behind."""
    fact = TensorLeaked(last.place, last.target, last.how, UNDEFINED, None, False, None)
    if isinstance(value, Tuple) and slot[1] != CONTENT and any(leaks(journal, item) for item in value.items):
        items = tuple(Leaked(fact) if leaks(journal, item) else item for item in value.items)
        run.state.set(slot[0], slot[1], Tuple(items, value.fields))
    elif isinstance(value, Object) and not is_older(value.id, journal.began):
        mark_content(run, journal, value.id, fact)


def mark_content(run: Run, journal: Journal, owner: int, fact: TensorLeaked) -> bool:
    """Put marks into a list or dict; whether there was something to mark."""
    items, entries = run.state.items(owner), run.state.entries(owner)
    if items is not None and items.known is not None:
        marked = tuple(_marked(run, journal, v, fact) for v in items.known)
        run.state.set_content(owner, Items(marked))
        return any(x is not y for x, y in zip(marked, items.known, strict=True))
    if items is not None:
        element = _marked(run, journal, items.element, fact)
        run.state.set_content(owner, Items(None, element))
        return element is not items.element
    if entries is not None:
        marked = tuple((k, _marked(run, journal, v, fact)) for k, v in entries.known)
        run.state.set_content(owner, Entries(marked, entries.closed))
        return any(x is not y for (_, x), (_, y) in zip(marked, entries.known, strict=True))
    return False


def _marked(run: Run, journal: Journal, value: Value, fact: TensorLeaked) -> Value:
    """The value with marks where it is a tensor of the trace, or a tuple, list or dict of some that the trace made."""
    if leaks(journal, value):
        return Leaked(fact)
    if isinstance(value, Tuple):
        items = tuple(_marked(run, journal, item, fact) for item in value.items)
        changed = any(x is not y for x, y in zip(items, value.items, strict=True))
        return Tuple(items, value.fields) if changed else value
    if isinstance(value, Object) and not is_older(value.id, journal.began) and value.kind != "instance":
        mark_content(run, journal, value.id, fact)
    return value


def leaks(journal: Journal, value: Value) -> bool:
    """Whether it is a tensor of the trace, or a TensorArray of it."""
    of_graph = isinstance(value, Tensor) or (isinstance(value, TensorArray) and not value.eager)
    return of_graph and not _was_there(journal, value)


def _was_there(journal: Journal, value: Value) -> bool:
    """Whether this very value was read outside, so that it was there before the trace."""
    first = next((e for e in journal.entries if e.value is value), None)
    if first is None or first.how or not is_older(first.slot[0], journal.began):
        return False
    return not any(e.how and e.slot == first.slot for e in journal.entries[: journal.entries.index(first)])
