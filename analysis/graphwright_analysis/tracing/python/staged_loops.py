"""Loops that become part of the graph: what they carry, and the state after one iteration.

`staging` decides which loops these are, and handles branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import gast

from graphwright_analysis.flow import total_activity
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import ListChanged, LoopName, StagedCondition, StagedLoop
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.library import structures
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import (
    Outcome,
    State,
    changed,
    common,
    join_content,
    joined,
)
from graphwright_analysis.tracing.noting import leaving, unbound_names
from graphwright_analysis.tracing.noting.list_changes import forgive_undone
from graphwright_analysis.tracing.reading import nested_values
from graphwright_analysis.tracing.reading.name_lookup import cell_of, frame_function
from graphwright_analysis.values.domain import (
    LISTS,
    NONE,
    UNDEFINED,
    UNKNOWN,
    Dataset,
    Object,
    Tensor,
    Value,
    Variable,
)
from graphwright_analysis.values.joining import staged
from graphwright_analysis.values.shapes import Shape

from . import branches_with_jumps, expressions, loop_options, starting_numbers, statements
from .second_turns import LoopTurns, run_again
from .staging import behind, is_python
from .symbols import read


def execute_for(run: Run, frame: Frame, node: gast.For, iterated: Value, over: LoopControl) -> Outcome:
    turn = _turn_value(iterated)

    def begin() -> None:
        statements.bind(run, frame, node.target, structures.repacked(run, turn))

    return _staged_loop(run, frame, _loop(run, frame, node, over, iterated, begin))


def execute_while(run: Run, frame: Frame, node: gast.While) -> Outcome:
    def begin() -> None:
        test = expressions.evaluate(run, frame, node.test)
        run.note(StagedCondition(place_of(frame, node.test), "while", test))

    return _staged_loop(run, frame, _loop(run, frame, node, "condition", UNKNOWN, begin))


def _turn_value(iterated: Value) -> Value:
    if isinstance(iterated, Dataset):
        return iterated.element
    if isinstance(iterated, (Tensor, Variable)):
        rest: Shape = iterated.shape[1:] if iterated.shape else None
        if not isinstance(iterated, Tensor):
            return Tensor(iterated.dtype, rest)
        return Tensor(iterated.dtype, () if iterated.is_range else rest, number=iterated.number)
    return UNKNOWN


def _loop(
    run: Run,
    frame: Frame,
    node: gast.For | gast.While,
    over: LoopControl,
    iterated: Value,
    begin: Callable[[], object],
) -> LoopTurns:
    def turn(state: State) -> Outcome:
        run.state = state.fork()
        begin()
        return statements.execute(run, frame, node.body)

    return LoopTurns(node, over, iterated, turn)


def _staged_loop(run: Run, frame: Frame, loop: LoopTurns) -> Outcome:
    node, over = loop.node, loop.over
    header = node.iter if isinstance(node, gast.For) else node.test
    carried, before = _carried(run, frame, node), run.state
    start, declared = _begun(run, frame, node, carried)
    unseeded = {str(symbol) for symbol in carried if read(run, frame, symbol, start) in (UNDEFINED, NONE)}
    unbound = run.context.unbound_before_loop | unseeded
    construct = run.construct(place_of(frame, header), ConstructKind.LOOP, over)
    with run.within(constructs=(*run.context.constructs, construct), unbound_before_loop=unbound):
        cells = [cell for symbol in carried if (cell := cell_of(run, frame, symbol, before)) is not None]
        before = starting_numbers.stack_lists(run, cells, before, start, loop.turn)
        starting_numbers.fit(run, cells, before, start, loop.turn)
        outcome = loop.turn(start)
        refused = None if outcome.normal is None else run_again(run, loop, cells, start, outcome.normal)
    ends = [s for s in (outcome.normal, *outcome.continues, *outcome.breaks) if s is not None]
    forgive_undone(run, place_of(frame, header), start, ends)
    after = joined(ends, behind)
    whole = outcome.normal if len(ends) > 1 and not outcome.unsure else None
    names = _loop_names(run, frame, carried, before, after, whole) if after else []
    misplaced = loop_options.unheard(run, frame, node)
    if misplaced is not None:
        # The function runs unconverted then: nothing is carried.
        run.note(misplaced)
    else:
        opened_names = tuple(_opened(name, before, after, declared) for name in names) if after else ()
        first = place_of(frame, node.body[0]) if node.body else None
        run.note(StagedLoop(place_of(frame, header), over, opened_names, first=first, refused_next=refused))
        unbound_names.note_loop(run, frame, node, over, names, after)
        leaving.note_staged_loop(run, frame, node, over, outcome)
    _note_rebound_lists(run, place_of(frame, header), names, before, after)
    result = Outcome(before if after is None else _behind_loop(run, frame, start, after, carried))
    if outcome.returns:
        result.returns = [(joined(s for s, _ in outcome.returns) or start, UNKNOWN)]
    return _with_else(run, frame, node, result)


def _with_else(run: Run, frame: Frame, node: gast.For | gast.While, result: Outcome) -> Outcome:
    """Run the `else` of a loop, as Graphwright does if the loop wasn't left; AutoGraph stages no such loop."""
    if not node.orelse or result.normal is None:
        return result
    left = result.normal
    run.state = left.fork()
    with run.doubting():
        otherwise = statements.execute(run, frame, node.orelse)
    result.absorb(otherwise)
    result.normal = joined([s for s in (left, otherwise.normal) if s is not None], behind)
    return result


