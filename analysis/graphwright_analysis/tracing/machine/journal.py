"""The journal of a trace: what it reads and stores in what was there before.

A trace begins with a new journal; what its end makes of the entries is in `noting.trace_effects`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Method,
    Object,
    Unknown,
    Value,
)
from graphwright_analysis.values.lineage import lineage

from . import marks
from .context import Frame, StagedConstruct
from .numbering import is_older
from .run import Run, place_of
from .state import CONTENT, State
from .surroundings import Slot

AUGMENTED: dict[type, str] = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/"}
"""The operators of the augmented assignments that count; a `tf.Variable` refuses all of them."""

WHOLE = ("whole",)
"""The key of a slot that stands for all of a collection."""


@immutable(eq=False)
class JournalEntry:
    """One reading or storing; `how` is empty for a reading."""

    slot: Slot
    place: Place
    target: str
    value: Value
    how: str
    before: Value
    statement: gast.stmt | None
    frame: int
    initializing: bool
    """Whether it is code of an `__init__`, or of a `build` that Keras runs: what runs once for each object."""
    constructs: tuple[StagedConstruct, ...]
    uncertain: bool
    refused: bool
    """Whether TensorFlow has refused a condition that it stands under."""
    dynamic: bool = False
    whole: Place | None = None
    operand: Place | None = None


@dataclass(slots=True)
class Journal:
    """Of one trace; whatever is older than `began` was there before it."""

    began: int
    before: State
    symbolic: bool = False
    """Whether Keras traces for placeholders: the code may be called eagerly later on."""
    arguments: dict[int, str] = field(default_factory=dict[int, str])
    direct: set[int] = field(default_factory=set[int])
    """The arguments that aren't merely inside another one."""
    passing: Set[int] = frozenset()
    """The arguments that nobody has once the call is over."""
    defined: Place | None = None
    first: Place | None = None
    entries: list[JournalEntry] = field(default_factory=list[JournalEntry])
    watched: set[int] = field(default_factory=set[int])
    """What was changed in a staged construct that it was made outside of."""


def content(run: Run, slot: Slot) -> Value:
    """What a slot holds in the current state."""
    owner, name, key = slot
    if name != CONTENT:
        return run.state.value(owner, name)
    items, entries = run.state.items(owner), run.state.entries(owner)
    if entries is not None:
        return entries.get(key)
    if items is not None and items.known is not None and isinstance(key, int):
        return items.known[key] if -len(items.known) <= key < len(items.known) else UNDEFINED
    return UNKNOWN


def function_frame(frame: Frame) -> Frame:
    while frame.scope.kind == "comprehension" and frame.parent is not None:
        frame = frame.parent
    return frame


# Readings


def name_read(run: Run, frame: Frame, owner: Frame | None, node: gast.Name, value: Value) -> None:
    if run.context.journal is None:
        return
    _whole_read(run, frame, node, value)
    # A local name that a function inside of a staged construct sets is told of like one from outside.
    around = owner is not frame or owner.id in run.context.journal.watched if owner is not None else False
    if owner is not None and around and not isinstance(value, (Class, Object)):
        _enter(run, frame, (owner.id, node.id, None), node, value)


def attribute_read(run: Run, frame: Frame, node: gast.Attribute, owner: Value, value: Value) -> None:
    if run.context.journal is None or isinstance(value, (Bound, Method)) or not isinstance(owner, (Object, Class)):
        return
    _whole_read(run, frame, node, value)
    holder = _holder(run, owner, node.attr)
    if holder is not None:
        _enter(run, frame, (holder, node.attr, None), node, value)


def _holder(run: Run, owner: Object | Class, name: str) -> int | None:
    """Who has the attribute: the instance, or a class on the way up."""
    if isinstance(owner, Object) and run.state.value(owner.id, name) is not UNDEFINED:
        return owner.id
    kind = owner.type if isinstance(owner, Object) else owner
    classes = (each for each in lineage(kind) if isinstance(each, Class)) if kind is not None else ()
    return next((each.id for each in classes if run.state.value(each.id, name) is not UNDEFINED), None)


