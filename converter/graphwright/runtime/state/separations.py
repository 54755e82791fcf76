"""Of which lists, dicts and objects a branch or loop makes two, where the program has one under two names.

What is merged by contents loses whose list it was. That is no harm as long as nobody changes it in place or asks what
it is, so it is only noted here, in the nodes; `separated_lists` refuses the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

from graphwright.runtime.basis import separated_lists
from graphwright.runtime.basis.attributes import has_member, is_users
from graphwright.runtime.basis.births import SOMETHING
from graphwright.runtime.basis.outcomes import Never, ReturnOutcome, Turn
from graphwright.runtime.basis.separated_lists import Separation, separation_of
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.choices import Choice
from graphwright.runtime.state.containers import parts
from graphwright.runtime.state.contents import is_plain, the_same_before
from graphwright.runtime.state.nodes import (
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    GrownListNode,
    OptionalNode,
    StateNode,
)
from graphwright.runtime.state.places import Contents
from graphwright.runtime.state.reachability import is_reachable, reached_otherwise
from graphwright.runtime.state.undefined import Maybe, Undefined, held

Path = tuple[Any, ...]
_ABSENT = Never()


_OURS = ("result", "the returned value", SOMETHING)
"""What the user has given no name: what a function returns in a branch or loop, and what is found in something."""


def _users(name: str) -> str:
    """A name that the user has given; empty for any other."""
    return "" if name in _OURS else name


def with_separations(
    nodes: Sequence[StateNode],
    sides: Sequence[Sequence[Any]],
    names: Sequence[str],
    places: Sequence[Any],
    carried: Iterable[Any] = (),
    inside: Mapping[int, Separation] = MappingProxyType({}),
) -> list[StateNode]:
    """The nodes of merged values, in which is noted which lists, dicts and objects are two where a side has one.

    The last values of each side are those at the places; what is at those `carried` is among the values under names.
    What is `inside` was noted while the sides were traced.
    """
    first = len(nodes) - len(places)
    is_turn = first > 0 and isinstance(nodes[0], ContainerNode) and issubclass(nodes[0].kind, Turn)
    named: Path = (0, 1) if is_turn else (0,) if first == 1 and len(names) > 1 else ()
    search = _HeldLists(names, (*places, *carried), named, inside)
    for index, node in enumerate(nodes):
        values = [side[index] for side in sides]
        place = places[index - first] if index >= first else None
        if isinstance(place, Contents):
            search.walk_inside(node, values, (index,), _users(place.text))
        elif place is not None:
            search.walk(node, values, (index,), _users(place.text))
        else:
            search.walk(node, values, (index,), search.name(index))
    found, choices = search.separations(), search.choices()
    if not found and not choices:
        return list(nodes)
    return [_noted(node, (index,), found, choices) for index, node in enumerate(nodes)]


@dataclass(frozen=True)
class _Held:
    """A list, dict or object of a side, where it is held, and which one is there after the merge."""

    value: Any
    path: Path
    text: str
    merged: Any
    """The same one, or None for one of its own."""
    choice: Any = None
    """The value, if it only may be this one."""

    def may_be(self, other: _Held) -> bool:
        """Whether both may be the same in one run."""
        if self.path == other.path:
            return False
        mine, others = (getattr(each.choice, "graphwright_sides", None) for each in (self, other))
        return _may_meet(mine, others, id(self.value))


@dataclass(frozen=True, eq=False)
class Sides:
    """Which lists, dicts and objects a value may be on each side of the construct that has chosen it, by their ids."""

    construct: Any
    of_each: tuple[tuple[frozenset[int], Sides | None], ...]
    """With what is known of a value that a construct before has chosen."""

    def has(self, key: int) -> bool:
        """Whether one is among them; one that the construct has made itself isn't."""
        return any(key in known for known, _ in self.of_each)


def _may_meet(one: Sides | None, two: Sides | None, key: int) -> bool:
    """Whether two values may be the same list, dict or object in one run."""
    if one is None or two is None or one.construct is not two.construct or not (one.has(key) and two.has(key)):
        return True
    sides = zip(one.of_each, two.of_each, strict=True)
    return any(
        key in mine and key in others and _may_meet(before, other_before, key)
        for (mine, before), (others, other_before) in sides
    )


