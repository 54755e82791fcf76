"""while and for: plain Python unless test, items or a break are only known when the graph runs. It converts no code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from graphwright.runtime.basis.context import by_graph, is_staging, is_symbolic
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.left_iterators import any_left, asking_at_end, is_iterator, note_left, refuse_left
from graphwright.runtime.basis.missing_keys import refuse_all_keys
from graphwright.runtime.basis.older_iterators import note_reading
from graphwright.runtime.basis.outcomes import Turn, as_turn, mentions_last, pack, unpack
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.carried_places import WithPlaces, noting_places, state_names
from graphwright.runtime.control.conditionals import BranchState, asked, condition, staged_if
from graphwright.runtime.control.generator_loops import generator_run
from graphwright.runtime.control.left_loops import RemainingItems
from graphwright.runtime.control.loop_options import LoopOptions, loop_options
from graphwright.runtime.control.staged_iteration import staged_items
from graphwright.runtime.control.staged_loops import Loop, Step, finish, stage
from graphwright.runtime.lists.generators import Elements
from graphwright.runtime.lists.staged_sequences import moved_iterators
from graphwright.runtime.state.contents import Copies, insides, knowing_originals, put_back
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.known_state import KnownState
from graphwright.runtime.state.places import Places, found_places
from graphwright.runtime.state.undefined import Maybe, held
from graphwright.runtime.state.watched_changes import watched

__all__ = [
    "LoopOptions",
    "for_",
    "loop_options",
    "rest_of_for",
    "rest_of_while",
    "walked",
    "walked_by_graph",
    "while_",
]


def while_(
    test: Step,
    turn: Step,
    *state: Any,
    otherwise: Step | None = None,
    options: LoopOptions | None = None,
    names: Sequence[str] | None = None,
    places: Places | None = None,
) -> Any:
    """Take turns on the state as long as the test holds; `places` are attributes and shared variables that they set."""
    if places is not None and is_staging():
        with_places = WithPlaces(found_places(places), len(state))
        turns = with_places.test(test), with_places.turn(turn)
        held = while_(*turns, *with_places.entry(state), options=options, names=with_places.names(names, turn))
        return with_places.settled(held)
    loop = Loop(turn, otherwise, options or LoopOptions(), state_names(names, turn, len(state)), len(state))
    if is_staging():
        return pack(_while_in_graph(test, turn, state, loop))
    count = len(state)
    while test(*state):
        result = turn(*state)
        if type(result) is Turn:
            state = result.state
            if result.stop:
                return pack(state)
        else:
            state = unpack(result, count)
    return otherwise(*state) if otherwise else pack(state)


def for_(
    iterable: Any,
    turn: Step,
    *state: Any,
    otherwise: Step | None = None,
    options: LoopOptions | None = None,
    names: Sequence[str] | None = None,
    places: Places | None = None,
) -> Any:
    """Take a turn on the state for every item; `places` are attributes and shared variables that the turns set."""
    if (run := generator_run(iterable)) is not None:
        turn = noting_places(turn, places)
        loop = Loop(turn, otherwise, options or LoopOptions(), state_names(names, turn, len(state)), len(state))
        return pack(run(state, loop))
    if places is not None and is_staging():
        with_places = WithPlaces(found_places(places), len(state))
        turns, names, whole = with_places.turn(turn), with_places.names(names, turn), with_places.entry(state)
        renewed = with_places.renewed
        loop = Loop(turns, None, options or LoopOptions(), names, len(whole), renewed=renewed)
        return with_places.settled(pack(_walk(walked(iterable), whole, loop)))
    iterable = walked(iterable)
    if is_staging():
        loop = Loop(turn, otherwise, options or LoopOptions(), state_names(names, turn, len(state)), len(state))
        return pack(_walk(iterable, state, loop))
    count = len(state)
    # As in `while_`, written out: a function for what a turn gives would make a turn a tenth slower.
    for item in iterable:
        result = turn(item, *state)
        if type(result) is Turn:
            state = result.state
            if result.stop:
                return pack(state)
        else:
            state = unpack(result, count)
    return otherwise(*state) if otherwise else pack(state)


def _walk(iterable: Any, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    items = staged_items(iterable)
    if items is None:
        return _for_in_graph(iter(iterable), loop.turn, state, loop)
    state = items(state, loop)
    if mentions_last(loop.turn):
        note_left(moved_iterators(iterable))
    return state


def rest_of_for(
    items: Iterator[Any],
    turn: Step,
    outcome: Any,
    options: LoopOptions | None = None,
    names: Sequence[str] | None = None,
    places: Places | None = None,
) -> Any:
    """The turns that remain of a loop in Python, after one whose `outcome` says whether the loop has been left."""
    with_places, whole, loop = _left_loop(turn, outcome, options, names, places)
    return with_places.settled(pack(_remaining(items, loop.turn, whole, loop)))


def rest_of_while(
    tests: WhileTest,
    test: Step,
    turn: Step,
    outcome: Any,
    options: LoopOptions | None = None,
    names: Sequence[str] | None = None,
    places: Places | None = None,
) -> Any:
    """The same for a `while`."""
    with_places, whole, loop = _left_loop(turn, outcome, options, names, places)
    held = with_places.test(test)
    if is_symbolic(whole.stop):
        before = with_places.state(tests.before)
        return with_places.settled(pack(_stop_in_graph(held, loop.turn, before, whole, loop, tests.mark)))
    return with_places.settled(pack(whole.state if whole.stop else _while_in_graph(held, loop.turn, whole.state, loop)))


def _left_loop(
    turn: Step, outcome: Any, options: LoopOptions | None, names: Sequence[str] | None, places: Places | None
) -> tuple[WithPlaces, Turn, Loop]:
    """A loop after an outcome, what is at its places being state as well."""
    with_places = WithPlaces(found_places(places) if places is not None else (), len(outcome.state))
    whole = Turn(outcome.stop, with_places.entry(outcome.state))
    options, names = options or LoopOptions(), with_places.names(names, turn)
    loop = Loop(with_places.turn(turn), None, options, names, len(whole.state), renewed=with_places.renewed)
    return with_places, whole, loop


def _remaining(items: Iterator[Any], turn: Step, result: Turn, loop: Loop) -> tuple[Any, ...]:
    if not is_symbolic(result.stop):
        return result.state if result.stop else _for_in_graph(items, turn, result.state, loop)

    remaining = RemainingItems(items)
    with remaining.walking():
        state = _guarded(remaining.next, None, remaining.guarding(turn), result, loop)
    remaining.note_left()
    return state


def walked(iterable: Any) -> Any:
    """What a loop goes over: the value that may be missing, what a generator comes to."""
    if isinstance(iterable, Maybe):
        return held(iterable).get()
    if generator_run(iterable) is not None:
        return iterable
    refuse_all_keys(iterable)
    iterable = current(iterable)
    if any_left:
        refuse_left(iterable)
    if not is_iterator(iterable):
        return iterable
    note_reading(iterable)
    if isinstance(iterable, Elements):
        return iterable.settled()
    return asking_at_end(iterable) if sys.getrefcount(iterable) > 2 else iterable  # Two of them are of this function.


def walked_by_graph(items: list[Any]) -> bool:
    """Whether a loop is one of the graph; what it goes over is in a list, from which the loop takes it."""
    return is_staging() and (staged_items(items[0]) is not None or generator_run(items[0]) is not None)


class WhileTest:
    """The test of a `while` that Python runs, for as long as it is Python's."""

    def __init__(
        self, test: Callable[[], Any], state: Callable[[], tuple[Any, ...]] | None = None, again: bool = False
    ) -> None:
        """`state` gives what a loop carries that a tensor may leave; `again` says that a turn may be traced twice."""
        self.test, self.state, self.again = test, state, again
        self.turns = 0
        self.before: tuple[Any, ...] = ()
        self.mark: Any = None
        self.by_graph = False

    def hold(self) -> bool:
        """Whether there is another turn in Python; once the graph decides (`by_graph`) there is none."""
        held = asked(self.test()) if self.turns or not is_staging() else _first_test(self.test, ())
        self.by_graph = by_graph(held)
        if self.by_graph or not held:
            return False
        self.turns += 1
        if self.state is not None:
            self.before = self.state()
            self.mark = _mark(self.before) if self.again and self.turns == 1 and is_staging() else None
        return True


