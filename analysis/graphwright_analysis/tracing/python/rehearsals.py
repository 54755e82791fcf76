"""Rehearsals: Python loops of many iterations, run again one by one for the calls of traced functions alone.

A loop that two iterations stand for says what holds in all of them, and not how often what it calls is traced. The
rehearsal begins where the loop began, and all that it leaves is the calls that it saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from itertools import islice, repeat

from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts import Fact, Held, InstanceMade, TracedCalled, TracedMade, VariablesMade
from graphwright_analysis.tracing.machine.context import Sites
from graphwright_analysis.tracing.machine.recordings import Recording
from graphwright_analysis.tracing.machine.run import LimitReached, Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.machine.surroundings import Past, TraceKey
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Tuple, Unknown, Value
from graphwright_analysis.values.domain import Sequence as Elements

STEPS = 5_000
"""How many expressions and statements a rehearsal may evaluate."""
_SHARE = 4
"""So many of them cost a start as much as one that it evaluates itself."""
OPEN_ITERATIONS = 12
"""How many iterations are rehearsed of a loop of which nobody knows how many it has."""
_FEWEST_CALLS = 3
"""A rehearsal that was cut before so many calls shows nothing."""


@immutable
class LoopStart:
    """What was known where a loop began that may be rehearsed."""

    state: State
    facts: int
    traces: dict[TraceKey, Past]


def mark(run: Run) -> LoopStart | None:
    """Remember where a loop begins; None where it isn't rehearsed: in a graph, and inside of loops that are."""
    context = run.context
    if not context.is_eager or context.rehearsing or context.widening:
        return None
    return LoopStart(run.state.fork(), len(run.seen.facts), dict(run.seen.traces))


def rehearse(run: Run, start: LoopStart | None, iterations: Callable[[], bool], known: bool) -> None:
    """Replace the calls that a loop was seen to make by those of its iterations, which are run one by one.

    `iterations` runs them and says whether that were all; `known` tells that the loop surely has those that are run.
    """
    if start is None:
        return
    noted = list(islice(run.seen.facts.items(), start.facts, None))
    if any(isinstance(fact, (TracedMade, InstanceMade)) for fact, _ in noted):
        return
    if not _vary(noted, known):
        if known:
            _close(run, start, noted)
        return
    found, complete = _rehearsed(run, start, iterations)
    calls = [fact for fact, _ in found if isinstance(fact, TracedCalled)]
    if not complete and len(calls) < _FEWEST_CALLS:
        return
    kept = noted if not (complete or known) else [each for each in noted if not _is_replaced(each[0])]
    marked = [(_unfinished(fact, known) if not complete else fact, sites) for fact, sites in found]
    run.seen.facts = dict((*islice(run.seen.facts.items(), start.facts), *marked, *kept))


def _close(run: Run, start: LoopStart, noted: list[tuple[Fact, Sites]]) -> None:
    """Every iteration calls what two have called, with the same."""
    closed = ((_of_all(fact), sites) for fact, sites in noted)
    run.seen.facts = dict((*islice(run.seen.facts.items(), start.facts), *closed))


def _of_all(fact: Fact) -> Fact:
    return replace(fact, widened=False, alike=True) if isinstance(fact, TracedCalled) and not fact.in_graph else fact


def elements(run: Run, iterated: Value, count: int) -> Iterator[Value]:
    """What the first iterations of a loop get, as far as it is known."""
    known = held_values.elements_of(run, iterated)
    if known is not None:
        return iter(known[:count])
    first = iterated.first if isinstance(iterated, Elements) else None
    if isinstance(first, range):
        return (Constant(number) for number in first[:count])
    if first:
        columns = [elements(run, each, count) for each in first]
        return (Tuple(row) for row in zip(*columns, strict=False))
    return repeat(held_values.element_of(run, iterated), count)


def _rehearsed(run: Run, start: LoopStart, iterations: Callable[[], bool]) -> tuple[list[tuple[Fact, Sites]], bool]:
    """The calls that the iterations make, and whether all of those were run."""
    before = run.seen, run.state, run.frames, run.statement, run.steps
    charged, run.start.charged = run.start.charged, set(run.start.charged)
    aside = run.seen = _aside(run.seen, start.traces)
    run.state, run.frames, run.steps = start.state.fork(), dict(run.frames), STEPS
    try:
        with run.within(rehearsing=True):
            complete = iterations()
    except LimitReached:
        complete = False
    finally:
        used = STEPS - max(run.steps, 0)
        run.seen, run.state, run.frames, run.statement, run.steps = before
        run.steps, run.start.charged = run.steps - used // _SHARE, charged
    return [each for each in aside.facts.items() if _is_replaced(each[0])], complete


def _aside(seen: Recording, traces: dict[TraceKey, Past]) -> Recording:
    """A recording that starts where the other one stands; what becomes of it is nobody's concern."""
    aside = copy(seen)
    aside.facts, aside.traces, aside.calls, aside.earlier = {}, traces, {}, {}
    aside.values, aside.decided, aside.inner, aside.summaries = {}, {}, {}, {}
    aside.frames, aside.list_changes, aside.handed_over = dict(seen.frames), dict(seen.list_changes), []
    aside.visited, aside.in_graph, aside.captured = set(seen.visited), set(seen.in_graph), set(seen.captured)
    aside.makers = set(seen.makers)
    return aside


def _is_replaced(fact: Fact) -> bool:
    return isinstance(fact, VariablesMade) or (isinstance(fact, TracedCalled) and not fact.in_graph)


def _unfinished(fact: Fact, known: bool) -> Fact:
    """A call in a loop whose iterations weren't all run."""
    if not isinstance(fact, TracedCalled):
        return fact
    return replace(fact, cut=True, widened=fact.widened or not known)


def _vary(noted: list[tuple[Fact, Sites]], known: bool) -> bool:
    """Whether calls in a loop are seen whose arguments may be different ones in its iterations."""
    values: dict[object, set[Value]] = {}
    for fact, _ in noted:
        if isinstance(fact, TracedCalled) and fact.place is not None and not fact.in_graph:
            if fact.concrete or fact.traced.signature is not None:
                continue
            for given in fact.arguments:
                seen = values.setdefault((fact.place, fact.traced.id, fact.receiver, given.parameter), set())
                seen.update(_parts(given.value))
    open_ = (Unknown,) if known else ()
    return any(
        len(seen) > 1 or any(isinstance(each, (Scalar, *open_)) or _has_any_size(each) for each in seen)
        for seen in values.values()
    )


def _parts(value: Value) -> Iterator[Value]:
    if isinstance(value, (Tuple, Held)):
        for item in value.items:
            yield from (part for part in _parts(item) if isinstance(part, (Scalar, Unknown)) or _has_any_size(part))
    yield value


def _has_any_size(value: Value) -> bool:
    return isinstance(value, Tensor) and (value.shape is None or shapes.ANY in value.shape)
