"""Lists of known bound among state values: given the room that they need, or let go of their bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from graphwright.runtime.lists.list_bounds import Trips, may_grow
from graphwright.runtime.lists.list_stores import BoundedStore
from graphwright.runtime.state.nodes import ContainerNode, CooperativeNode, GrownListNode, OptionalNode, StateNode


def without_bounds(node: StateNode) -> StateNode:
    """The node with lists that may grow without bound."""
    if isinstance(node, GrownListNode):
        return replace(node, bounded=False)
    if isinstance(node, (ContainerNode, CooperativeNode)):
        return replace(node, items=tuple(map(without_bounds, node.items)))
    return replace(node, inner=without_bounds(node.inner)) if isinstance(node, OptionalNode) else node


def lists_may_grow(
    nodes: Sequence[StateNode],
    entry: Iterator[Any],
    arguments: Iterator[Any],
    after: Iterator[Any],
    trips: Trips | None,
) -> bool:
    """Whether all lists of known bound in a loop's state can have one, by what goes in, is inside, and comes out."""
    sides = zip(_bounded(nodes, entry), _bounded(nodes, arguments), _bounded(nodes, after), strict=True)
    return all(may_grow(*handles, trips) for stores in sides for handles in zip(*stores, strict=True))


def _bounded(nodes: Sequence[StateNode], leaves: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    """The TensorFlow lists of each list of known bound."""
    for node in nodes:
        if isinstance(node, GrownListNode):
            store = node.build(leaves).store
            if isinstance(store, BoundedStore):
                yield store.handles
        elif isinstance(node, (ContainerNode, CooperativeNode)):
            yield from _bounded(node.items, leaves)
        elif isinstance(node, OptionalNode):
            next(leaves)
            yield from _bounded([node.inner], leaves)
        else:
            for _ in node.invariants():
                next(leaves)


def give_room(nodes: Sequence[StateNode], leaves: Iterator[Any]) -> bool:
    """Give all lists of known bound the room that they need; False if it isn't known how much that is."""
    rooms = [_give_room(node, leaves) for node in nodes]
    return all(rooms)


def _give_room(node: StateNode, leaves: Iterator[Any]) -> bool:
    if isinstance(node, GrownListNode):
        store = node.build(leaves).store
        return not isinstance(store, BoundedStore) or store.made_room(node.element.leaves)
    if isinstance(node, (ContainerNode, CooperativeNode)):
        return give_room(node.items, leaves)
    if isinstance(node, OptionalNode):
        next(leaves)
        return _give_room(node.inner, leaves)
    for _ in node.invariants():
        next(leaves)
    return True