def _while_in_graph(test: Step, turn: Step, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    """A while whose test is Python's until it turns out to be a tensor, or a break does."""
    held = _first_test(test, state)
    if by_graph(held):
        return stage(test, turn, state, loop)
    first = True
    while held:
        mark = _mark(state)
        result, notes = watched(lambda state=state: as_turn(turn(*state), state))
        if is_symbolic(result.stop):
            return _stop_in_graph(test, turn, state, result, loop, mark if first and not notes.places_set() else None)
        if result.stop:
            return result.state
        state, first = result.state, False
        held = asked(test(*state))
        if by_graph(held):
            return stage(test, turn, state, loop)
    return unpack(loop.otherwise(*state), loop.count) if loop.otherwise else state


def _stop_in_graph(test: Step, turn: Step, before: tuple[Any, ...], result: Turn, loop: Loop, mark: Any) -> Any:
    """A Python test, but a tensor says whether the loop is left."""
    if not _ends_by_itself(test, before, result.state):
        if mark is not None and _without_effect(mark):
            put_back(mark[1])
            return stage(test, turn, before, loop)
        return stage(test, turn, result.state, loop, result.stop)

    def advance(live: tuple[Any, ...]) -> Any:
        held = asked(test(*live))
        return held if by_graph(held) else () if held else None

    return _guarded(advance, test, turn, result, loop)


def _for_in_graph(items: Iterator[Any], turn: Step, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    for item in items:
        state = loop.renewed(state)
        result = as_turn(turn(item, *state), state)
        if is_symbolic(result.stop):
            return _remaining(items, turn, result, loop)
        state = result.state
        if result.stop:
            return state
    state = loop.renewed(state)
    return unpack(loop.otherwise(*state), loop.count) if loop.otherwise else state


def _guarded(advance: Step, test: Step | None, turn: Step, result: Turn, loop: Loop) -> tuple[Any, ...]:
    """The turns that remain of a Python loop, each only if the loop hasn't been left.

    What Python knows stays Python for the turns to come (`live`); what is known after the loop is merged.
    """
    with knowing_originals():
        return _guarded_turns(advance, test, turn, result, loop)


class _Left:
    """Takes the state that a turn leaves. It's no container: what a branch reads in those was there before it."""

    state: tuple[Any, ...] = ()

    def __call__(self, state: tuple[Any, ...]) -> None:
        self.state = Copies().of(state)


def _guarded_turns(advance: Step, test: Step | None, turn: Step, result: Turn, loop: Loop) -> tuple[Any, ...]:
    live, merged = result.state, result
    while (arguments := advance(live)) is not None:
        if test is not None and is_symbolic(arguments):
            return stage(test, turn, merged.state, loop, merged.stop)
        left = _Left()
        merged = _guarded_turn(turn, arguments, live, merged, left, loop)
        if not is_symbolic(merged.stop) and merged.stop:
            return merged.state
        live = left.state
    return finish(merged.state, merged.stop, loop)


def _guarded_turn(turn: Step, arguments: Any, live: tuple[Any, ...], merged: Turn, left: _Left, loop: Loop) -> Turn:
    def keep() -> Turn:
        return Turn(True, merged.state)

    def go() -> Turn:
        result = as_turn(turn(*arguments, *known.beside(others.entered())), live)
        left(result.state)
        return result

    known = KnownState(live, merged.state)
    others, given = BranchState(known.others), BranchState((*merged.state, *known.filled))
    return loop.explained(lambda: staged_if(condition(merged.stop), keep, go, loop.names or None, given=given))


def _first_test(test: Step, state: tuple[Any, ...]) -> Any:
    """The test on a scratch graph, so that nothing is left behind where the loop is staged."""
    graph: Any = tf.__internal__.FuncGraph("scratch")
    with graph.as_default():
        return asked(test(*state))


def _ends_by_itself(test: Step, before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Whether Python's own test can come to be false: it looks at something that turns change."""
    if constantly_true(test):
        return False
    nodes = [(describe(one), describe(other)) for one, other in zip(before, after, strict=True)]
    return any(not new.invariants() and old != new for old, new in nodes) or not nodes


def constantly_true(test: Step) -> bool:
    """Whether a test is `True` or another constant in the source."""
    code = getattr(inspect.unwrap(test), "__code__", None)
    if code is None or code.co_names or code.co_freevars:
        return False
    import dis

    return all(
        instruction.opname in ("RESUME", "COPY_FREE_VARS", "NOP")
        or "CONST" in instruction.opname
        or instruction.opname in ("RETURN_VALUE", "LOAD_SMALL_INT")
        for instruction in dis.get_instructions(code)
    )


def _mark(state: tuple[Any, ...]) -> Any:
    graph = tf.compat.v1.get_default_graph()
    return len(graph.get_operations()), insides(state), [(item, len(item)) for item in state if isinstance(item, set)]  # pyright: ignore


def _without_effect(mark: Any) -> bool:
    """Whether a turn that was traced can be forgotten: it has left nothing that would run or be seen."""
    count, _, sets = mark
    if any(len(item) != size for item, size in sets):
        return False
    operations = tf.compat.v1.get_default_graph().get_operations()[count:]
    return all(not operation.op_def.is_stateful or operation.type in _HARMLESS for operation in operations)


_HARMLESS = (
    "ReadVariableOp",
    "VarHandleOp",
    "Placeholder",
    "RandomUniform",
    "RandomStandardNormal",
    "RandomUniformInt",
)