def item_read(run: Run, frame: Frame, node: gast.Subscript, owner: Value, key: Value, value: Value) -> None:
    if run.context.journal is not None and isinstance(owner, Object):
        _whole_read(run, frame, node, value)
        at = key.value if isinstance(key, Constant) else WHOLE
        _enter(run, frame, (owner.id, CONTENT, at), node, value)


def key_read(run: Run, frame: Frame, node: gast.Call, owner: Object, key: Value, value: Value) -> None:
    """What `owner.get(key)` reads."""
    if run.context.journal is not None and isinstance(key, Constant):
        _enter(run, frame, (owner.id, CONTENT, key.value), node, value)


def _whole_read(run: Run, frame: Frame, node: gast.AST, value: Value) -> None:
    if isinstance(value, Object) and value.kind != "instance":
        _enter(run, frame, (value.id, CONTENT, WHOLE), node, value)


def is_owner(journal: Journal, entry: JournalEntry) -> bool:
    """Whether a reading of a whole collection is only that of `d` in `d['k']` or `d.update(...)`."""
    return any(
        other.slot[:2] == entry.slot[:2]
        and other is not entry
        and other.place.block is entry.place.block
        and other.place.range.start == entry.place.range.start
        and other.place.range.end > entry.place.range.end
        for other in journal.entries
    )


# Storings


def stored(
    run: Run, frame: Frame, slot: Slot, node: gast.AST, value: Value, how: str = "=", dynamic: bool = False
) -> None:
    """Enter that a slot is about to be given a value."""
    if run.context.journal is not None and run.context.graph:
        _enter(run, frame, slot, node, value, how, dynamic)


def item_stored(run: Run, frame: Frame, target: gast.Subscript, owner: Object, key: Value, value: Value) -> None:
    if run.context.journal is None or not run.context.graph:
        return
    at = key.value if isinstance(key, Constant) else WHOLE
    stored(run, frame, (owner.id, CONTENT, at), target, value, "=", _is_dynamic(run, frame, target.slice))


def _is_dynamic(run: Run, frame: Frame, key: gast.AST) -> bool:
    """Whether AutoGraph can't carry what stands under a key: it carries constants and names from before a loop."""
    if isinstance(key, gast.Constant) or not run.context.constructs:
        return False
    if not isinstance(key, gast.Name):
        return not isinstance(key, (gast.Slice, gast.Tuple, gast.Attribute))
    written = run.state.place((function_frame(frame).id, key.id))
    around = run.context.constructs[-1].place
    return written is not None and written.block is around.block and written.range.start >= around.range.end


def _before(run: Run, slot: Slot) -> Value:
    """What a slot holds; what `__init__` left there, where nothing else is known."""
    before = content(run, slot)
    if not isinstance(before, Unknown) or slot[1] == CONTENT:
        return before
    initially = run.state.value(slot[0], marks.INITIALLY + slot[1])
    return before if initially is UNDEFINED else initially


def _enter(
    run: Run, frame: Frame, slot: Slot, node: gast.AST, value: Value, how: str = "", dynamic: bool = False
) -> None:
    journal = run.context.journal
    assert journal is not None
    outside = is_older(slot[0], journal.began)
    within = bool(run.context.constructs) and is_older(slot[0], run.context.constructs[-1].id)
    if not outside and not within and slot[0] not in journal.watched:
        return
    if within and how:
        journal.watched.add(slot[0])
    place = place_of(frame, node)
    target = place.block.text[place.range.start : place.range.end]
    before = _before(run, slot) if how else value
    around = function_frame(frame)
    statement = run.statement
    whole = operand = None
    if how and isinstance(statement, (gast.Assign, gast.AugAssign)):
        whole, operand = place_of(frame, statement), place_of(frame, statement.value)
        if how == "=" and isinstance(statement, gast.AugAssign):
            how = AUGMENTED.get(type(statement.op), "") + "="
    journal.entries.append(
        JournalEntry(
            slot=slot,
            place=place,
            target=target,
            value=value,
            how=how,
            before=before,
            statement=statement,
            frame=around.id,
            initializing=run.context.building or getattr(around.node, "name", "") == "__init__",
            constructs=run.context.constructs,
            uncertain=run.context.uncertain > 0,
            refused=run.context.refused,
            dynamic=dynamic,
            whole=whole,
            operand=operand,
        )
    )
