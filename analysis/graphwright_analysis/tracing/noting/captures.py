"""What traces have captured: the Python values from outside that they used, and whether these still hold.

A value is compared when the trace that used it is used again.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.facts import CaptureStale
from graphwright_analysis.tracing.machine.journal import WHOLE, Journal, content, is_owner
from graphwright_analysis.tracing.machine.numbering import is_older
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT, State, changed
from graphwright_analysis.tracing.machine.surroundings import Past, Read, Slot
from graphwright_analysis.values.domain import (
    MAYBE,
    UNDEFINED,
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Captured,
    Constant,
    Function,
    Leaked,
    Object,
    Scalar,
    Tensor,
    Traced,
    Unknown,
    Value,
    Variable,
    python_kind,
)

_EXACT = (Constant, Function, Api)


def reads(journal: Journal) -> tuple[Read, ...]:
    """The plain values and the objects from outside that the trace used and left alone."""
    written = {entry.slot for entry in journal.entries if entry.how}
    found: dict[Slot, Read] = {}
    for entry in journal.entries:
        if entry.how or entry.slot in written or not is_older(entry.slot[0], journal.began):
            continue
        if entry.slot[2] is WHOLE:
            # The list itself, where all of it is used; a dict is compared entry by entry.
            if isinstance(entry.value, Object) and entry.value.kind == "list" and not is_owner(journal, entry):
                found.setdefault(entry.slot, Read(entry.slot, entry.place, entry.target))
            continue
        if isinstance(entry.value, (Constant, Scalar, Tensor, Array, Function, Api)) or _is_told_apart(entry.value):
            found.setdefault(entry.slot, Read(entry.slot, entry.place, entry.target))
    return tuple(found.values())


def _captured(run: Run, seen: Past) -> Captured:
    return Captured(tuple((_held(run, r.slot), run.state.place(r.slot[:2])) for r in seen.reads))


def _held(run: Run, slot: Slot) -> Value:
    """What a slot holds; of a whole list, how many elements, since nobody knows whether they were changed."""
    if slot[2] is not WHOLE:
        return content(run, slot)
    items = run.state.items(slot[0])
    return UNKNOWN if items is None or items.known is None else Constant(len(items.known))


def remember(run: Run, callee: Traced, key: object, seen: Past) -> None:
    """Keep with the state what the trace was made with."""
    run.state.set(callee.id, _cell(key), _captured(run, seen))


def again(run: Run, callee: Traced, key: object, seen: Past, *, anew: bool) -> None:
    """The trace is used once more, or, in another course of events, would be made now.

    With `anew`, an argument is new in each call, such as a lambda: TensorFlow traces again, and reads all of it again.
    """
    held = run.state.value(callee.id, _cell(key))
    if held is UNDEFINED:
        for cell, before, after in seen.left:
            if run.state.content(cell) == before:
                run.state.put(cell, after)
    if held is UNDEFINED or anew:
        remember(run, callee, key, seen)
        return
    if not isinstance(held, Captured):
        return
    for read, (then, place) in zip(seen.reads, held.contents, strict=True):
        now, rebound = _held(run, read.slot), run.state.place(read.slot[:2])
        if _is_told_apart(then):
            if _is_told_apart(now) and not _are_one(then, now):
                confidence = Confidence.LIKELY if run.context.uncertain else Confidence.CERTAIN
                run.note(CaptureStale(read.place, read.target, then, now, rebound, place, confidence))
            continue
        if now == then and (isinstance(now, _EXACT) or rebound == place):
            continue
        if now in (MAYBE, UNDEFINED) or isinstance(now, (Leaked, Variable)):
            continue
        if isinstance(now, Function) and isinstance(then, Function) and now.node is then.node:
            continue
        exact = isinstance(now, _EXACT) and isinstance(then, _EXACT)
        if read.slot[1] != CONTENT and not exact and (rebound == place or rebound is None):
            continue
        if now == UNKNOWN and read.slot[1] == CONTENT:
            continue
        computed = isinstance(now, Unknown) and now.present and python_kind(then) in (int, float)
        sure = computed or isinstance(now, (Constant, Function, Api, Tensor, Array, Scalar))
        sure = sure and not run.context.uncertain
        confidence = Confidence.CERTAIN if sure else Confidence.LIKELY
        moved = rebound if read.slot[1] != CONTENT else None
        run.note(CaptureStale(read.place, read.target, then, now, moved, place, confidence))


def carry(state: State, before: State, ends: Sequence[State]) -> None:
    """Let the next iteration of a loop find the traces that the last one made, and where it wrote.

    Whether there was an iteration at all isn't known after the join; in the next one it is.
    """
    for cell in changed(before, *ends):
        left = ends[0].content(cell)
        if isinstance(left, Captured) and all(end.content(cell) == left for end in ends):
            state.put(cell, left)
        places = [end.written.get(cell) for end in ends]
        if places[0] is not None and all(place not in (None, before.place(cell)) for place in places):
            state.written[cell] = places[0]


def _is_told_apart(value: Value) -> bool:
    """Whether it is an object, such as a model, that is known from others made alike."""
    return (isinstance(value, ApiInstance) and value.made != 0) or (
        isinstance(value, Object) and value.kind == "instance"
    )


def _are_one(first: Value, second: Value) -> bool:
    if isinstance(first, ApiInstance) and isinstance(second, ApiInstance):
        return first.made == second.made
    return first == second


def _cell(key: object) -> str:
    return f"captured {hash(key)}"
