"""Lists and dicts in whose place an iteration puts new ones: taken for new from the start, so that one trace is enough.

A loop is traced on those from before it as long as an iteration may leave them. Where its text gives a name another
list or dict, and nothing else has the one from before, each iteration is given one of its own. Whether that was right
is said here; what to do otherwise, by the loop.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast
from weakref import WeakKeyDictionary

from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.outcomes import code_of_turn
from graphwright.runtime.basis.separated_lists import separation_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.contents import insides
from graphwright.runtime.state.held_twice import held_in, held_twice
from graphwright.runtime.state.nodes import CompositeNode, ConstantNode, ContainerNode, DenseNode, StateNode, originals
from graphwright.runtime.state.reachability import is_part, reached_otherwise, reaches


class KeptError(Exception):
    """Lists or dicts that were taken for new in each iteration aren't; `places` says where in the state."""

    def __init__(self, places: frozenset[int]) -> None:
        super().__init__("the loop is traced again")
        self.places = places


def replaced_places(
    turn: Callable[..., Any],
    nodes: Sequence[StateNode],
    state: Sequence[Any],
    name: Callable[[int], str],
    places: Sequence[Any],
) -> frozenset[int]:
    """Where in a loop's state there are lists or dicts that its text replaces and that nothing else has."""
    code = code_of_turn(turn)
    first = len(nodes) - len(places)
    likely = [
        index
        for index, node in enumerate(nodes[:first])
        if originals(node) and _is_plain(node) and code is not None and name(index) in _names_given_new(code)
    ]
    if not likely:
        return frozenset()
    elsewhere = reached_otherwise(map(name, range(len(nodes))), places) | held_twice([state], places)

    def has_alone(index: int) -> bool:
        others = [*state[:index], *state[index + 1 :]]
        old = [original.container for original in originals(nodes[index])]
        return not any(id(one) in elsewhere or separation_of(one) or reaches(others, one) for one in old)

    return frozenset(filter(has_alone, likely))


def as_new(nodes: Sequence[StateNode], places: frozenset[int]) -> tuple[StateNode, ...]:
    """The nodes of a state of which the lists and dicts at some places are new ones in each iteration."""
    return tuple(_as_new(node) if index in places else node for index, node in enumerate(nodes))


def check_replaced(given: Sequence[Any], places: frozenset[int], left: Sequence[Any], changed: set[int]) -> None:
    """Raise if an iteration leaves one of those that it was given at these places, or has changed one in place."""
    there = (changed | held_in(left)) if places else set[int]()
    kept = [index for index in places if any(id(one) in there for one, _ in insides([given[index]]))]
    if kept:
        raise KeptError(frozenset(kept))


def note_kept(turn: Callable[..., Any], names: Iterable[str]) -> None:
    """Don't guess again that an iteration of this loop replaces what is under these names."""
    code = code_of_turn(turn)
    if code is not None:
        _known[code] = _names_given_new(code).difference(names)


def _as_new(node: StateNode) -> StateNode:
    if not isinstance(node, ContainerNode):
        return node
    return replace(node, original=None, items=tuple(map(_as_new, node.items)))


def _is_plain(node: StateNode) -> bool:
    """Whether it is of lists, dicts and tuples of tensors, and nothing else."""
    if isinstance(node, ContainerNode):
        return issubclass(node.kind, (list, dict, tuple)) and all(map(_is_plain, node.items))
    if isinstance(node, ConstantNode):
        return type(node.value) in SIMPLE or isinstance(node.value, (tf.Tensor, tf.Variable))
    return isinstance(node, (DenseNode, CompositeNode))


def _names_given_new(code: types.CodeType) -> frozenset[str]:
    """The names that an iteration probably gives what was made in it, by its code: wrong guesses cost time alone."""
    known = _known.get(code)
    if known is None:
        known = _known[code] = frozenset(_given_new(code))
    return known


_known: WeakKeyDictionary[types.CodeType, frozenset[str]] = WeakKeyDictionary()


def _given_new(code: types.CodeType) -> Iterator[str]:
    makes, keeps, stores, before = False, False, False, ""
    for one in dis.get_instructions(code):
        said: Any = one.argval
        is_store = one.opname.startswith("STORE_FAST") or one.opname == "STORE_DEREF"
        if stores and not is_store:
            makes = keeps = False
        stores = is_store
        if one.opname.startswith(("POP_", "JUMP_")):
            makes = keeps = False
        if is_store and makes and not keeps:
            yield from cast("tuple[str, ...]", said) if isinstance(said, tuple) else (said,)
        is_one = before != "BUILD_TUPLE" or code.co_argcount == 1
        if one.opname == "RETURN_VALUE" and makes and not keeps and is_one:
            yield from code.co_varnames[code.co_argcount - 1 : code.co_argcount]  # It has no other state.
        makes = makes or one.opname.startswith(("BUILD_", "CALL"))
        before = one.opname
        keeps = keeps or said in _KEEPING or one.opname.startswith("INPLACE_") or one.argrepr in _IN_PLACE
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and is_part(constant, code):
            yield from _given_new(constant)


_KEEPING = frozenset(
    {"if_", "for_", "while_", "rest_of_for", "rest_of_while", "or_else", "set_item", "update_item", "update_inside"}
)
"""The operators that give the state back."""
_IN_PLACE = frozenset({"+=", "*=", "|="})
