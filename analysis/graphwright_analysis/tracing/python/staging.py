"""Branches that become part of the graph: what is staged, the result of each branch, and the state after it.

This does what AutoGraph's operators do while TensorFlow traces: both branches and one iteration of a loop run once, and
the names that are modified inside and live after must match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import TypeVar

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import RESULT, RETURNED, BranchName, StagedBranch, StagedCondition
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import Cell, Outcome, State, changed, join_content, joined
from graphwright_analysis.tracing.noting import decisions, leaving, python_use
from graphwright_analysis.tracing.noting.list_changes import forgive_undone
from graphwright_analysis.tracing.reading import conditions, later_reads, name_lookup, narrowing
from graphwright_analysis.tracing.reading.nested_values import changed_inside, opened
from graphwright_analysis.values.domain import NONE, UNDEFINED, UNKNOWN, Value, python_kind, shape_of
from graphwright_analysis.values.joining import join, join_staged

from . import branches_with_jumps, expressions, statements, symbols, unset_in_turn

T = TypeVar("T")


def execute_if(run: Run, frame: Frame, node: gast.If, rest: Sequence[gast.stmt]) -> Outcome:
    around, run.statement = run.statement, node
    test = expressions.evaluate(run, frame, node.test)
    run.statement = around
    if frame.block.is_broken(node.test):
        test = UNKNOWN
    staged = conditions.condition_in_graph(run, frame, test)
    decisions.note(run, frame, node, test, "condition" if staged else None)
    if staged:
        run.note(StagedCondition(place_of(frame, node.test), "if", test))
        return _staged_if(run, frame, node, rest)
    refused = python_use.unconverted_truth(run, frame, node.test, test, "if")
    truth = conditions.truth(test)
    if truth is not None:
        return statements.execute(run, frame, node.body if truth else node.orelse)
    before = run.state
    with run.branching(refused):
        run_body, run_orelse = (partial(statements.execute, run, frame, part) for part in (node.body, node.orelse))
        body, orelse, narrowed = _each_side(run, frame, node.test, run_body, run_orelse)
    if (body.normal is None and body.returns) or (orelse.normal is None and orelse.returns):
        # What follows is for what the side that returns was not for.
        run.now(conditions=run.context.conditions + 1)
    body.absorb(orelse)
    body.unsure |= bool(body.breaks or body.continues)
    met = body.normal is not None and orelse.normal is not None
    body.normal = joined([state for state in (body.normal, orelse.normal) if state is not None])
    if met and body.normal is not None:
        narrowing.meet(before, body.normal, narrowed)
    return body


def _each_side(
    run: Run, frame: Frame, test: gast.AST, body: Callable[[], T], orelse: Callable[[], T], idle: bool = False
) -> tuple[T, T, Set[Cell]]:
    """The result of each branch, which begins with the earlier state and what the test implies in it.

    Also the cells that the test says something about. Idle branches change nothing.
    """
    before = run.state
    if_true, if_false = (narrowing.told(run, frame, [test], outcome) for outcome in (True, False))
    told = bool(if_true or if_false)
    run.state = before if idle and not told else before.fork()
    run.state.cells.update(if_true)
    first = body()
    run.state = before.fork() if told else before
    run.state.cells.update(if_false)
    return first, orelse(), {*if_true, *if_false}


def conditional_expression(run: Run, frame: Frame, node: gast.IfExp) -> Value:
    test = expressions.evaluate(run, frame, node.test)
    truth = conditions.truth(test)
    in_graph = conditions.condition_in_graph(run, frame, test)
    if in_graph and conversion.is_nested(frame, node):
        # AutoGraph converts the outermost alone.
        python_use.truth(run, frame, node.test, test, "nested conditional")
        in_graph = False
    elif not in_graph:
        python_use.unconverted_truth(run, frame, node.test, test, "if")
    decisions.note(run, frame, node, test, "condition" if in_graph else None)
    if truth is not None and not in_graph:
        return expressions.evaluate(run, frame, node.body if truth else node.orelse)
    if not in_graph:
        around = run.context
        with run.within(doubts=around.doubts + 1, conditions=around.conditions + 1):
            (body, _), (orelse, _) = _either(run, frame, node)
            return join(body, orelse)
    place = place_of(frame, node)
    run.note(StagedCondition(place_of(frame, node.test), "conditional expression", test))
    with run.inside(run.construct(place, ConstructKind.CONDITIONAL_EXPRESSION)):
        (body, first), (orelse, second) = _either(run, frame, node)
    sides = opened(first, body), opened(second, orelse)
    name = BranchName(RESULT, UNDEFINED, *sides, place_of(frame, node.body), place_of(frame, node.orelse))
    run.note(StagedBranch(place_of(frame, node.test), place, (name,), kind="conditional expression"))
    return behind(body, orelse)


def _either(run: Run, frame: Frame, node: gast.IfExp) -> tuple[tuple[Value, State], tuple[Value, State]]:
    """Run both branches on the earlier state; afterwards, either may have run."""
    before = run.state

    def side(part: gast.AST) -> tuple[Value, State]:
        return expressions.evaluate(run, frame, part), run.state

    idle = isinstance(node.body, _IDLE) and isinstance(node.orelse, _IDLE)
    body, orelse, narrowed = _each_side(run, frame, node.test, lambda: side(node.body), lambda: side(node.orelse), idle)
    if body[1] is not orelse[1]:
        run.state = joined((body[1], orelse[1])) or before
        narrowing.meet(before, run.state, narrowed)
    return body, orelse


_IDLE = (gast.Name, gast.Constant, gast.Attribute)
"""Expressions that change nothing."""


# Branches


def _staged_if(run: Run, frame: Frame, node: gast.If, rest: Sequence[gast.stmt]) -> Outcome:
    before = run.state
    construct = run.construct(place_of(frame, node.test), ConstructKind.BRANCH)
    with run.inside(construct):
        run.state = before.fork()
        body = statements.execute(run, frame, node.body)
        run.state = before.fork()
        orelse = statements.execute(run, frame, node.orelse)
        sides = leaving.way_of(body), leaving.way_of(orelse)
        took_rest, met = False, branches_with_jumps.sides(body, orelse)
        # AutoGraph moves what follows into the side that goes on when the other leaves.
        if body.normal is None and orelse.normal is not None and _leaves(body):
            took_rest, orelse = True, _continued(run, frame, orelse, rest)
        elif orelse.normal is None and body.normal is not None and _leaves(orelse):
            took_rest, body = True, _continued(run, frame, body, rest)
    ends = [side.normal for side in (body, orelse) if side.normal is not None]
    if len(ends) == 2 or run.context.by_graphwright:
        forgive_undone(run, construct.place, before, ends)
    leaving.note_branch(run, frame, node, rest, sides, (body, orelse))
    unset_in_turn.note_branch(run, frame, node, rest if took_rest else (), before, (body, orelse))
    names = _returned(run, frame, node, body, orelse, took_rest)
    if body.normal is not None and orelse.normal is not None and not took_rest:
        names += _branch_names(run, frame, node, before, body.normal, orelse.normal)
    elif met is not None and not names:
        around = branches_with_jumps.live_around(run, frame, node)
        names += branches_with_jumps.bound(_branch_names(run, frame, node, before, *met, around))
    if names:
        run.note(StagedBranch(place_of(frame, node.test), place_of(frame, node), tuple(names)))
    activity = run.flow.activity_in(node)
    sides = [state for state in (body.normal, orelse.normal) if state is not None]
    own = {
        name_lookup.cell_of(run, frame, symbol, side) for symbol in activity.writes | activity.deletes for side in sides
    }
    return _merged(before, body, orelse, took_rest, own)


def _leaves(outcome: Outcome) -> bool:
    return bool(outcome.returns or outcome.breaks or outcome.continues)


def _continued(run: Run, frame: Frame, outcome: Outcome, rest: Sequence[gast.stmt]) -> Outcome:
    assert outcome.normal is not None
    run.state = outcome.normal
    more = statements.execute(run, frame, rest)
    outcome.absorb(more)
    outcome.normal = more.normal
    return outcome


def _returned(
    run: Run, frame: Frame, node: gast.If, body: Outcome, orelse: Outcome, took_rest: bool
) -> list[BranchName]:
    """The function's result as a name, if both branches return or one reaches the end of the function."""
    if not took_rest and not (body.normal is None and orelse.normal is None):
        return []
    if not body.returns or not orelse.returns:
        return []
    first, second = _value(body), _value(orelse)
    return [BranchName(RETURNED, UNDEFINED, first, second, *_return_places(frame, node))]


