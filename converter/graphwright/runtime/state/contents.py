"""What is inside lists and dicts: read, put back, and copied so that what is one object stays one.

A branch or an iteration is traced on the user's own lists and dicts, so that every name and attribute that holds one
sees it change. What they come to hold is copied then, and what they held before is put back. Each copy is known by
its original, which is filled when the construct is built.
"""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Generator, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from graphwright.runtime.basis.attributes import chosen_from, has_member
from graphwright.runtime.basis.births import COLLECTIONS, SOMETHING, changes_inside, is_given, is_uncarried, tracing
from graphwright.runtime.basis.graph_notes import GraphNotes, is_known_in, outermost_graph
from graphwright.runtime.basis.grown_lists import Grown, current, forward, is_forwarded
from graphwright.runtime.basis.outcomes import ReturnOutcome, Turn
from graphwright.runtime.basis.plain_containers import DEQUE, DICTS, LISTS, PLAIN, empty_like, refill, update_dict
from graphwright.runtime.basis.separated_lists import filled
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists import subscripts
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.moving_lists import MovingList
from graphwright.runtime.state.containers import is_container, is_dense, is_module_dict, is_tracked, parts, remake, same
from graphwright.runtime.state.undefined import Maybe, held, with_value

Insides = list[tuple[Any, Any]]
"""Lists and dicts with what is in them."""


class Original:
    """The list or dict that a value is, or is a copy of; `given` says that the construct surely hasn't made it."""

    __slots__ = ("container", "given")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, container: Any, given: bool = True) -> None:
        self.container: Any = container
        self.given = given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Original) and self.container is other.container

    def move_to(self, grown: MovingList) -> None:
        """The list has been made longer by the graph, which gives it as another object."""
        if not isinstance(current(self.container), GraphList):
            changes_inside(self.container, SOMETHING)
        let_grow(self.container, grown)

    def changes(self) -> None:
        """Tell what is traced around that the list changes, if a graph has made it that is known here."""
        now = current(self.container)
        if isinstance(now, GraphList) and is_known_in(tf.compat.v1.get_default_graph(), now.last().graph):
            now.last().changes()

    def filled(self, values: dict[Any, Any]) -> Any:
        """The list or dict itself, with these things in it."""
        inside: Any = values if isinstance(self.container, _DICT) else list(values.values())
        if not is_same_content(self.container, inside):
            changes_inside(self.container, SOMETHING)
            write_back(self.container, inside)
            filled(self.container)
        return self.container


def _is_choice(value: Any) -> bool:
    """Whether the graph chooses which object, list or dict it is: what is in those is theirs."""
    kind = cast("Any", type(value))
    return has_member(kind, "graphwright_options") or has_member(kind, "graphwright_whole")


def let_grow(container: Any, grown: MovingList) -> None:
    """Let a list of the graph take a list's place."""
    now = current(container)
    if isinstance(now, GraphList):
        remember(grown, first_of(now))
        now.move_to(grown)
    else:
        forward(container, grown)
        filled(container)
        remember(grown, Original(container))


subscripts.let_grow = let_grow


def as_it_is(value: Any) -> Any:
    """The list that a list is now; a dict as it is."""
    now = current(value)
    return now.last() if isinstance(now, GraphList) else now


def is_plain(value: Any) -> bool:
    """Whether it is a list, deque or dict and nothing more."""
    return type(value) in PLAIN


def write_back(container: Any, values: Any) -> None:
    """Let a list or dict hold what another holds."""
    if is_tracked(container.__class__):
        container._storage[:] = values  # It compares what is put into it by `==`.
        container._update_snapshot()
    elif isinstance(container, (list, DEQUE)):
        refill(container, values)
    elif list(container) == list(values):
        update_dict(container, values)
    else:
        container.clear()
        update_dict(container, values)


