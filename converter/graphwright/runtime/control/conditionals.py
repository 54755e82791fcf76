"""if, and, or, not: plain Python unless the test is only known when the graph runs. Loops are elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from graphwright.runtime.basis.attributes import is_of
from graphwright.runtime.basis.context import SIMPLE, by_graph, doubts_of, promote, staged
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.held_items import note_added
from graphwright.runtime.basis.missing_keys import has_missing_keys
from graphwright.runtime.basis.notation import type_text
from graphwright.runtime.basis.outcomes import Never, Turn, last, more, unchanged
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.python_values import as_number, as_only_truth, as_python, value_if_true
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.carried_places import state_names
from graphwright.runtime.control.chosen_texts import picked_by
from graphwright.runtime.control.followed_lists import put_in_order
from graphwright.runtime.control.loop_states import leaves_after
from graphwright.runtime.errors.branch_errors import left_branch, settling
from graphwright.runtime.errors.failures import failing_later, fails_when_run
from graphwright.runtime.lists.elements import UnsettledError
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.choices import ObjectsOf
from graphwright.runtime.state.containers import is_of_module
from graphwright.runtime.state.contents import entered, knowing_originals
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.held_twice import held_twice
from graphwright.runtime.state.joining import Join, MismatchError, join
from graphwright.runtime.state.journal import ChangedError, StateJournal
from graphwright.runtime.state.list_rooms import give_room
from graphwright.runtime.state.mismatches import explain_branches
from graphwright.runtime.state.module_lists import refuse_attributes_with_names
from graphwright.runtime.state.nodes import (
    ConstantNode,
    ContainerNode,
    NotChosenError,
    StateNode,
    leaving,
    let_others_see,
)
from graphwright.runtime.state.partial_dicts import count_keys
from graphwright.runtime.state.places import Places, as_left
from graphwright.runtime.state.separations import with_separations
from graphwright.runtime.state.undefined import Maybe, held

Branch = Callable[..., Any]


@dataclass(frozen=True)
class BranchState:
    """What branches are given."""

    values: tuple[Any, ...] = ()
    called: tuple[str, ...] = ()
    """What the branches call them, if nobody says what their results are called: mostly that."""

    def entered(self) -> tuple[Any, ...]:
        """The values as a branch has them."""
        return tuple(value if is_of_module(value) else entered(value) for value in self.values)

    def run(self, journal: StateJournal, branch: Branch, entry: tuple[Any, ...]) -> Any:
        """Trace a branch that is given this."""
        with staged():
            return journal.run(lambda: _traced(branch), entry, self.values)


def if_(
    test: Any,
    then: Branch,
    otherwise: Branch,
    *state: Any,
    names: Sequence[str] | None = None,
    places: Places | None = None,
) -> Any:
    """Run one of two branches on the state and give its results.

    `places` are attributes and shared variables that the branches may set.
    """
    test = asked(test)
    if not by_graph(test):
        return then(*state) if test else otherwise(*state)
    branch = otherwise if then in (unchanged, more, last) else then
    called = () if names else state_names(None, branch, len(state))
    given, tests = BranchState(state, called), condition(test)
    try:
        return staged_if(
            tests, lambda: then(*given.entered()), lambda: otherwise(*given.entered()), names, places, given
        )
    except MismatchError as mismatch:
        raise explain_branches(mismatch, then, otherwise) from None


def and_(first: Any, second: Callable[[], Any]) -> Any:
    """`first and second()`."""
    if type(first) in SIMPLE:
        return first and second()
    if is_of(first, Maybe) and (may_be := held(first)).none:
        return if_(may_be.defined, lambda: and_(may_be.value, second), lambda: None)
    test = asked(first)
    if not by_graph(test):
        return test and second()
    return _either(condition(test), second, lambda: _value(first, test), second)


def or_(first: Any, second: Callable[[], Any]) -> Any:
    """`first or second()`."""
    if type(first) in SIMPLE:
        return first or second()
    if is_of(first, Maybe) and (may_be := held(first)).none:
        return if_(may_be.defined, lambda: or_(may_be.value, second), second)
    test = asked(first)
    if not by_graph(test):
        return test or second()
    return _either(condition(test), value_if_true(first) or (lambda: _value(first, test)), second)


def both(first: Any, second: Callable[[], Any]) -> Any:
    """`first and second()` where only its truth is asked for, which Python does once."""
    if type(first) in SIMPLE:
        return second() if first else False
    test = asked(first)
    if is_of(first, Maybe) or by_graph(test):
        return and_(first, second)
    return second() if test else False


def either(first: Any, second: Callable[[], Any]) -> Any:
    """`first or second()` where only its truth is asked for."""
    if type(first) in SIMPLE:
        return True if first else second()
    test = asked(first)
    if is_of(first, Maybe) or by_graph(test):
        return or_(first, second)
    return True if test else second()


def not_(value: Any) -> Any:
    """`not value`."""
    value = asked(value)
    return as_python(tf.logical_not(condition(value))) if by_graph(value) else not value


def asked(test: Any) -> Any:
    """What a test is about: the value that may be missing, whether a list that grows holds anything."""
    if type(test) in SIMPLE:
        return test  # Said at once: it is asked of each condition.
    if is_of(test, Maybe):
        inside = held(test)
        return if_(inside.defined, lambda: condition(inside.value), lambda: False) if inside.none else inside.get()
    if has_missing_keys(test):
        return count_keys(test)
    test = current(test)
    return test.graphwright_truth() if is_of(test, GraphList) else test


def condition(value: Any) -> Any:
    """A tensor as a test: one element, true if it isn't zero or empty."""
    value = asked(value)
    if not by_graph(value):
        return bool(value)
    tensor = tf.convert_to_tensor(value)
    if tensor.shape.is_fully_defined() and tensor.shape.num_elements() != 1:
        raise ValueError(
            f"the condition is {type_text(tensor.dtype, tensor.shape)}, but must be a single value: "
            "write tf.reduce_all(...) or tf.reduce_any(...)"
        )
    if tensor.shape.rank != 0:
        tensor = tf.reshape(tensor, [])
    if tensor.dtype == tf.bool:
        return tensor
    return tf.not_equal(tf.strings.length(tensor) if tensor.dtype == tf.string else tensor, 0)