def _value(outcome: Outcome) -> Value:
    result, *others = [opened(state, value) for state, value in outcome.returns]
    for value in others:
        result = join(result, value)
    return result


def _return_places(frame: Frame, node: gast.If) -> tuple[Place | None, Place | None]:
    def first(nodes: Sequence[gast.stmt]) -> Place | None:
        found = next((n for statement in nodes for n in walk(statement) if isinstance(n, gast.Return)), None)
        return place_of(frame, found) if found is not None else None

    return first(node.body), first(node.orelse)


def _branch_names(
    run: Run,
    frame: Frame,
    node: gast.If,
    before: State,
    body: State,
    orelse: State,
    around: frozenset[Symbol] = frozenset(),
) -> list[BranchName]:
    found: list[BranchName] = []
    for symbol in sorted(_outputs(run, frame, node, around)):
        first, second, third = (symbols.read(run, frame, symbol, state) for state in (before, body, orelse))
        placeholder = str(symbol) in run.context.unbound_before_loop and first in (UNDEFINED, NONE)
        if placeholder and (UNDEFINED in (second, third) or NONE in (second, third)):
            continue
        cell = name_lookup.cell_of(run, frame, symbol, body) or name_lookup.cell_of(run, frame, symbol, orelse)
        places = [state.place(cell) if cell is not None else None for state in (before, body, orelse)]
        body_place = places[1] if places[1] != places[0] else None
        orelse_place = places[2] if places[2] != places[0] else None
        deleted = None
        if UNDEFINED in (second, third) and first is not UNDEFINED:
            deleted = body_place if second is UNDEFINED else orelse_place
        unset = UNDEFINED in (second, third)
        if unset and run.context.by_graphwright and str(symbol).endswith("]"):
            continue  # The graph knows whether the dict has the key.
        reader = later_reads.first(frame, node, symbol) if unset else None
        surely = later_reads.sure(frame, node, symbol) if unset else None
        if not (changed_inside(before, first, body, second) or changed_inside(before, first, orelse, third)):
            second, third = opened(body, second), opened(orelse, third)
        asked = later_reads.first(frame, node, symbol, "shape") if shape_of(second) != shape_of(third) else None
        found.append(
            BranchName(str(symbol), first, second, third, body_place, orelse_place, reader, deleted, asked, surely)
        )
    return found