def content(value: Any) -> Any:
    """What is in a list or dict, to be put back."""
    if isinstance(value, GraphList):
        return value.state
    if type(value) in LISTS or is_tracked(cast("Any", type(value))):
        return list(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return dict(value) if type(value) in DICTS else None  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def insides(values: Iterable[Any]) -> Insides:
    """All lists and dicts among these values and in them, each once."""
    return [(one, content(one)) for one in _inside(values) if is_plain(one) or isinstance(one, _GRAPH_LIST)]


def collections_in(values: Iterable[Any]) -> list[Any]:
    """All sets and the like among these values and in them, each once."""
    return [one for one in _inside(values) if is_uncarried(one) or is_tracked(cast("Any", type(one)))]


def _inside(values: Iterable[Any]) -> list[Any]:
    """These values and what is in their containers, each once."""
    seen: dict[int, Any] = {}
    pending: list[Any] = list(values)
    while pending:
        value: Any = pending.pop()
        if _is_choice(value):
            continue
        if isinstance(value, _GROWN):
            value = value.list
        if isinstance(value, _GRAPH_LIST):
            value = value.last()
            seen[id(value)] = value
        elif id(value) not in seen and isinstance(value, _SEARCHED):
            seen[id(value)] = value
            if isinstance(value, _WRAPPERS):
                attributes: dict[str, Any] = value.__dict__
                pending += attributes.values()
            elif isinstance(value, _CONTAINERS):
                # `+=` would ask the tuples of a module how to add them.
                pending.extend(value.values() if isinstance(value, _DICT) else value)
        elif id(value) not in seen and not is_dense(value) and is_container(value):
            # An object's own list of the graph becomes the one that stands for it in a branch or iteration.
            pending += [part for _, part in parts(value) if isinstance(part, _GRAPH_LIST)]
    return list(seen.values())


def put_entered(place: Any, value: Any) -> dict[int, Any]:
    """Put a value where a branch or iteration reads it; gives the dicts that a `tf.Module` makes for that."""
    place.put(entered(value))
    return {id(one): one for one in _inside([place.get()]) if is_module_dict(one)}


def put_back(inside: Insides) -> None:
    """Let lists and dicts hold what they held."""
    for container, before in inside:
        if isinstance(container, GraphList):
            container.state = before
        else:
            write_back(container, before)


def is_same_content(now: Any, before: Any) -> bool:
    """Whether two lists or dicts hold the same things."""
    if isinstance(now, GraphList):
        return all(one is two for one, two in zip(now.state, before, strict=True))
    if len(now) != len(before):
        return False
    if isinstance(now, _DICT):
        return list(now) == list(before) and all(is_same(now[key], before[key]) for key in now)
    return all(map(is_same, now, before))


def is_same(one: Any, two: Any) -> bool:
    """Whether two things are one: the same object, equal Python values, or tuples of such things."""
    if isinstance(one, _TUPLE) and type(one) is type(two):
        return len(one) == len(two) and all(map(is_same, one, two))
    return one is two or (not is_dense(one) and not is_dense(two) and same(one, two))


_originals: ContextVar[dict[int, tuple[Any, Original]] | None] = ContextVar("graphwright_originals", default=None)
_referred = GraphNotes()
"""The lists and dicts between which constructs of a traced function choose."""


@contextlib.contextmanager
def knowing_originals() -> Generator[None, None, None]:
    """Copies that are made here are known by their originals."""
    if _originals.get() is not None:
        yield
        return
    token = _originals.set({})
    try:
        yield
    finally:
        _originals.reset(token)


def note_referred(container: Any) -> None:
    """A construct refers to a list or dict, which was there before it."""
    _referred.setdefault(outermost_graph(), {})[id(container)] = container


def is_referred(container: Any) -> bool:
    """Whether a construct of the traced function has referred to a list or dict."""
    return id(container) in _referred.get(outermost_graph(), {})


def remember(copy: Any, original: Original | None) -> None:
    """An object stands for one that was there before."""
    known = _originals.get()
    if known is not None and original is not None:
        known[id(copy)] = copy, original


def first_of(grown: MovingList) -> Original:
    """The list whose place a list of the graph has taken, through all constructs; itself if there is none."""
    original = Original(grown.last())
    while (earlier := original_of(original.container)) is not None and earlier != original:
        original = earlier
    return original


def the_same_before(value: Any) -> Any:
    """What a list or dict was before it was copied; anything else as it is."""
    value = current(value)
    original = first_of(value) if isinstance(value, GraphList) else original_of(value)
    return value if original is None else original.container


def original_of(value: Any) -> Original | None:
    """What a list or dict is a copy of."""
    known = (_originals.get() or {}).get(id(value))
    return None if known is None else known[1]


@dataclass
class Copies:
    """Copies of values in which each list or dict has one copy, known by its original."""

    made: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, tuple[Any, Any]])
    referred: set[int] = field(default_factory=set[int])
    """The ids of what those may be of which the graph chooses one."""

    def has(self, container: Any) -> bool:
        """Whether a list or dict was among what was copied."""
        return id(container) in self.made

    def of(self, value: Any) -> Any:
        """The copy of a value; the value itself where it holds no list or dict."""
        if isinstance(value, (tf.Tensor, tf.Variable)):
            return value
        if _is_choice(value):
            self.referred.update(map(id, chosen_from(value)))
            return value.graphwright_copied(self.of)
        if isinstance(value, Maybe):
            return with_value(value, self.of(held(value).value))
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, GraphList):
            copy = value.copy()
            self.made[id(value)] = value, copy
            remember(copy, first_of(value))
            return copy
        if is_forwarded(value):
            copy = self.of(as_it_is(value))
            self.made[id(value)] = value, copy
            return copy
        if is_plain(value):
            return self._of_plain(value)
        if is_tracked(cast("Any", type(value))):
            self.made[id(value)] = value, [self.of(item) for item in value]
            return self.made[id(value)][1]
        if isinstance(value, (list, tuple, dict, ReturnOutcome, Turn)):
            return self._of_parts(cast("Any", value))
        here = tracing.get()
        if here is not None and id(value) in here.born and is_container(value):
            return self._of_parts(value)
        return value

    def _of_plain(self, value: Any) -> Any:
        copy: Any = empty_like(value)
        self.made[id(value)] = value, copy
        if isinstance(value, _DICT):
            update_dict(copy, ((key, self.of(item)) for key, item in parts(value)))
        else:
            copy.extend(self.of(item) for _, item in parts(value))
        known = _originals.get()
        if known is not None:
            known[id(copy)] = copy, original_of(value) or Original(value, is_given(value))
        return copy

    def _of_parts(self, value: Any) -> Any:
        self.made[id(value)] = value, value
        pieces = parts(value)
        copies = {key: self.of(item) for key, item in pieces}
        if any(copies[key] is not item for key, item in pieces):
            self.made[id(value)] = value, remake(value, copies)
        return self.made[id(value)][1]


