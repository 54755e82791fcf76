"""What the end of a trace makes of its journal: facts on what it changed outside, and on what it used.

The trace is over; whatever is read from here on is read by somebody else.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace

import gast

from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts import (
    ArgumentChanged,
    DynamicKeyStored,
    HiddenChange,
    StateChanged,
    TensorLeaked,
    VariableReplaced,
)
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.context import StagedConstruct
from graphwright_analysis.tracing.machine.journal import WHOLE, Journal, JournalEntry, content, is_owner
from graphwright_analysis.tracing.machine.numbering import is_older
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import CONTENT, Cell, Content
from graphwright_analysis.tracing.machine.surroundings import Past, Slot
from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Array,
    Bound,
    Constant,
    Entries,
    Function,
    Items,
    Leaked,
    Object,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Value,
    Variable,
    python_kind,
)

from . import captures, leak_marks, trace_counters

_NUMBERS = (int, float)


@contextmanager
def recorded(
    run: Run,
    function: Value,
    arguments: Sequence[Value],
    named: Mapping[str, Value],
    passing: Set[int] = frozenset(),
    symbolic: bool = False,
) -> Generator[list[Past]]:
    """Around a trace: what it has seen is in the list after it, without its result; nobody has what is `passing`."""
    seen: list[Past] = []
    if run.context.journal is not None:
        yield seen
        return
    journal = Journal(run.fresh(), run.state.fork(), symbolic, passing=passing)
    with run.within(journal=journal):
        _note_arguments(run, journal, function, arguments, named)
        yield seen
    seen.append(_finish(run, journal))


# Arguments


def _note_arguments(
    run: Run, journal: Journal, function: Value, arguments: Sequence[Value], named: Mapping[str, Value]
) -> None:
    while isinstance(function, (Bound, Traced)):
        if isinstance(function, Bound):
            arguments = (function.receiver, *arguments)
        function = function.target
    if not isinstance(function, Function):
        return
    frame = run.frame(function.frame)
    if frame is not None and isinstance(function.node, gast.FunctionDef):
        around = replace(frame, block=function.block)
        journal.defined = _header(place_of(around, function.node))
        body = function.node.body
        documented = isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant) and len(body) > 1
        journal.first = place_of(around, body[1] if documented else body[0])
    parameters = [a.id for a in (*function.node.args.posonlyargs, *function.node.args.args)]
    given = {**dict(function.defaults), **dict(zip(parameters, arguments, strict=False)), **named}
    for name, value in given.items():
        _note_collections(run, journal, name, value)
        if isinstance(value, Object):
            journal.direct.add(value.id)


def _header(definition: Place) -> Place:
    """The line that a definition begins with."""
    end = definition.block.text.find("\n", definition.range.start, definition.range.end)
    return definition if end < 0 else Place(definition.block, Range(definition.range.start, end))


def _note_collections(run: Run, journal: Journal, name: str, value: Value) -> None:
    if isinstance(value, Tuple):
        for item in value.items:
            _note_collections(run, journal, name, item)
    if not isinstance(value, Object) or value.id in journal.arguments or value.kind not in ("list", "dict"):
        return
    journal.arguments[value.id] = name
    items, entries = run.state.items(value.id), run.state.entries(value.id)
    for held in (items.known or ()) if items else [v for _, v in entries.known] if entries else ():
        _note_collections(run, journal, name, held)


# The end


def _finish(run: Run, journal: Journal) -> Past:
    stores = [entry for entry in journal.entries if entry.how]
    told: set[Slot] = set()
    changed_arguments = _arguments_changed(run, journal, stores)
    for slot in dict.fromkeys(entry.slot for entry in stores):
        if slot[0] in changed_arguments:
            continue
        if _hidden_change(run, journal, slot) or _dynamic_key(run, journal, slot):
            told.add(slot)
    left: list[tuple[Cell, Content, Content]] = []
    outside = [slot for slot in dict.fromkeys(e.slot for e in stores) if is_older(slot[0], journal.began)]
    for slot in outside:
        if slot[0] in journal.arguments or slot in told:
            continue
        before = journal.before.content(slot[:2])
        if not _variable_replaced(run, journal, slot) and not _leaked(run, journal, slot):
            _changed(run, journal, slot)
        after = run.state.content(slot[:2])
        if after != before:
            left.append((slot[:2], before, after))
    return Past(UNKNOWN, captures.reads(journal), tuple(left))


def _of(journal: Journal, slot: Slot) -> tuple[list[JournalEntry], list[JournalEntry]]:
    """The readings and the storings of a slot."""
    entries = [e for e in journal.entries if e.slot == slot]
    return [e for e in entries if not e.how], [e for e in entries if e.how]


def _read_first(journal: Journal, slot: Slot) -> bool:
    first = next(e for e in journal.entries if e.slot == slot)
    return not first.how


def _arguments_changed(run: Run, journal: Journal, stores: Iterable[JournalEntry]) -> set[int]:
    found: set[int] = set()
    for entry in stores:
        owner = entry.slot[0]
        if owner not in journal.arguments or owner in found or entry.refused:
            continue
        if _same(run.state.content((owner, CONTENT)), journal.before.content((owner, CONTENT))):
            continue
        found.add(owner)
        kind = "list" if journal.before.items(owner) is not None else "dict"
        parameter = journal.arguments[owner]
        direct = owner in journal.direct
        how, doubted, passing = entry.how, entry.uncertain, owner in journal.passing
        defined, first = journal.defined, journal.first
        run.note(ArgumentChanged(entry.place, parameter, kind, how, defined, first, direct, passing, doubted=doubted))
    return found


def _same(after: Content, before: Content) -> bool:
    """Whether a collection holds the very values that it held."""
    if isinstance(after, Items) and isinstance(before, Items) and after.known is not None and before.known is not None:
        values = after.known, before.known
    elif isinstance(after, Entries) and isinstance(before, Entries) and after.closed is before.closed:
        if {key for key, _ in after.known} != {key for key, _ in before.known}:
            return False
        values = tuple(after.get(key) for key, _ in before.known), tuple(value for _, value in before.known)
    else:
        return after == before
    return len(values[0]) == len(values[1]) and all(_is(x, y) for x, y in zip(*values, strict=True))


def _is(after: Value, before: Value) -> bool:
    """Whether it is the value of before, which a trace sees as made outside."""
    return after is before or (after == before and isinstance(after, Tensor) and after.eager)


# Inside a staged construct


def _hidden_change(run: Run, journal: Journal, slot: Slot) -> bool:
    reads, stores = _of(journal, slot)
    for entry in stores:
        construct = _outermost(entry, ConstructKind.MAPPED_FUNCTION)
        if construct is None or is_older(entry.frame, construct.id) or entry.refused or not entry.how.endswith("="):
            continue
        tensor = isinstance(entry.value, Tensor)
        if not tensor and not _is_number(entry.before):
            continue
        position = journal.entries.index(entry)
        earlier = [e for e in reads if construct in e.constructs and journal.entries.index(e) < position]
        after = any(construct not in e.constructs for e in _readings_of(journal, slot, position))
        # What only feeds its own next value is missed by nobody.
        elsewhere = any(construct in e.constructs and e.statement is not entry.statement for e in reads)
        carried = bool(earlier) and (not tensor or _is_data(entry.before))
        wrong = (after and (tensor or carried)) or (construct.kind is ConstructKind.LOOP and carried and elsewhere)
        if wrong:
            place = construct.place
            kind, doubted = construct.kind, entry.uncertain
            run.note(HiddenChange(entry.place, entry.target, entry.value, place, kind, doubted=doubted))
            return True
    return False


def _dynamic_key(run: Run, journal: Journal, slot: Slot) -> bool:
    reads, stores = _of(journal, slot)
    for entry in stores:
        construct = _outermost(entry)
        if not entry.dynamic or construct is None or entry.refused:
            continue
        if not is_older(entry.frame, construct.id) or not isinstance(entry.value, (Tensor, TensorArray)):
            continue
        position = journal.entries.index(entry)
        before = construct.kind is ConstructKind.LOOP and any(construct in e.constructs for e in reads)
        whole = [e for e in journal.entries[position:] if e.slot[:2] == slot[:2] and not e.how]
        if slot[2] is not WHOLE:
            whole = [e for e in whole if e.slot == slot or (e.slot[2] is WHOLE and not is_owner(journal, e))]
        if before or any(construct not in e.constructs for e in whole):
            kind = "dict" if run.state.entries(slot[0]) is not None else "list"
            created = run.state.place((slot[0], marks.CREATED))
            around, doubted = (construct.place, construct.kind), entry.uncertain
            run.note(DynamicKeyStored(entry.place, entry.target, kind, *around, created, doubted=doubted))
            return True
    return False


def _outermost(entry: JournalEntry, *more: ConstructKind) -> StagedConstruct | None:
    """The first loop or branch around a storing that what it changes was made outside of."""
    kinds = (ConstructKind.LOOP, ConstructKind.BRANCH, *more)
    around = [c for c in entry.constructs if c.kind in kinds and is_older(entry.slot[0], c.id)]
    return around[0] if around else None


def _readings_of(journal: Journal, slot: Slot, position: int) -> list[JournalEntry]:
    """The readings after a position of the slot, or of all of the collection that it is in."""
    slots = {slot} if slot[1] != CONTENT else {slot, (slot[0], CONTENT, WHOLE)}
    return [e for e in journal.entries[position:] if e.slot in slots and not e.how]


# What lives on


def _variable_replaced(run: Run, journal: Journal, slot: Slot) -> bool:
    reads, stores = _of(journal, slot)
    for entry in stores:
        if not isinstance(entry.before, Variable) or isinstance(entry.value, Variable) or entry.refused:
            continue
        again = any(read.statement is entry.statement for read in reads)
        if again or isinstance(entry.value, Tensor):
            created = journal.before.place(slot[:2])
            place, doubted = entry.place, entry.uncertain
            run.note(VariableReplaced(place, entry.whole, entry.target, "=", entry.operand, created, doubted=doubted))
            return True
    return False


def _leaked(run: Run, journal: Journal, slot: Slot) -> bool:
    """Put a mark where a tensor of the trace is left; what meets it later says so."""
    owner, name, key = slot
    last = _of(journal, slot)[1][-1]
    if name == CONTENT and key is WHOLE:
        return _leaked_into(run, journal, last)
    value = content(run, slot)
    if isinstance(value, (Tuple, Object)):
        leak_marks.mark_held(run, journal, slot, last, value)
        return False
    if not leak_marks.leaks(journal, value):
        return False
    before = next(e.before for e in journal.entries if e.slot == slot and e.how)
    carried = _read_first(journal, slot) and _is_data(before)
    created = journal.before.place((owner, name))
    fact = TensorLeaked(last.place, last.target, last.how, before, None, carried, created, last.whole, last.operand)
    if carried and not last.refused:
        run.note(replace(fact, doubted=last.uncertain))
    if name != CONTENT:
        run.state.set(owner, name, Leaked(fact))
    elif (entries := run.state.entries(owner)) is not None:
        run.state.set_content(owner, entries.with_entry(key, Leaked(fact)))
    elif (items := run.state.items(owner)) is not None and items.known is not None and isinstance(key, int):
        known = list(items.known)
        known[key] = Leaked(fact)
        run.state.set_content(owner, Items(tuple(known)))
    return True


def _leaked_into(run: Run, journal: Journal, last: JournalEntry) -> bool:
    """The same for the elements of a list or the entries of a dict."""
    owner = last.slot[0]
    created = journal.before.place((owner, marks.CREATED))
    target = last.target.partition("." + last.how)[0] if last.how.isalpha() else last.target
    fact = TensorLeaked(last.place, target, last.how, UNDEFINED, None, False, created)
    if last.constructs:
        return isinstance(last.value, Tensor)
    return leak_marks.mark_content(run, journal, owner, fact)


def _changed(run: Run, journal: Journal, slot: Slot) -> None:
    reads, stores = _of(journal, slot)
    for entry in stores:
        if journal.symbolic or entry.refused or entry.initializing or trace_counters.counts_traces(entry, reads):
            continue
        owner, name, _ = slot
        if not entry.how.endswith("="):
            # A list that the trace puts a plain value into.
            inside = any(c.kind is not ConstructKind.CONDITIONAL_EXPRESSION for c in entry.constructs)
            # A number written out is put there to count the traces.
            counts = isinstance(entry.value, Constant) and not isinstance(entry.value.value, str)
            plain = python_kind(entry.value) is not None and not counts
            if entry.how in ("append", "insert", "extend", "appendleft") and plain and not inside:
                _note_changed(run, journal, entry, (owner, marks.CREATED))
                return
            continue
        if isinstance(entry.value, (Tensor, Leaked)):
            continue
        used = [read for read in reads if read.statement is entry.statement]
        if any(_is_number(entry.before) or _is_number(read.value) for read in used):
            _note_changed(run, journal, entry, (owner, name))
            return


def _note_changed(run: Run, journal: Journal, entry: JournalEntry, cell: tuple[int, str]) -> None:
    created = journal.before.place(cell)
    place, doubted = entry.place, entry.uncertain
    told = entry.target, entry.how, entry.before, created, entry.whole, entry.operand
    run.note(StateChanged(place, *told, doubted=doubted))


def _is_number(value: Value) -> bool:
    return python_kind(value) in _NUMBERS


def _is_data(value: Value) -> bool:
    return isinstance(value, (Tensor, Array)) or _is_number(value)


# What is met later
