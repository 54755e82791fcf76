"""Python loops: followed turn by turn where the elements are known and few, else for two turns and widened.

Loops that become part of the graph are in `staged_loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from graphwright_analysis.values.domain import Dataset, Value

from . import expressions, leaving, python_use, staged_loops, staging, statements, structures
from .run import TURNS, Frame, Run, place_of
from .state import Outcome, State, joined


def for_(run: Run, frame: Frame, node: gast.For) -> Outcome:
    iterated = expressions.evaluate(run, frame, node.iter)
    over = staging.iterated_in_graph(run, frame, iterated)
    if over is not None:
        return staged_loops.execute_for(run, frame, node, iterated, over)
    python_use.unconverted_iteration(run, frame, node.iter, iterated, "for")
    with leaving.python_loop(run, frame, node, iterated):
        return _python_for(run, frame, node, iterated)


def _python_for(run: Run, frame: Frame, node: gast.For, iterated: Value) -> Outcome:
    elements = expressions.elements_of(run, iterated)
    if elements is not None and len(elements) * run.turns <= TURNS:
        turns = [_binder(run, frame, node.target, element) for element in elements]
        return _followed(run, frame, node, turns)
    element = expressions.element_of(run, iterated)
    if isinstance(iterated, Dataset) and not run.graph:
        element = structures.eager(run, element)
    turn = _binder(run, frame, node.target, element)
    return _widened(run, frame, node, turn)


def _binder(run: Run, frame: Frame, target: gast.AST, element: Value) -> Callable[[], None]:
    return lambda: statements.bind(run, frame, target, element)


def while_(run: Run, frame: Frame, node: gast.While) -> Outcome:
    test = expressions.evaluate(run, frame, node.test)
    if staging.condition_in_graph(run, frame, test):
        return staged_loops.execute_while(run, frame, node)
    python_use.unconverted_truth(run, frame, node.test, test, "while")
    with leaving.python_loop(run, frame, node, test):
        return _python_while(run, frame, node, test)


def _python_while(run: Run, frame: Frame, node: gast.While, test: Value) -> Outcome:
    result = Outcome(None)
    with run.looping(place_of(frame, node)):
        for _ in range(TURNS // run.turns):
            truth = expressions.truth(test)
            if truth is False:
                return _loop_else(run, frame, node, result, run.state)
            if truth is None:
                break
            if not _turn(run, frame, node, result):
                return result
            test = expressions.evaluate(run, frame, node.test)
            leaving.note_test(run, frame, node, test)
    widened = _widened(run, frame, node, lambda: None)
    widened.returns += result.returns
    widened.normal = joined([s for s in (widened.normal, *result.breaks) if s is not None])
    return widened


def _followed(run: Run, frame: Frame, node: gast.For, turns: Sequence[Callable[[], None]]) -> Outcome:
    """A Python loop over known elements, turn by turn."""
    result = Outcome(None)
    if len(turns) < 2:
        return _turns(run, frame, node, turns, result)
    before, run.turns = run.turns, run.turns * len(turns)
    try:
        with run.looping(place_of(frame, node)):
            return _turns(run, frame, node, turns, result)
    finally:
        run.turns = before


def _turns(run: Run, frame: Frame, node: gast.For, turns: Sequence[Callable[[], None]], result: Outcome) -> Outcome:
    for begin in turns:
        run.step()
        begin()
        if not _turn(run, frame, node, result):
            return result
    return _loop_else(run, frame, node, result, run.state)


def _turn(run: Run, frame: Frame, node: gast.For | gast.While, result: Outcome) -> bool:
    """Run the body once; False where no way through it goes on with the loop."""
    outcome = statements.execute(run, frame, node.body)
    result.returns += outcome.returns
    result.breaks += outcome.breaks
    state = joined([s for s in (outcome.normal, *outcome.continues) if s is not None])
    if state is None:
        result.normal, result.breaks = joined(result.breaks), []
        return False
    if outcome.returns or outcome.breaks:
        # Whether there is another turn isn't sure.
        run.uncertain += 1
    run.state = state
    return True


def _loop_else(run: Run, frame: Frame, node: gast.For | gast.While, result: Outcome, end: State) -> Outcome:
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


def _widened(run: Run, frame: Frame, node: gast.For | gast.While, begin: Callable[[], None]) -> Outcome:
    """A Python loop of an unknown number of turns: what two turns leave alone is known behind it."""
    result = Outcome(None)
    # Two turns show what a turn leaves for the next; inside another such loop the outer one's second turn does.
    turns = 2 if run.widening == 0 else 1
    run.widening += 1
    with run.looping(place_of(frame, node)):
        for _ in range(turns):
            before = run.state.fork()
            begin()
            outcome = statements.execute(run, frame, node.body)
            result.returns += outcome.returns
            result.breaks += outcome.breaks
            ends = [s for s in (outcome.normal, *outcome.continues) if s is not None]
            run.state = joined([before, *ends]) or before
            if not ends:
                break
            if outcome.returns or outcome.breaks:
                run.uncertain += 1
            if isinstance(node, gast.While):
                expressions.evaluate(run, frame, node.test)
    run.widening -= 1
    return _loop_else(run, frame, node, result, run.state)