def entered(value: Any) -> Any:
    """A value as a branch or iteration has it: containers other than lists and dicts are made again."""
    if not _is_choice(value):
        value = current(value)
    if isinstance(value, (tf.Tensor, tf.Variable)) or is_plain(value):
        return value
    if has_member(cast("Any", type(value)), "graphwright_flatten"):
        values, rebuild = value.graphwright_flatten()
        made: Any = rebuild(values)
        if _is_choice(value) and hasattr(value, "graphwright_sides"):
            made.graphwright_sides = value.graphwright_sides
        if isinstance(value, GraphList) and not _is_choice(value):
            remember(made, first_of(value))
            value.move_to(made)
        return made
    if not (isinstance(value, (list, dict, tuple)) and (value or is_module_dict(value))):
        return cast("Any", value)
    pieces = parts(cast("Any", value))
    made = {key: entered(item) for key, item in pieces}
    if isinstance(value, tuple) and all(made[key] is item for key, item in pieces):
        return cast("Any", value)
    return remake(value, made)


def enter(inside: Insides) -> None:
    """Let lists and dicts hold what a branch or iteration has there."""
    for container, before in inside:
        if isinstance(container, GraphList):
            continue
        made = {key: entered(item) for key, item in parts(before)}
        if any(made[key] is not item for key, item in parts(before)):
            write_back(container, made if isinstance(before, _DICT) else list(made.values()))


# Untyped, so that what was checked against them is still anything.
_DICT: Any = dict
_TUPLE: Any = tuple
_CONTAINERS: Any = (list, DEQUE, dict, tuple)
_WRAPPERS: Any = (collections.UserDict, collections.ChainMap)
_SEARCHED: Any = (*_CONTAINERS, *COLLECTIONS, *_WRAPPERS)
_GROWN: Any = Grown
_GRAPH_LIST: Any = GraphList
