"""A loop in the graph: its state's types found, traced again where a turn tells more, and built.

Python's own loops are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from graphwright.runtime.basis.context import by_graph, doubting, is_for_xla, is_symbolic, promote, staged
from graphwright.runtime.basis.held_items import note_added
from graphwright.runtime.basis.outcomes import Turn, as_turn, mentions_last, unpack
from graphwright.runtime.basis.python_values import carrying_wide
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.changing_sizes import check_growth
from graphwright.runtime.control.conditionals import and_, asked, condition, staged_if
from graphwright.runtime.control.counted_loops import CountedLoop, CounterLimits, counted_trips, note_tested
from graphwright.runtime.control.guessed_lists import (
    guess,
    is_guess,
    is_guessable,
    replace_stand_ins,
    settled,
    stand_ins,
    was_right,
    without_guess,
)
from graphwright.runtime.control.loop_options import LoopOptions
from graphwright.runtime.control.loop_states import carried_by, leaves_after, state_of
from graphwright.runtime.control.loop_tests import FragileTestError, begins, of_its_own, sturdy, testing_ahead
from graphwright.runtime.control.replaced_lists import KeptError, as_new, check_replaced, note_kept, replaced_places
from graphwright.runtime.control.starting_numbers import as_first_value, signature, trials
from graphwright.runtime.errors.branch_errors import left_branch, settling
from graphwright.runtime.errors.failures import failing_later
from graphwright.runtime.lists.elements import UnsettledError
from graphwright.runtime.lists.list_bounds import Trips, note_trips, trips_of
from graphwright.runtime.lists.number_limits import is_found_out_later
from graphwright.runtime.state.array_names import arrays_meet
from graphwright.runtime.state.choices import ObjectsOf
from graphwright.runtime.state.contents import insides, knowing_originals
from graphwright.runtime.state.describing import describe, holding
from graphwright.runtime.state.held_twice import held_in, held_twice
from graphwright.runtime.state.joining import Join, MismatchError, join
from graphwright.runtime.state.journal import ChangedError, StateJournal
from graphwright.runtime.state.list_rooms import give_room, lists_may_grow, without_bounds
from graphwright.runtime.state.mismatches import explain_loop
from graphwright.runtime.state.module_lists import contents_of_dicts, refuse_attributes_with_names, refuse_names
from graphwright.runtime.state.nodes import CompositeNode, DenseNode, GrownListNode, NotChosenError, StateNode
from graphwright.runtime.state.separations import with_separations

Step = Callable[..., Any]


@dataclass(frozen=True)
class Loop:
    """What is to be known about a loop besides its test and turn."""

    turn: Step
    otherwise: Step | None
    options: LoopOptions
    names: tuple[str, ...]
    count: int
    relaxes: bool = False
    """Whether shapes may change from turn to turn, as they may in a loop over a Dataset."""
    renewed: Callable[[tuple[Any, ...]], tuple[Any, ...]] = tuple
    """The state after Python has taken an item, which may set what is carried."""
    trips: Any = None
    """How many iterations there are if the loop isn't left; None where that isn't known before."""

    def known_trips(self, stops: bool) -> Trips | None:
        """What is known of the number of iterations; `stops` says whether the loop may be left before."""
        if self.trips is None:
            return trips_of(self.options.maximum_iterations, False)
        return trips_of(self.trips, not stops)

    def name(self, index: int) -> str:
        """The name of a state variable."""
        return self.names[index] if index < len(self.names) else f"state {index + 1}"

    def explained(self, action: Callable[[], Any]) -> Any:
        """Do something, and tell a mismatch in the loop's terms."""
        try:
            return action()
        except MismatchError as mismatch:
            raise explain_loop(mismatch, self.turn) from None


class LearntError(Exception):
    """A turn has shown that the state is of other types than thought."""

    def __init__(self, nodes: tuple[StateNode, ...], stops: bool) -> None:
        super().__init__("the loop is traced again")
        self.nodes, self.stops = nodes, stops


@settling
def stage(test: Step, turn: Step, state: tuple[Any, ...], loop: Loop, stop: Any = None) -> tuple[Any, ...]:
    """The loop in the graph, from a state and (if it may have been left already) a stop."""
    return loop.explained(lambda: _stage(test, turn, state, loop, stop))