@dataclass
class _HeldLists:
    """The lists, dicts and objects of each side."""

    names: Sequence[str]
    places: Sequence[Any]
    named: Path
    """Which tuple holds what is under the names: the first value, or the state of the iteration that it is."""
    inside: Mapping[int, Separation]
    """What was noted while the sides were traced, by id."""
    sides: dict[int, dict[int, list[_Held]]] = field(default_factory=dict[int, "dict[int, list[_Held]]"])

    def name(self, index: int) -> str:
        """How the user writes a value by its place; empty if there is no name for it."""
        return _users(self.names[index]) if index < len(self.names) else ""

    def walk(self, node: StateNode, values: Sequence[Any], path: Path, text: str) -> None:
        """Note the lists, dicts and objects of a node."""
        values = [_present(value) for value in values]
        if isinstance(node, OptionalNode):
            self.walk(node.inner, values, path, text)
        elif isinstance(node, ContainerNode) and issubclass(node.kind, (tuple, Turn, ReturnOutcome)):
            self._walk_parts(node, values, path, text)
        else:
            self.hold(node, values, path, text)

    def hold(self, node: StateNode, values: Sequence[Any], path: Path, text: str) -> None:
        """Note a list, dict or object, and those in it."""
        for side, value in enumerate(values):
            for option in _options(value):
                merged = option if _keeps(node, option) else None
                found = self.sides.setdefault(side, {}).setdefault(id(option), [])
                found.append(_Held(option, path, text, merged, value if isinstance(value, Choice) else None))
        self.walk_inside(node, values, path, text)

    def walk_inside(self, node: StateNode, values: Sequence[Any], path: Path, text: str) -> None:
        """Note the lists, dicts and objects in one."""
        if isinstance(node, ContainerNode):
            self._walk_parts(node, values, path, text)
        elif isinstance(node, CooperativeNode) and has_member(node.kind, "graphwright_new"):
            self.walk_inside(node.items[1], values, (*path, 1), text)

    def _walk_parts(self, node: ContainerNode, values: Sequence[Any], path: Path, text: str) -> None:
        inside = [{} if value is _ABSENT or isinstance(value, Choice) else dict(parts(value)) for value in values]
        for position, (key, item) in enumerate(zip(node.keys, node.items, strict=True)):
            name = self._name(node, path, text, position, key)
            self.walk(item, [known.get(key, _ABSENT) for known in inside], (*path, position), name)

    def _name(self, node: ContainerNode, path: Path, text: str, position: int, key: Any) -> str:
        if issubclass(node.kind, (Turn, ReturnOutcome)):
            return text
        if path == self.named:
            return self.name(position) if len(node.items) == len(self.names) else ""
        if not text:
            return ""
        return f"{text}[{key!r}]" if issubclass(node.kind, (tuple, list, dict)) else f"{text}.{key}"

    def separations(self) -> dict[Path, Separation]:
        """What is to be noted at which path."""
        found: dict[Path, Separation] = {}
        inherited: dict[Path, Separation] = {}
        elsewhere: set[int] | None = None
        for several in (each for side in self.sides.values() for each in side.values()):
            for one in several:
                if one.merged is not None:
                    continue
                known = separation_of(one.value)
                if known is not None:
                    inherited.setdefault(one.path, replace(known, before=(), keys=frozenset()))
                elif id(one.value) in self.inside:
                    inherited.setdefault(one.path, replace(self.inside[id(one.value)], keys=frozenset()))
                others = [other for other in several if one.may_be(other)]
                if elsewhere is None:
                    elsewhere = reached_otherwise(self.names, self.places)
                is_elsewhere = id(one.value) in elsewhere
                if others or is_elsewhere:
                    is_kept = is_elsewhere or any(other.merged is not None for other in others)
                    known = found.get(one.path) or Separation(one.text, "", self, one.path)
                    found[one.path] = _separation(known, one, others, is_kept)
        return inherited | found

    def choices(self) -> dict[Path, Any]:
        """By path, what each side may have there."""
        found: dict[Path, dict[int, tuple[frozenset[int], Sides | None]]] = {}
        for side, groups in self.sides.items():
            for one in (one for several in groups.values() for one in several):
                known = found.setdefault(one.path, {})
                keys = known[side][0] if side in known else frozenset[int]()
                known[side] = keys | {id(one.value)}, getattr(one.choice, "graphwright_sides", None)
        sides = range(max(self.sides, default=-1) + 1)
        none = frozenset[int](), None
        return {path: tuple(each.get(side, none) for side in sides) for path, each in found.items()}


def _separation(known: Separation, one: _Held, others: list[_Held], is_kept: bool) -> Separation:
    before = tuple({id(each): each for each in (*known.before, *([one.value] if is_kept else []))}.values())
    paths = known.others | {other.path for other in others}
    other = known.other or (others[0].text if others else "")
    return replace(known, other=other, others=paths, before=before, keys=frozenset(map(id, before)))


def _noted(node: StateNode, path: Path, found: dict[Path, Separation], choices: dict[Path, Any]) -> StateNode:
    """The node with what is to be noted in it."""
    if isinstance(node, OptionalNode):
        return replace(node, inner=_noted(node.inner, path, found, choices))
    if isinstance(node, (ContainerNode, CooperativeNode)):
        items = tuple(_noted(item, (*path, position), found, choices) for position, item in enumerate(node.items))
        node = replace(node, items=items)
    if isinstance(node, CooperativeNode) and issubclass(node.kind, Choice) and path in choices:
        node = replace(node, sides=Sides(choices, choices[path]))
    if path in found and isinstance(node, (ContainerNode, CooperativeNode, GrownListNode)):
        return replace(node, separation=found[path])
    return node


def _present(value: Any) -> Any:
    """The value, or nothing where it is missing."""
    if isinstance(value, Maybe):
        value = held(value).value
    return _ABSENT if value is None or isinstance(value, (Undefined, Never)) else value


def _options(value: Any) -> tuple[Any, ...]:
    """The lists, dicts and objects that a value may be."""
    if isinstance(value, Choice):
        return type(value).graphwright_options
    if is_plain(value) or isinstance(value, GraphList):
        return (the_same_before(value),)
    return (value,) if is_users(value) else ()


def _keeps(node: StateNode, option: Any) -> bool:
    """Whether a list, dict or object of a side is the same after the merge."""
    if isinstance(node, ConstantNode):
        return node.value is option
    if isinstance(node, CooperativeNode) and issubclass(node.kind, Choice):
        return any(option is one for one in node.kind.graphwright_options)
    original = cast("Any", node).original if isinstance(node, (ContainerNode, GrownListNode)) else None
    return original is not None and original.container is option


separated_lists.is_reachable = is_reachable
