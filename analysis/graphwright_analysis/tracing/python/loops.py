"""Python loops: analyzed one iteration at a time if the elements are known and few.

Other loops are analyzed for two iterations and widened. Those that become part of the graph are in `staged_loops`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import gast

from graphwright_analysis.tracing.library import datasets, structures
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import FEW_TURNS, TURNS, Run, place_of
from graphwright_analysis.tracing.machine.state import Outcome, State, changed, joined
from graphwright_analysis.tracing.noting import captures, decisions, leaving, lost_targets, python_use, unrolled_loops
from graphwright_analysis.tracing.reading import conditions, held_values
from graphwright_analysis.values.domain import (
    EACH_TURN,
    UNDEFINED,
    UNKNOWN,
    Constant,
    Dataset,
    Scalar,
    Tuple,
    Value,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.joining import may_be_unbound

from . import expressions, rehearsals, staged_loops, statements

Loop = gast.For | gast.AsyncFor | gast.While


def for_(run: Run, frame: Frame, node: gast.For) -> Outcome:
    outcome = _for(run, frame, node)
    lost_targets.note(run, frame, node)
    return outcome


def _for(run: Run, frame: Frame, node: gast.For) -> Outcome:
    iterated = expressions.evaluate(run, frame, node.iter)
    over = conditions.iterated_in_graph(run, frame, iterated)
    decisions.note(run, frame, node, iterated, over, unrolled_loops.turns_of(run, iterated))
    if over is not None:
        return staged_loops.execute_for(run, frame, node, iterated, over)
    python_use.unconverted_iteration(run, frame, node.iter, iterated, "for")
    with leaving.python_loop(run, frame, node, iterated):
        return _python_for(run, frame, node, iterated)


def async_for(run: Run, frame: Frame, node: gast.AsyncFor) -> Outcome:
    """Run an `async for`: AutoGraph leaves it as it is, and its elements are always unknown."""
    expressions.evaluate(run, frame, node.iter)
    return _widened(run, frame, node, lambda: statements.bind(run, frame, node.target, UNKNOWN))


def _python_for(run: Run, frame: Frame, node: gast.For, iterated: Value) -> Outcome:
    elements = held_values.elements_of(run, iterated)
    few = elements is not None and len(elements) <= FEW_TURNS and run.context.turns <= TURNS
    few = few or (elements is not None and run.context.rehearsing)
    if elements is not None and (few or len(elements) * run.context.turns <= TURNS):
        turns = [_binder(run, frame, node.target, element) for element in elements]
        return _followed(run, frame, node, turns)
    before, start = run.state.fork(), rehearsals.mark(run)
    element = held_values.element_of(run, iterated)
    if isinstance(iterated, Dataset) and not run.context.graph:
        element = structures.eager(run, element)
    if isinstance(iterated, (Dataset, Elements)) and iterated.rows is not None and not run.context.graph:
        return _over_batches(run, frame, node, element, iterated.rows)
    numbers = {e.value for e in elements or () if isinstance(e, Constant) and isinstance(e.value, (int, float))}
    if elements is not None and len(numbers) == len(elements) and isinstance(element, Scalar):
        element = Scalar(element.kind, EACH_TURN)
    begin = partial(_bind_turn, run, frame, node.target, element)
    some = bool(elements) or (isinstance(iterated, Elements) and bool(iterated.length))
    outcome = _widened(run, frame, node, begin, at_least_one=some)
    unrolled_loops.note_loop(run, frame, node, iterated, before)
    known = unrolled_loops.turns_of(run, iterated) is not None
    rehearsals.rehearse(run, start, partial(_rehearsed_for, run, frame, node, iterated), known)
    return outcome


def _rehearsed_for(run: Run, frame: Frame, node: gast.For, iterated: Value) -> bool:
    """Run a loop's iterations one by one; return True if those were all."""
    length = unrolled_loops.turns_of(run, iterated)
    count = rehearsals.OPEN_ITERATIONS if length is None else length
    elements = rehearsals.elements(run, iterated, count)
    if isinstance(iterated, Dataset):
        elements = (structures.eager(run, element) for element in elements)
    result = Outcome(None)
    with run.looping(place_of(frame, node)):
        for element in elements:
            run.step()
            _bind_turn(run, frame, node.target, element)
            if not _turn(run, frame, node, result):
                return not run.context.uncertain
    return length is not None