def _stage(test: Step, turn: Step, state: tuple[Any, ...], loop: Loop, stop: Any) -> tuple[Any, ...]:
    journal = StateJournal()
    for _ in range(_TRIES):
        try:
            with knowing_originals():
                left, values = _stage_with(journal, test, turn, state, loop, stop)
        except ChangedError as changed:
            journal.put_back_carried()
            journal = journal.again(changed)
            continue
        except (NotChosenError, MismatchError, UnsettledError) as failure:
            journal.put_back_carried()
            journal = journal.by_contents(failure)
            continue
        journal.settle(values[len(state) :])
        note_added()
        return finish(values[: len(state)], left, loop)
    raise TypeError("the loop changes different variables every time it is traced")


def _stage_with(
    journal: StateJournal, test: Step, turn: Step, state: tuple[Any, ...], loop: Loop, stop: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The loop with places as further state."""
    count, surely = len(state), begins(test, state)

    def step(*values: Any) -> Turn:
        own = values[:count]
        traced = lambda: as_turn(left_branch(lambda: failing_later(lambda: turn(*own))), own)  # noqa: E731
        result, after = journal.run(traced, values[count:], own, iterates=True)
        journal.check()
        journal.check_iteration(surely)
        return Turn(result.stop, (*result.state, *after))

    def holds(*values: Any) -> Any:
        noted, journal.touched = journal.touched, set()
        held = journal.run(lambda: asked(test(*values[:count])), values[count:], values[:count])[0]
        changed, journal.touched = journal.touched, noted
        journal.check()
        journal.check_iteration(lambda: True)
        for place in journal.places:
            if place.key in changed:
                raise TypeError(
                    f"the condition of this loop changes '{place.text}', and a graph loop would lose that change: "
                    "write `while True:`, test inside the loop, and `break`"
                )
        return held

    if journal.places:
        names = (*(loop.name(index) for index in range(count)), *(place.text for place in journal.places))
        loop = replace(loop, names=names, count=len(names))
    with holding(journal.held):
        whole = (*state, *journal.entry())
        refuse_attributes_with_names(whole, loop.names)
        nodes = tuple(_entry(value, loop, index) for index, value in enumerate(whole))
        stops = stop is not None or mentions_last(loop.turn)
        return carrying_wide(lambda: _settle_first(_Staging(holds, step, whole, loop, stop, journal), nodes, stops))


def finish(state: tuple[Any, ...], stop: Any, loop: Loop) -> tuple[Any, ...]:
    """The state after the loop's else, which runs if the loop wasn't left."""
    otherwise = loop.otherwise
    if otherwise is None:
        return state
    if not is_symbolic(stop):
        return state if stop else unpack(otherwise(*state), loop.count)
    names = loop.names if len(loop.names) == loop.count and loop.count else None
    merged = staged_if(stop, lambda: state, lambda: unpack(otherwise(*state), loop.count), names)
    return tuple(merged)


@dataclass(frozen=True)
class _Staging:
    """One loop that is being built."""

    test: Step
    turn: Step
    state: tuple[Any, ...]
    loop: Loop
    stop: Any
    journal: StateJournal
    budget: list[int] = field(default_factory=lambda: [_TRIES])
    limits: CounterLimits = field(default_factory=CounterLimits)
    tests_ahead: bool = False
    """Whether the loop carries what its test gives, instead of asking in its condition."""
    replaced: frozenset[int] = frozenset()
    """Where in the state each iteration has lists and dicts of its own."""


def _settle_first(staging: _Staging, nodes: tuple[StateNode, ...], stops: bool) -> tuple[Any, tuple[Any, ...]]:
    """Build the loop; at first as if each iteration had lists and dicts of its own where the text replaces them."""
    loop = staging.loop
    replaced = replaced_places(loop.turn, nodes, staging.state, loop.name, staging.journal.places)
    if replaced:
        try:
            return _build(replace(staging, replaced=replaced), as_new(nodes, replaced), stops)
        except LearntError as learnt:
            nodes, stops = learnt.nodes, learnt.stops
        except KeptError as kept:
            note_kept(loop.turn, map(loop.name, kept.places))
        except (FragileTestError, UnsettledError, *_DTYPE_ERRORS):
            pass
    return _settle(staging, nodes, stops)


def _settle(staging: _Staging, nodes: tuple[StateNode, ...], stops: bool) -> tuple[Any, tuple[Any, ...]]:
    """Build the loop, again with what was learnt as often as it takes."""
    loop = staging.loop
    while staging.budget[0] > 0:
        staging.budget[0] -= 1
        try:
            return _build(staging, nodes, stops)
        except LearntError as learnt:
            nodes, stops = learnt.nodes, learnt.stops
        except FragileTestError:
            staging = replace(staging, tests_ahead=True)
        except UnsettledError as unsettled:
            before, nodes = nodes, tuple(map(without_guess, nodes, staging.state))
            held = any(isinstance(node, GrownListNode) and node.element is unsettled.element for node in before)
            if not held or all(node is old for node, old in zip(nodes, before, strict=True)):
                raise  # It's the guess of a loop around.
        except _DTYPE_ERRORS as error:
            return _settle_dtypes(error, staging, nodes, stops)
    if staging.journal.refers:
        raise NotChosenError
    raise TypeError(f"the types of {', '.join(loop.names)} keep changing between iterations")


def _settle_dtypes(error: Exception, staging: _Staging, nodes: tuple[StateNode, ...], stops: bool) -> Any:
    """An operation of a turn doesn't take a Python number as the dtype that it has: try what the error names."""
    further: list[tuple[tuple[StateNode, ...], Exception]] = []
    told = error
    for seeded in trials(error, nodes):
        if staging.budget[0] <= 0:
            break
        staging.budget[0] -= 1
        try:
            return _build(staging, seeded, stops)
        except LearntError as learnt:
            return _settle(staging, learnt.nodes, learnt.stops)
        except OverflowError as inexact:
            told = inexact
        except _DTYPE_ERRORS as another:
            if signature(another) != signature(error):
                further.append((seeded, another))
    for seeded, another in further:
        try:
            return _settle_dtypes(another, staging, seeded, stops)
        except (OverflowError, *_DTYPE_ERRORS) as failure:
            told = failure if isinstance(failure, OverflowError) or failure.__cause__ is not None else told
    raise told


def _entry(value: Any, loop: Loop, index: int) -> StateNode:
    node = guess(loop.name(index), value) if is_guessable(value) else describe(value, carried=True)
    shape = loop.options.shape_invariants.get(loop.name(index))
    if shape is None:
        return node
    if isinstance(shape, tf.TypeSpec) and isinstance(node, CompositeNode):
        return replace(node, spec=shape, relaxed=True)
    if isinstance(node, DenseNode):
        shape = tf.TensorShape(getattr(shape, "shape", shape))
        return replace(node, shape=None if shape.rank is None else tuple(shape.as_list()))
    return node


def _build(staging: _Staging, nodes: tuple[StateNode, ...], stops: bool) -> Any:
    loop, first = staging.loop, int(stops)
    staging.journal.put_back_carried()
    staging.journal.state.clear()
    carried = carried_by(staging.state, nodes)
    entry, shapes = _entry_leaves(staging, nodes, stops)
    padding = [] if entry else [tf.constant(0)]
    learnt: list[StateNode] = []
    trips: list[Trips | None] = []
    tests: list[Any] = []

    def go_on(*leaves: Any) -> Any:
        with staging.journal.at_work(staging.state, carried), staged():
            left, values = _entered(staging, leaves, nodes, stops)
            held = _test(staging.test, values, left, stops)
        tests[:] = [held, leaves]
        return held if staging.tests_ahead else sturdy(held)

    def body(*leaves: Any) -> list[Any]:
        with staging.journal.at_work(staging.state, carried) as inside, staging.limits.asked_once() as questions:
            note_tested(tests[0], tests[1][first:], leaves[first:])
            staging.limits.note(nodes, leaves[first:])
            staging.journal.before = {id(container): held for container, held in inside}
            learnt[:], result = _traced_turn(staging, _entered(staging, leaves, nodes, stops)[1], nodes, stops)
        after = leaves_after(learnt, result.state)
        counted = CountedLoop(entry[first:], tests[1][first:], leaves[first:], after, result.stop)
        trips[:] = [loop.known_trips(stops) or counted_trips(tests[0], counted)]
        _check_bounds(staging, learnt, counted, trips[0], questions, stops)
        stop = [tf.convert_to_tensor(result.stop)] if stops else []
        return stop + after + (list(leaves) if padding else [])

    build = testing_ahead if staging.tests_ahead else tf.while_loop
    shapes += [tf.TensorShape([])] * len(padding)
    leaves = build(go_on, body, entry + padding, shapes, name="while", **loop.options.passed())
    if not replace_stand_ins(leaves, entry, learnt, first):
        raise LearntError(tuple(learnt), stops)
    note_trips(next(leaf for leaf in leaves if isinstance(leaf, tf.Tensor)), trips[0])
    give_room(learnt, iter(leaves[first:]))
    staging.journal.announce(learnt)
    return state_of(leaves, learnt, stops)


def _check_bounds(
    staging: _Staging,
    nodes: list[StateNode],
    loop: CountedLoop,
    trips: Trips | None,
    questions: list[bool],
    stops: bool,
) -> None:
    """Have the loop traced again if its bounds answer questions, or if lists turn out to have none."""
    if trips is None and is_for_xla():
        is_found_out_later()
    if questions:
        staging.limits.find(tuple(nodes), loop, trips)
        raise LearntError(tuple(nodes), stops)
    if not lists_may_grow(nodes, iter(loop.entry), iter(loop.in_body), iter(loop.after), trips):
        raise LearntError(tuple(map(without_bounds, nodes)), stops)


def _entry_leaves(staging: _Staging, nodes: tuple[StateNode, ...], stops: bool) -> tuple[list[Any], list[Any]]:
    """What goes into the loop, and what is known of the shapes of that in all iterations."""
    entry: list[Any] = [tf.constant(False) if staging.stop is None else staging.stop] if stops else []
    shapes: list[Any] = [tf.TensorShape([])] if stops else []
    for node, value in zip(nodes, staging.state, strict=True):
        entry += stand_ins(node) if isinstance(node, GrownListNode) and is_guess(node, value) else node.leaves(value)
        shapes += node.invariants()
    return of_its_own(entry) if staging.tests_ahead else entry, shapes


def _entered(staging: _Staging, leaves: Iterable[Any], nodes: Iterable[StateNode], stops: bool) -> Any:
    """The state at the beginning of an iteration or test, which hasn't changed any of it."""
    touched = set(staging.journal.touched)
    state = state_of(leaves, nodes, stops)
    staging.journal.touched = touched
    return state


def _traced_turn(staging: _Staging, values: tuple[Any, ...], nodes: tuple[StateNode, ...], stops: bool) -> Any:
    """The state's nodes after an iteration, and what that gave."""
    for before, value in zip(staging.state, values, strict=True):
        staging.journal.stand_for(value, before)
    held = contents_of_dicts(values)
    with staged(), doubting() as doubts:
        result = as_turn(staging.turn(*values), values)
    refuse_names(staging.state, values, held, result.state, staging.loop.names)
    check_replaced(values, staging.replaced, result.state, staging.journal.changed)
    learnt = _learn(nodes, staging, result, stops)
    if doubts:
        raise doubts[0]
    return learnt, result


def _test(test: Step, values: tuple[Any, ...], left: Any, stops: bool) -> Any:
    if not stops:
        held = asked(test(*values))
        return condition(held) if by_graph(held) else tf.constant(bool(held))
    return and_(tf.logical_not(left), lambda: condition(test(*values)))


def _learn(nodes: tuple[StateNode, ...], staging: _Staging, result: Turn, stops: bool) -> list[StateNode]:
    """The state's nodes after a turn; raised if it has to be traced again with them."""
    loop = staging.loop
    around = tf.compat.v1.get_default_graph().outer_graph
    born, refers = staging.journal.born, staging.journal.refers
    given = {id(container) for container, _ in insides(staging.state)} | held_in(staging.state) if refers else None
    twice = held_twice([staging.state, result.state], staging.journal.places)
    functions, referred, carried = (loop.turn,), staging.journal.referred, staging.journal.carried
    objects = ObjectsOf(around, born, given, functions, referred, called=loop.names, twice=twice, carried=carried)
    rules = Join(promote.get(), objects=objects)
    places = [None] * (len(nodes) - len(staging.journal.places)) + [*staging.journal.places]
    joined: list[StateNode] = []
    for index, (node, value) in enumerate(zip(nodes, result.state, strict=True)):
        after = describe(value)
        first = as_first_value(node, after)
        new = join(first, after, loop.name(index), replace(rules, objects=objects.at(places[index])))
        if is_for_xla() and not (loop.relaxes or rules.promote):
            check_growth(first, new, after, loop.name(index))
        joined.append(settled(node, staging.state[index], new))
    sides, held = [staging.state, result.state], [place for place, _ in carried.values()]
    joined = with_separations(joined, sides, loop.names, staging.journal.places, held, staging.journal.separated)
    symbolic = not stops and (is_symbolic(result.stop) or bool(result.stop))
    fits = all(node == new or was_right(node, new) for node, new in zip(nodes, joined, strict=True))
    if symbolic or not fits or arrays_meet(nodes, joined):
        raise LearntError(tuple(map(without_guess, joined, staging.state)), stops or symbolic)
    return joined


_TRIES = 16
_DTYPE_ERRORS = (TypeError, ValueError, tf.errors.InvalidArgumentError)