@settling
def staged_if(
    test: Any,
    then: Branch,
    otherwise: Branch,
    names: Sequence[str] | None,
    places: Places | None = None,
    given: BranchState | None = None,
) -> Any:
    """Both branches in the graph, each traced once; their results merged. A mismatch is raised as such."""
    journal, given = StateJournal.of_places(places), given or BranchState()
    for _ in range(_TRIES):
        try:
            with knowing_originals():
                return _staged_if(test, then, otherwise, names, journal, given)
        except ChangedError as changed:
            journal = journal.again(changed)
        except (NotChosenError, MismatchError, UnsettledError) as failure:
            journal = journal.by_contents(failure)
    raise TypeError("the branches change different variables every time they are traced")


def _staged_if(
    test: Any, then: Branch, otherwise: Branch, names: Sequence[str] | None, journal: StateJournal, given: BranchState
) -> Any:
    first: list[Any] = []
    merged: list[StateNode] = []
    entry = journal.entry()
    refuse_attributes_with_names(entry, [place.text for place in journal.places])
    around = tf.compat.v1.get_default_graph()
    called = names or given.called
    objects = ObjectsOf(around, (), None, (then, otherwise), journal.referred, of_branch=True, called=called)

    def trace_then() -> list[Any]:
        value = given.run(journal, then, entry)
        first[:] = [tf.compat.v1.get_default_graph(), value]
        return []

    def trace_otherwise() -> list[Any]:
        value = given.run(journal, otherwise, entry)
        journal.check()
        merged[:] = [_merge_all(first[1], value, names, journal, objects)]
        journal.check_filled(merged[0])
        journal.check_sides()
        with as_left(journal.places, first[1][1]):
            _set_outputs(first[0], merged[0], (first[1][0], *first[1][1]), test)
        with as_left(journal.places, value[1]):
            return picked_by(test, leaves_after(merged, [(value[0], *value[1])]))

    leaves: Any = tf.cond(test, trace_then, trace_otherwise)
    flat = cast("list[Any]", leaves) if isinstance(leaves, (list, tuple)) else [leaves]
    put_in_order(flat)
    give_room(merged, iter(flat))
    journal.announce(merged)
    result, *values = merged[0].build(iter(flat))
    let_others_see(merged[0], (result, *values))
    journal.settle(values)
    journal.settle_sides()
    note_added()
    return result