def _outputs(run: Run, frame: Frame, node: gast.If, around: frozenset[Symbol]) -> list[Symbol]:
    """The symbols that AutoGraph returns from a staged `if`; those `around` are live after it in any case."""
    live = run.flow.liveness_of(name_lookup.frame_function(frame))
    live_in, live_out = live.live_in(node), live.live_out(node)
    activity = run.flow.activity_in(node)
    outputs: list[Symbol] = []
    for symbol in activity.writes | activity.deletes:
        if symbol.is_composite:
            if all(parent in live_in for parent in symbol.parents()):
                outputs.append(symbol)
        elif symbol in live_out or symbol in around or (symbol.root in frame.scope.nonlocals and symbol not in live_in):
            outputs.append(symbol)
    return outputs


def _merged(before: State, body: Outcome, orelse: Outcome, took_rest: bool, own: Set[Cell | None]) -> Outcome:
    result = Outcome(None, took_rest=took_rest)
    result.absorb(body)
    result.absorb(orelse)
    if body.returns and orelse.returns:
        state = joined([s for s, _ in result.returns], behind) or before
        value = body.returns[0][1]
        for _, other in (*body.returns[1:], *orelse.returns):
            value = behind(value, other)
        result.returns = [(state, value)]
    if body.normal is not None and orelse.normal is not None:
        result.normal = _joined_branches(before, body.normal, orelse.normal, own)
    else:
        result.normal = body.normal or orelse.normal
    return result


def _joined_branches(before: State, body: State, orelse: State, own: Set[Cell | None]) -> State:
    result = body.fork()
    for key in changed(before, body, orelse):
        left, right = body.content(key), orelse.content(key)
        # What functions that are called change on a side isn't the branch's: both sides do it, while they are traced.
        result.cells[key] = join_content(left, right, behind if key in own else _beside)
        if key in orelse.written:
            result.written.setdefault(key, orelse.written[key])
    return result


def _beside(body: Value, orelse: Value) -> Value:
    """The value after a staged branch of a cell that isn't one of its outputs."""
    return join(body, orelse) if is_python(body) and is_python(orelse) else behind(body, orelse)


def is_python(content: object) -> bool:
    """True if it is always a Python value, which a graph can't contain."""
    return isinstance(content, Value) and python_kind(content) is not None


def behind(body: Value, orelse: Value) -> Value:
    """The value after a staged branch; unknown if TensorFlow can't build it."""
    if UNDEFINED in (body, orelse) or NONE in (body, orelse):
        return body if body == orelse else UNKNOWN
    return join_staged(body, orelse)


# Symbols
