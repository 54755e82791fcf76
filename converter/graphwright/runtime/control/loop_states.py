"""The state of a loop or branch as the tensors that it carries, and as the values that a turn is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.control.changing_sizes import refuse_gradients_of_changing_sizes
from graphwright.runtime.control.unused_ranges import drop_unused_ranges
from graphwright.runtime.lists.dynamic_sizes import count_from_true_end
from graphwright.runtime.lists.list_stores import kept_outside
from graphwright.runtime.state.choices import is_choice
from graphwright.runtime.state.nodes import StateNode, leaving, let_others_see, originals


def state_of(leaves: Iterable[Any], nodes: Iterable[StateNode], stops: bool) -> tuple[Any, tuple[Any, ...]]:
    """Whether the loop was left, and its state."""
    iterator = iter(leaves)
    left = next(iterator) if stops else False
    values = tuple(node.build(iterator) for node in nodes)
    for node, value in zip(nodes, values, strict=True):
        let_others_see(node, value)
    return left, values


def carried_by(state: Sequence[Any], nodes: Sequence[StateNode]) -> set[int]:
    """The lists and dicts of which the state says what they hold, by their ids."""
    found = {id(original.container) for node in nodes for original in originals(node)}
    for node, value in zip(nodes, state, strict=True):
        if not is_choice(node):
            found |= {id(value), id(current(value))}
    return found


def leaves_after(nodes: Sequence[StateNode], values: Sequence[Any]) -> list[Any]:
    """The tensors of what an iteration or branch gives, at its end."""
    with kept_outside(), leaving(values):
        leaves = [leaf for node, value in zip(nodes, values, strict=True) for leaf in node.leaves(value)]
    drop_unused_ranges(leaves)
    count_from_true_end()
    refuse_gradients_of_changing_sizes()
    return leaves