def _begun(
    run: Run, frame: Frame, node: gast.For | gast.While, carried: Sequence[Symbol]
) -> tuple[State, Mapping[str, Value]]:
    """The state in which an iteration begins, and the shapes that the loop's options declare."""
    start = run.state.fork()
    declared = loop_options.invariants(run, frame, node)
    for symbol in carried:
        _carry(run, frame, symbol, start, declared.get(str(symbol)))
        cell = cell_of(run, frame, symbol, start)
        if run.context.by_graphwright and cell is not None and start.content(cell) == NONE:
            # From the second turn on it may be something else.
            start.set(*cell, UNKNOWN)
    return start, declared


def _carried(run: Run, frame: Frame, node: gast.For | gast.While) -> list[Symbol]:
    """The symbols that AutoGraph carries through a staged loop."""
    live = run.flow.liveness_of(frame_function(frame))
    around = live.live_in(node) | live.live_out(node)
    activity = run.flow.activity_in(node)
    targets = total_activity([node]).writes if isinstance(node, gast.For) else frozenset[Symbol]()
    carried: list[Symbol] = []
    for symbol in sorted(activity.writes | activity.deletes | targets, key=str):
        if symbol.is_composite:
            if all(parent in live.live_in(node) for parent in symbol.parents()):
                carried.append(symbol)
        elif symbol in around or symbol.root in frame.scope.nonlocals:
            carried.append(symbol)
    return carried


def _carry(run: Run, frame: Frame, symbol: Symbol, start: State, declared: Value | None) -> None:
    """Set a symbol as an iteration begins: a number is a tensor, with the shape that the loop's options declare."""
    cell = cell_of(run, frame, symbol, start)
    if cell is not None and isinstance(start.content(cell), Value):
        value = start.value(*cell)
        # Which dtype a number gets that a name holds, `starting_numbers` finds out.
        value = nested_values.carry(start, value, run.context.by_graphwright and isinstance(value, Object))
        start.set(*cell, value if declared is None else loop_options.relaxed(value, declared))
    elif cell is None and symbol.path:
        holder = read(run, frame, symbol.parents()[-1], start)
        nested_values.carry_entry(start, holder, symbol.path[-1], run.context.by_graphwright)


def _opened(name: LoopName, before: State, after: State, declared: Mapping[str, Value]) -> LoopName:
    first, second = name.before, name.after
    if not nested_values.changed_in_place(first, second):
        first, second = nested_values.opened(before, first), nested_values.opened(after, second)
    return replace(name, before=first, after=second, invariant=declared.get(name.symbol))


def _loop_names(
    run: Run, frame: Frame, carried: Sequence[Symbol], before: State, after: State, whole: State | None
) -> list[LoopName]:
    """What the loop carries; `whole` is the state after an iteration that isn't left early, if that differs."""
    names = [_loop_name(run, frame, symbol, before, after) for symbol in sorted(carried)]
    if whole is None:
        return names
    turned = (_loop_name(run, frame, symbol, before, whole) for symbol in sorted(carried))
    return [branches_with_jumps.turned(*pair) for pair in zip(names, turned, strict=True)]


def _loop_name(run: Run, frame: Frame, symbol: Symbol, before: State, after: State) -> LoopName:
    cell = cell_of(run, frame, symbol, after)
    first = before.place(cell) if cell is not None else None
    second = after.place(cell) if cell is not None else None
    values = read(run, frame, symbol, before), read(run, frame, symbol, after)
    return LoopName(str(symbol), *values, first, second if second != first else None)


def _note_rebound_lists(run: Run, loop: Place, names: Sequence[LoopName], before: State, after: State | None) -> None:
    """Report a list's name that is bound to a list of a different length as a changed list."""
    for name in names:
        old, new = name.before, name.after
        if after is None or name.after_place is None or not (_is_list(old) and _is_list(new)):
            continue
        assert isinstance(old, Object) and isinstance(new, Object)
        first, second = before.items(old.id), after.items(new.id)
        if old == new or first is None or second is None or second.known is None or first.known is None:
            continue
        if len(first.known) != len(second.known):
            created = before.place((old.id, marks.CREATED))
            element = common(second)
            run.note(
                ListChanged(
                    name.after_place, "=", name.symbol, created, loop, ConstructKind.LOOP, element, run.context.compiled
                )
            )


def _is_list(value: Value) -> bool:
    return isinstance(value, Object) and value.kind in LISTS


def _done_once(before: Value, after: Value) -> Value:
    """Keep the changes of called functions: they aren't carried, but happen once, while the iteration is traced."""
    return after if is_python(before) and is_python(after) else behind(before, after)


def _behind_loop(run: Run, frame: Frame, start: State, after: State, carried: Sequence[Symbol]) -> State:
    result = start.fork()
    cells = {cell_of(run, frame, symbol, after) for symbol in carried}
    for key in changed(start, after):
        left, right = start.content(key), after.content(key)
        if key in cells and left is UNDEFINED and isinstance(right, Value):
            # TensorFlow makes a placeholder of the type that one turn leaves.
            result.cells[key] = staged(right)
        else:
            result.cells[key] = join_content(left, right, behind if key in cells else _done_once)
        if key in after.written:
            result.written[key] = after.written[key]
    return result
