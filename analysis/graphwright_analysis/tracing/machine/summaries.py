"""What a call has given, kept so that it needn't be run again where it would see the same.

A call stands to its caller as a start stands to its file: it begins on what holds there, what it looks up is noted
with what it found, and what it has changed becomes part of what its caller goes on with. When a start is made again,
those of its calls are taken over as they were that would look up the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import gast

from graphwright_analysis.tracing.facts import Fact, InstanceMade, TracedCalled, TracedMade
from graphwright_analysis.values.domain import Function, Value
from graphwright_analysis.values.sameness import same

from . import numbering
from .run import Run
from .starts import Recording
from .state import Cell, Content, Ground, Kind, Place, Reads, State
from .surroundings import Past, Surroundings, TraceKey, has

CANDIDATES = 8
"""How many calls of the last time are looked at for one that holds."""

SHARED = 8
"""How many calls of one function are kept for all who call it."""

R = TypeVar("R", Value, Past)


@dataclass(slots=True, eq=False)
class Summary(Recording):
    """What one call saw, changed and gave."""

    result: Any = None
    under_way: Mapping[gast.AST, int] = field(default_factory=lambda: {})
    """How many calls of the functions that it calls were under way around it, of those of which there were some."""

    depth: int = 0
    """How many calls were under way around it."""
    loops: tuple[Place, ...] = ()
    """The loops around it; its facts tell of them, and of other ones when it is taken over in those."""

    def holds(self, run: Run, subject: Any, ground: CallerGround) -> bool:
        return (
            same(self.subject, subject)
            and self.under_way == _under_way(run, self)
            and self.reads.hold(ground, run.surroundings)
        )


@dataclass(slots=True)
class CallerGround(Ground):
    """What holds where a call begins: what its caller has. The caller has looked it up as well."""

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
    """What the body of a call gives: as it was where it would see the same.

    Of what surrounds a call in a graph too much may be seen in it, so there the body is just run.
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
        new.steps, new.earlier = steps - run.steps - new.charged_inside, {}
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


def _paid(run: Run, known: Summary) -> bool:
    """Take the steps of a call, and of the calls in it, from the start; False where it has too few left.

    What a start has paid for once costs it nothing more, so that its steps stand for work, whichever calls were
    remembered before it began.
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
    """Forget what a call has made if nothing can reach it any more, so that it is as if it had never been made."""
    makers = summary.makers
    cells = {cell: held for cell, held in summary.cells.items() if not numbering.is_of(cell[0], makers)}
    lasting = (summary.result, *cells.values(), *summary.facts)
    if summary.traces or summary.handed_over or any(numbering.mentions(each, makers) for each in lasting):
        return
    summary.cells = cells
    summary.places = {cell: at for cell, at in summary.places.items() if not numbering.is_of(cell[0], makers)}
    summary.lost, summary.makers = makers, set()
    for number in [number for number in summary.frames if numbering.is_of(number, makers)]:
        del summary.frames[number]


def _settle(run: Run, summary: Summary) -> None:
    """What a call has seen and changed, its caller has."""
    facts = summary.facts if summary.loops == run.context.loops else _in_loops(run, summary)
    around, depth = run.context.sites, summary.depth
    reached = ((*around, *sites[depth:]) for sites in summary.facts.values())
    run.seen.take(summary, zip(facts, reached, strict=True))
    run.state.cells.update(summary.cells)
    run.state.written.update(summary.places)


def _in_loops(run: Run, summary: Summary) -> Iterator[Fact]:
    """Its facts as facts of a call in the loops that are around now."""
    within = len(summary.loops)
    for fact in summary.facts:
        told = isinstance(fact, (InstanceMade, TracedCalled, TracedMade))
        yield replace(fact, loops=(*run.context.loops, *fact.loops[within:])) if told and fact.loops else fact


def _under_way(run: Run, summary: Summary) -> dict[gast.AST, int]:
    return {node: run.context.calls.count(node) for node in run.context.calls if node in summary.visited}
