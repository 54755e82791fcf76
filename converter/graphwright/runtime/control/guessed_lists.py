"""Lists that are empty when a loop begins: taken to grow by one tensor at a time, so that one trace is enough.

Whether the guess was right is said here; what to do otherwise, by the loop.
While the loop is traced, an operation of no use stands in for the empty list, whose dtype isn't known yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.plain_containers import LISTS, ListForm, form_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import UnknownElement
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.list_bounds import loop_of
from graphwright.runtime.lists.list_stores import filled_store
from graphwright.runtime.state.contents import Original
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.nodes import GrownListNode, OptionalNode, StateNode


def is_guessable(value: Any) -> bool:
    """Whether a state value is a list of which nothing is known."""
    graph = tf.compat.v1.get_default_graph()
    return type(value) in LISTS and not value and isinstance(graph, tf.__internal__.FuncGraph) and not is_for_xla()


def guess(name: str, value: Any) -> GrownListNode:
    """The node of such a list."""
    return GrownListNode(UnknownElement(), name, original=Original(value), form=form_of(value) or ListForm())


def is_guess(node: StateNode, value: Any) -> bool:
    """Whether a node is a guess about this value, not one that an outer loop made."""
    return (
        isinstance(node, GrownListNode)
        and isinstance(node.element, UnknownElement)
        and not isinstance(value, GraphList)
    )


def was_right(node: StateNode, learnt: StateNode) -> bool:
    """Whether a guess has led to something."""
    if not (isinstance(node, GrownListNode) and isinstance(learnt, GrownListNode)):
        return False
    guessed = isinstance(node.element, UnknownElement) and not isinstance(learnt.element, UnknownElement)
    return guessed and node.bounded == learnt.bounded


def settled(node: StateNode, value: Any, learnt: StateNode) -> StateNode:
    """The node after a turn, which is no guess any more."""
    if is_guess(node, value) and isinstance(learnt, GrownListNode) and not isinstance(learnt.element, UnknownElement):
        return replace(learnt, element=replace(learnt.element, guess=None))
    return learnt


def without_guess(node: StateNode, value: Any) -> StateNode:
    """The node for the next attempt."""
    begins_again = is_guess(node, value) or (not isinstance(node, GrownListNode) and _holds_guess(node))
    return describe(value, carried=True) if begins_again else node


def _holds_guess(node: Any) -> bool:
    """Whether a list whose elements aren't known is in what a node describes, such as one that may be None."""
    if isinstance(node, GrownListNode):
        return isinstance(node.element, UnknownElement)
    parts: Any = (node.inner,) if isinstance(node, OptionalNode) else getattr(node, "items", ())
    return any(map(_holds_guess, parts))


def stand_ins(node: GrownListNode) -> list[Any]:
    """What goes into a loop instead of the empty list."""
    return [tf.raw_ops.OptionalNone(), *([tf.constant(0)] if node.bounded else [])]


def replace_stand_ins(leaves: Sequence[Any], entry: Sequence[Any], nodes: Sequence[StateNode], first: int) -> bool:
    """Give the loop that was built its empty lists; False if it isn't a kind of loop that can be changed."""
    waiting = {id(leaf): at for at, leaf in enumerate(entry) if _is_stand_in(leaf)}
    if not waiting:
        return True
    loop = loop_of(leaves[next(iter(waiting.values()))])
    if loop is None:
        return False
    nodes_by_place = _lists(nodes, first)
    for number, tensor in enumerate(loop.inputs):
        at = waiting.get(id(tensor))
        if at is not None:
            node = nodes_by_place[at]
            loop._update_input(number, filled_store([], node.element.leaves, node.bounded).handles[0])
    return True


def _is_stand_in(leaf: Any) -> bool:
    return isinstance(leaf, tf.Tensor) and leaf.op.type == "OptionalNone"


def _lists(nodes: Sequence[StateNode], first: int) -> dict[int, GrownListNode]:
    """The nodes of lists, by the place of their first leaf."""
    found: dict[int, GrownListNode] = {}
    at = first
    for node in nodes:
        if isinstance(node, GrownListNode):
            found[at] = node
        at += len(node.invariants())
    return found