def _count_on(run: Run, before: State, ends: Sequence[State]) -> None:
    """Mark a number that an iteration adds to as different in the next iteration."""
    for cell, content in list(run.state.cells.items()):
        if not isinstance(content, Scalar) or content.kind not in (int, float):
            continue
        first, places = before.content(cell), [end.written.get(cell) for end in ends]
        numbers = (isinstance(first, Constant) and not isinstance(first.value, bool)) or isinstance(first, Scalar)
        if numbers and all(place is not None and _COUNTS.match(place.block.text, place.range.end) for place in places):
            run.state.set(*cell, Scalar(content.kind, run.fresh()))


_COUNTS = re.compile(r"\s*[-+*/]=")


def _over_batches(run: Run, frame: Frame, node: gast.For, element: Value, rows: tuple[int, int]) -> Outcome:
    """Run a loop over batches of which the last has fewer rows: one iteration for each kind."""
    sizes = iter(rows)
    return _widened(
        run,
        frame,
        node,
        lambda: _bind_turn(run, frame, node.target, datasets.with_rows(run, element, next(sizes, rows[1]))),
        turns=2,
        at_least_one=True,
    )


def _bind_turn(run: Run, frame: Frame, target: gast.AST, element: Value) -> None:
    statements.bind(run, frame, target, _of_turn(run, element))


def _of_turn(run: Run, element: Value) -> Value:
    """The element of one iteration: what differs between iterations belongs to this one."""
    if isinstance(element, Tuple):
        return Tuple(tuple(_of_turn(run, item) for item in element.items), element.fields)
    return Scalar(element.kind, run.fresh()) if isinstance(element, Scalar) and element.turn == EACH_TURN else element


def _binder(run: Run, frame: Frame, target: gast.AST, element: Value) -> Callable[[], None]:
    return lambda: statements.bind(run, frame, target, element)


def while_(run: Run, frame: Frame, node: gast.While) -> Outcome:
    test = expressions.evaluate(run, frame, node.test)
    staged = conditions.condition_in_graph(run, frame, test)
    decisions.note(run, frame, node, test, "condition" if staged else None)
    if staged:
        return staged_loops.execute_while(run, frame, node)
    python_use.unconverted_truth(run, frame, node.test, test, "while")
    with leaving.python_loop(run, frame, node, test):
        return _python_while(run, frame, node, test)


def _python_while(run: Run, frame: Frame, node: gast.While, test: Value) -> Outcome:
    result = Outcome(None)
    before, start, followed = run.state.fork(), rehearsals.mark(run), 0
    with run.looping(place_of(frame, node)):
        while followed < TURNS // run.context.turns or run.context.rehearsing:
            truth = conditions.truth(test)
            if truth is False:
                return _loop_else(run, frame, node, result, run.state)
            if truth is None:
                break
            if not _turn(run, frame, node, result):
                return result
            followed += 1
            test = expressions.evaluate(run, frame, node.test)
            if conditions.condition_in_graph(run, frame, test):
                # Neither Python's loop nor the graph's any more.
                decisions.note(run, frame, node, test, None)
            leaving.note_test(run, frame, node, test)
            if followed >= 2 and not run.context.graph and _is_open(node, result):
                break
    if conditions.truth(test) is True:
        limit = unrolled_loops.limit_of(run, node, followed)
        if limit is not None:
            unrolled_loops.note_while(run, frame, node, before, followed, expressions.evaluate(run, frame, limit))
    widened = _widened(run, frame, node, lambda: None)
    rehearsals.rehearse(run, start, partial(_rehearsed_while, run, frame, node), conditions.truth(test) is True)
    widened.returns += result.returns
    widened.normal = joined([s for s in (widened.normal, *result.breaks) if s is not None])
    return widened


def _rehearsed_while(run: Run, frame: Frame, node: gast.While) -> bool:
    """Run a loop's iterations one by one, or some if their number is unknown; return True if those were all."""
    result, ran, known = Outcome(None), 0, True
    with run.looping(place_of(frame, node)):
        while ran < rehearsals.OPEN_ITERATIONS or (known and not run.context.uncertain):
            truth = conditions.truth(expressions.evaluate(run, frame, node.test))
            known = known and truth is not None
            if truth is False or not _turn(run, frame, node, result):
                return known and not run.context.uncertain
            ran += 1
    return False