def _merge_all(
    left: Any, right: Any, names: Sequence[str] | None, journal: StateJournal, objects: ObjectsOf
) -> StateNode:
    """The node of two branches' results and of what they have left at places."""
    twice = held_twice([(*_results(side[0]), *side[1]) for side in (left, right)], journal.places)
    known = {key for key in journal.state if key not in journal.born} if journal.refers else None
    objects = replace(objects, given=known, twice=twice)
    rules = Join(promote.get(), identity=True, objects=objects)
    results: list[Any] = []
    for side in (left, right):
        with as_left(journal.places, side[1]):
            results.append(describe(side[0]))
    with leaving([value for side in (left, right) for value in (*_results(side[0]), *side[1])]):
        nodes = [merge(left[0], right[0], results, names, rules)]
    for place, one, two in zip(journal.places, left[1], right[1], strict=True):
        nodes.append(join(describe(one), describe(two), place.text, replace(rules, objects=objects.at(place))))
    sides = [(side[0], *side[1]) for side in (left, right)]
    nodes = with_separations(nodes, sides, objects.called, journal.places, inside=journal.separated)
    return ContainerNode(tuple, tuple(range(len(nodes))), tuple(nodes), ())


def _results(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Turn):
        return value.state
    return cast("tuple[Any, ...]", value) if type(value) is tuple else (value,)


def merge(left: Any, right: Any, nodes: Sequence[Any], names: Sequence[str] | None, rules: Join) -> StateNode:
    """The node of two branches' results, which have these nodes; the paths start with the results' names."""
    if left is right and not isinstance(left, (list, dict, DEQUE)):
        return ConstantNode(left)
    if isinstance(left, Turn) and isinstance(right, Turn) and len(left.state) == len(right.state):
        (one, before), (other, after) = [node.items for node in nodes]
        stop, state = join(one, other, "stop", rules), _merge_items(before, after, names, rules)
        return ContainerNode(Turn, ("stop", "state"), (stop, state), left)
    if names is not None and len(names) > 1 and _are_alike(left, right):
        return _merge_items(nodes[0], nodes[1], names, rules)
    return join(nodes[0], nodes[1], names[0] if names else "the result", rules)


def _are_alike(left: Any, right: Any) -> bool:
    return isinstance(left, tuple) and isinstance(right, tuple) and len(cast(Any, left)) == len(cast(Any, right))


def _merge_items(left: Any, right: Any, names: Sequence[str] | None, rules: Join) -> StateNode:
    count = len(left.items)
    paths = names if names is not None and len(names) == count else [f"result {index + 1}" for index in range(count)]
    items = tuple(join(*sides, rules) for sides in zip(left.items, right.items, paths, strict=True))
    return ContainerNode(left.kind, left.keys, items, left.template)


def _traced(branch: Branch) -> Any:
    try:
        return left_branch(lambda: failing_later(branch))
    except (LookupError, TypeError, ValueError, AttributeError, UnboundLocalError) as error:
        doubts = doubts_of(error)
        if doubts is None:
            return fails_when_run(error)
        doubts.append(error)
        return Never()


def _set_outputs(graph: Any, node: StateNode, value: Any, test: Any) -> None:
    """Give the branch that was traced first its outputs, now that both sides are known."""
    with graph.as_default():
        leaves = picked_by(test, leaves_after([node], [value]))
        flat = [leaf.flow if isinstance(leaf, tf.TensorArray) else leaf for leaf in leaves]
        outputs = [graph.capture(leaf) for leaf in tf.nest.flatten(flat, expand_composites=True)]
    graph.structured_outputs = leaves
    graph.outputs[:] = outputs


def _value(operand: Any, test: Any) -> Any:
    """What an operand of `and` and `or` gives: itself, but for what is asked in its place."""
    operand = current(operand)
    return operand if is_of(operand, GraphList) else test


@settling
def _either(test: Any, then: Branch, otherwise: Branch, last: Branch | None = None) -> Any:
    """One of two operands of `or`; or of `and`, which has its `last` operand wherever it is true.

    Of different kinds, bools are the numbers that they are equal to (`x > 0 or n`), or only the truth is known.
    """
    try:
        return staged_if(test, then, otherwise, ("the operand",))
    except MismatchError as mismatch:
        bools = [getattr(side, "dtype", None) == tf.bool for side in (mismatch.left, mismatch.right)]
    if any(bools) and not (last is not None and bools[0]):
        with contextlib.suppress(MismatchError):
            return staged_if(test, lambda: as_number(then()), lambda: as_number(otherwise()), ("the operand",))
    truth = staged_if(test, lambda: condition(then()), lambda: condition(otherwise()), ("the operand",))
    # What is false in an `and` is as good as False.
    return truth if last is not None and bools[0] else as_only_truth(truth, last)


_TRIES = 8
