"""The recorded result of a call, so that an equal call doesn't have to run again.

A call is to its caller as a start is to its file: it begins with the caller's state, its lookups are recorded with
their results, and its changes become part of the caller's state. When a start runs again, it reuses those of its calls
that would look up the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import gast

from graphwright_analysis.tracing.facts import Fact, InstanceMade, TracedCalled, TracedMade
from graphwright_analysis.values.domain import Function, Value
from graphwright_analysis.values.sameness import same

from . import numbering
from .recordings import Recording
from .run import Run
from .state import Cell, Content, Ground, Kind, Place, Reads, State
from .surroundings import Past, Surroundings, TraceKey, has

CANDIDATES = 8
"""The maximum number of earlier calls that are tried."""

SHARED = 8
"""The maximum number of calls of one function that are shared by all callers."""

R = TypeVar("R", Value, Past)


@dataclass(slots=True, eq=False)
class Summary(Recording):
    """What one call saw, changed and returned."""

    result: Any = None
    under_way: tuple[tuple[gast.AST, object], ...] = ()
    """The active calls around it of the functions that it calls, with what they were given."""

    depth: int = 0
    """The number of active calls around it."""
    loops: tuple[Place, ...] = ()
    """The enclosing loops; its facts refer to them, and to others if it is reused in those."""

    def holds(self, run: Run, subject: Any, ground: CallerGround) -> bool:
        return (
            same(self.subject, subject)
            and same(self.under_way, _under_way(run, self))
            and self.reads.hold(ground, run.surroundings)
        )


@dataclass(slots=True)
class CallerGround(Ground):
    """The state where a call begins: that of its caller, whose lookups include those of the call."""

    caller: State
    traces: Mapping[TraceKey, Past]

    def content_now(self, cell: Cell) -> Content:
        return self.caller.content(cell)

    def place_now(self, cell: Cell) -> Place | None:
        return self.caller.place(cell)

    def owned_now(self, owner: int, kind: Kind) -> dict[str, Content]:
        return self.caller.owned(owner, kind)

    def answer_now(self, around: Surroundings, question: Callable[..., Any], *arguments: Any) -> Any:
        found = self.caller.ground.asked(around, question, *arguments)
        if question is Surroundings.trace_of:
            return self.traces.get(*arguments) or found
        if question is Surroundings.holders_of:
            own = (cell for cell, held in self.caller.cells.items() if has(held, *arguments))
            return tuple(dict.fromkeys((*found, *own)))
        return found


def remembered(run: Run, function: Function, subject: tuple[object, ...], body: Callable[[], R]) -> R:
    """Return the result of a call's body: the cached one if it would see the same.

    Calls inside a graph always run, because they depend on too much of their context.
    """
    # What a start calls that does nothing else is remembered with it.
    if not run.context.is_eager or not (run.context.calls or run.start.at_top):
        return body()
    context = run.context.of_calls
    ground, seen, shared = CallerGround(run.state, run.seen.traces), run.seen, run.flow.memory.calls
    name = getattr(function.node, "name", "")
    subject, where = (function, *subject, context), (name, context)
    anywhere, earlier = shared.get(where, ()), seen.earlier.get(name, [])
    known = next((each for each in (*anywhere, *earlier[:CANDIDATES]) if each.holds(run, subject, ground)), None)
    if known is not None and _paid(run, known):
        run.frames.update(known.frames)
        _settle(run, known)
        if own := known in earlier:
            earlier.remove(known)
    else:
        own = True
        # What is made again is made under the same numbers, so that whoever holds it needn't be run again.
        last = earlier[0] if earlier else None
        serial = numbering.next_serial() if last is None else last.serial
        ground.reads = Reads()
        known = Summary(serial, subject, ground.reads, depth=len(run.context.sites), loops=run.context.loops)
        if last is not None:
            known.again(last)
            earlier.remove(last)
            anywhere = tuple(each for each in anywhere if each is not last)
        _run(run, known, ground, body)
    if own:
        # It is one caller's alone: what is made again in its place has its numbers.
        seen.calls.setdefault(name, []).append(known)
    if not known.makers:
        shared[where] = (known, *(each for each in anywhere if each is not known))[:SHARED]
    return known.result


def _run(run: Run, new: Summary, ground: CallerGround, body: Callable[[], Value | Past]) -> None:
    around = run.surroundings
    before = run.seen, run.state, run.ids, around.now
    steps = run.steps
    run.seen, run.state, run.ids, around.now = new, State(ground), numbering.first_of(new.serial), ground
    try:
        new.result = body()
    finally:
        new.cells, new.places = run.state.cells, run.state.written
        new.steps = steps - run.steps - new.charged_inside
        made = run.ids - numbering.first_of(new.serial)
        run.seen, run.state, run.ids, around.now = before
        run.start.charged.add(new)
        _charge(run.seen, new, steps - run.steps)
        new.under_way = _under_way(run, new)
        if made > new.spent:
            new.makers.add(new.serial)
        if new.makers:
            _tidy(new)
        _settle(run, new)
        new.end()


def _paid(run: Run, known: Summary) -> bool:
    """Charge the steps of a call and of the calls in it to the start; return False if it has too few left.

    A start pays for each call once, so its steps measure work, regardless of which calls were cached before it began.
    """
    found, pending = dict[Recording, None](), list[Recording]([known])
    while pending:
        each = pending.pop()
        if each not in found and each not in run.start.charged:
            found[each] = None
            pending += each.summaries
    price = sum(each.steps for each in found)
    if price > run.steps:
        return False
    run.steps -= price
    run.start.charged |= found.keys()
    run.start.finished |= known.visited
    _charge(run.seen, known, price)
    return True


def _charge(caller: Recording, inner: Summary, steps: int) -> None:
    caller.summaries[inner] = None
    caller.charged_inside += steps


def _tidy(summary: Summary) -> None:
    """Drop what a call created if it is no longer reachable, as if it had never been created."""
    makers = summary.makers
    cells = {cell: held for cell, held in summary.cells.items() if not numbering.is_of(cell[0], makers)}
    lasting = (summary.result, *cells.values(), *summary.facts)
    if summary.traces or summary.handed_over or any(map(numbering.Mentions(makers).are_in, lasting)):
        return
    summary.cells = cells
    summary.places = {cell: at for cell, at in summary.places.items() if not numbering.is_of(cell[0], makers)}
    summary.lost, summary.makers = makers, set()
    for number in [number for number in summary.frames if numbering.is_of(number, makers)]:
        del summary.frames[number]


def _settle(run: Run, summary: Summary) -> None:
    """Add what a call saw and changed to its caller."""
    facts = summary.facts if summary.loops == run.context.loops else _in_loops(run, summary)
    around, depth = run.context.sites, summary.depth
    reached = ((*around, *sites[depth:]) for sites in summary.facts.values())
    run.seen.take(summary, zip(facts, reached, strict=True))
    run.state.cells.update(summary.cells)
    run.state.written.update(summary.places)


def _in_loops(run: Run, summary: Summary) -> Iterator[Fact]:
    """The facts of a call in the current loops."""
    within = len(summary.loops)
    for fact in summary.facts:
        told = isinstance(fact, (InstanceMade, TracedCalled, TracedMade))
        yield replace(fact, loops=(*run.context.loops, *fact.loops[within:])) if told and fact.loops else fact


def _under_way(run: Run, summary: Summary) -> tuple[tuple[gast.AST, object], ...]:
    around = zip(run.context.calls, run.context.given, strict=True)
    return tuple(call for call in around if call[0] in summary.visited)