def _is_open(node: gast.While, result: Outcome) -> bool:
    """True if the number of iterations of a `while True` is unknown."""
    if not isinstance(node.test, gast.Constant):
        return False
    left = bool(result.breaks or result.returns)
    return left or not any(isinstance(each, (gast.Break, gast.Return)) for each in gast.walk(node))


def _followed(run: Run, frame: Frame, node: gast.For, turns: Sequence[Callable[[], None]]) -> Outcome:
    """Run a Python loop over known elements, iteration by iteration."""
    result = Outcome(None)
    if len(turns) < 2:
        return _turns(run, frame, node, turns, result)
    with run.looping(place_of(frame, node)):
        run.now(turns=run.context.turns * len(turns))
        return _turns(run, frame, node, turns, result)


def _turns(run: Run, frame: Frame, node: gast.For, turns: Sequence[Callable[[], None]], result: Outcome) -> Outcome:
    for begin in turns:
        run.step()
        begin()
        if not _turn(run, frame, node, result):
            return result
    return _loop_else(run, frame, node, result, run.state)


def _turn(run: Run, frame: Frame, node: Loop, result: Outcome) -> bool:
    """Run the body once; return False if no path through it continues the loop."""
    outcome = statements.execute(run, frame, node.body)
    result.returns += outcome.returns
    result.breaks += outcome.breaks
    state = joined([s for s in (outcome.normal, *outcome.continues) if s is not None])
    if state is None:
        result.normal, result.breaks = joined(result.breaks), []
        return False
    if outcome.returns or outcome.breaks:
        # Whether there is another turn isn't sure.
        run.now(uncertain=run.context.uncertain + 1)
    run.state = state
    return True


def _loop_else(run: Run, frame: Frame, node: Loop, result: Outcome, end: State) -> Outcome:
    run.state = end
    if node.orelse:
        outcome = statements.execute(run, frame, node.orelse)
        breaks, result.breaks = result.breaks, []
        result.absorb(outcome)
        ends = [state for state in (outcome.normal, *breaks) if state is not None]
    else:
        ends, result.breaks = [end, *result.breaks], []
    result.normal = joined(ends)
    return result


def _widened(
    run: Run,
    frame: Frame,
    node: Loop,
    begin: Callable[[], None],
    turns: int | None = None,
    at_least_one: bool = False,
) -> Outcome:
    """Run a Python loop with an unknown number of iterations: what two iterations leave unchanged is known after it."""
    result, start, all_ends = Outcome(None), run.state.fork(), list[State]()
    # Two turns show what a turn leaves for the next; inside another such loop the outer one's second turn does.
    turns_told = turns is not None
    turns = turns or (2 if run.context.widening == 0 else 1)
    with run.looping(place_of(frame, node)):
        run.now(widening=run.context.widening + 1, batches=turns_told)
        for turn in range(turns):
            before = run.state.fork()
            begin()
            outcome = statements.execute(run, frame, node.body)
            result.returns += outcome.returns
            result.breaks += outcome.breaks
            ends = [s for s in (outcome.normal, *outcome.continues) if s is not None]
            # A loop that surely has a turn can't be left as it was begun.
            first = at_least_one and turn == 0 and turns > 1
            run.state = joined(ends if first else [before, *ends]) or before
            if not ends:
                break
            captures.carry(run.state, before, ends)
            _count_on(run, before, ends)
            if outcome.returns or outcome.breaks:
                run.now(uncertain=run.context.uncertain + 1)
            if isinstance(node, gast.While):
                expressions.evaluate(run, frame, node.test)
            all_ends += ends
    if at_least_one:
        _made_in_turns(run, start, all_ends)
    return _loop_else(run, frame, node, result, run.state)


def _made_in_turns(run: Run, start: State, ends: Sequence[State]) -> None:
    """Keep what every iteration creates after a loop that always has one."""
    after = joined(ends)
    if after is None:
        return
    for cell in changed(start, run.state):
        made = after.content(cell)
        if start.content(cell) is UNDEFINED and not may_be_unbound(made):
            run.state.cells[cell] = made
