"""NumPy arrays that the graph changes in place under one of their names: the others wouldn't see it.

A tensor takes the place of such an array. What changes arrays without tensors is Python's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from graphwright.runtime.basis.array_tensors import ArrayMemory, memory_of
from graphwright.runtime.state.nodes import DenseNode, OptionalNode, StateNode
from graphwright.runtime.state.reachability import live_places


def refuse_with_names(array: Any) -> None:
    """Raise the error for an array, or a tensor in its place, that changes, if it is elsewhere than where it changes.

    The user's code may read it there later, or has another one with the same memory.
    """
    own = memory_of(array)
    if own is None:
        return

    def shares(one: Any) -> bool:
        other = memory_of(one)
        return other is not None and own.may_be(other)

    places, changes_name = live_places(shares)
    if own.is_kept or len(places) > (0 if changes_name else 1):
        names = sorted({f"`{name}`" for _, name in places if isinstance(name, str)})
        raise TypeError(_REFUSAL.format(names[0] if names else "a list or an object"))


def arrays_meet(before: Sequence[StateNode], after: Sequence[StateNode]) -> bool:
    """Whether arrays that a loop carries may be one in a later iteration, or one that has names, and weren't in it."""
    old, new = ([memory for node in nodes for memory in _memories(node)] for nodes in (before, after))
    pairs = zip(old, new, strict=False)
    for (was, now), (other_was, other_now) in itertools.combinations(pairs, 2):
        if now.may_be(other_now) and not was.may_be(other_was):
            return True
    further = [{**now.known(), **dict.fromkeys(was.known())} for was, now in zip(old, new, strict=False)]
    return any(_has_names(array) for known in further for array in known.values() if array is not None)


def _memories(node: Any) -> list[ArrayMemory]:
    """What the arrays in a value are made of."""
    if isinstance(node, DenseNode):
        return [] if node.memory is None else [node.memory]
    items = (node.inner,) if isinstance(node, OptionalNode) else getattr(node, "items", ())
    return [memory for item in items for memory in _memories(item)]


def _has_names(array: Any) -> bool:
    return bool(live_places(lambda one: one is array)[0])


_REFUSAL = (
    "the graph changes a NumPy array in place here, and {} has it as well, which wouldn't see that: copy it before "
    "(`.copy()`), return the array to its other name, or use a tensor"
)
