"""Objects, lists and dicts of which the graph chooses one: which of them it is, is known when it runs."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast
from weakref import WeakValueDictionary

from graphwright.closures import closure_of
from graphwright.runtime.basis.attributes import has_member, is_record
from graphwright.runtime.basis.births import is_given
from graphwright.runtime.basis.context import is_tensor, promote
from graphwright.runtime.basis.graph_notes import is_known_in
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import DEQUE, is_never_chosen
from graphwright.runtime.basis.separated_lists import refuse_comparing
from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.lists import subscripts
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.callables import FUNCTIONS, is_callable, key_of
from graphwright.runtime.state.containers import parts
from graphwright.runtime.state.contents import is_referred, note_referred, the_same_before
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.held_values import held_by
from graphwright.runtime.state.joining import Join, MismatchError, is_same_kind, join, taken_apart
from graphwright.runtime.state.nodes import (
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    DenseNode,
    GrownListNode,
    StateNode,
)
from graphwright.runtime.state.places import Contents
from graphwright.runtime.state.undefined import Maybe, held


class Choice:
    """What stands for one of a few objects, lists or dicts; those have a class of their own, derived from this one."""

    graphwright_options: ClassVar[tuple[Any, ...]] = ()
    graphwright_place: Any
    """Which of the options it is, counted from 0."""
    graphwright_sides: Any = None
    """The construct that has chosen, and the ids of the options that each side of it has."""

    def graphwright_look(self) -> None:
        """Hold what is in the one that is chosen, for who doesn't ask for it by a method."""

    def graphwright_copied(self, copy_of: Callable[[Any], Any]) -> Any:
        """The same choice, holding what is in it now: the options may be put back to what they held."""
        return self

    def graphwright_taken_apart(self) -> StateNode:
        """The node of what it holds, for a graph that can't choose it by its place."""
        raise NotImplementedError

    def graphwright_contents(self) -> Any:
        """What is in the list or dict that is chosen."""
        raise NotImplementedError

    def graphwright_is(self, other: Any) -> Any:
        return is_same_object(self, other)

    def graphwright_flatten(self) -> Any:
        def rebuild(places: list[Any]) -> Choice:
            return made(type(self), places[0])

        return [self.graphwright_place], rebuild

    def graphwright_adopt(self, value: Any) -> Any:
        place = place_among(type(self).graphwright_options, the_same_before(value))
        return None if place is None else made(type(self), place)


@dataclass(frozen=True)
class Kind:
    """A kind of values that can be chosen, and the class of what is chosen of some.

    The values have to be of one family, which is None for all that isn't of the kind.
    """

    family: Callable[[Any], Any]
    derived: Callable[[Sequence[Any]], type[Choice]]


kinds: list[Kind] = []
"""What can be chosen; the runtime puts them here."""


def chosen(values: Sequence[Any], place: Any) -> Any:
    """One of these values by its place; None if they aren't of a kind that can be chosen."""
    if not values or not options_of(values[0]):
        return None
    sides = [options_of(value) for value in values]
    options = _distinct(one for side in sides for one in side)
    if not all(sides) or kind_of_all(options) is None:
        return None
    place = tf.cast(place, tf.int32)
    places = [place_among(options, value) for value in values]
    in_order = len(values) == len(options) and all(one is two for one, two in zip(values, options, strict=True))
    return made(chosen_class(options), place if in_order else tf.gather(places, place))


def kind_of_all(options: Sequence[Any]) -> Kind | None:
    """The kind that all of these values are of, if there is one."""
    for kind in kinds:
        families = list(map(kind.family, options))
        if families and families[0] is not None and all(family == families[0] for family in families):
            return kind
    return None


def chosen_class(options: Sequence[Any]) -> type[Choice]:
    """The class of what is one of these."""
    key = tuple(map(id, options))
    known = _classes.get(key)
    if known is not None:
        return known
    kind = kind_of_all(options)
    assert kind is not None, "somebody asked before"
    return _classes.setdefault(key, kind.derived(tuple(options)))


_classes: WeakValueDictionary[tuple[int, ...], type[Choice]] = WeakValueDictionary()
"""By the options, which a class keeps alive."""


def made(kind: type[Choice], place: Any, looks: bool = True) -> Any:
    """The option at a place."""
    base = getattr(kind, "graphwright_base", object)
    value = base.__new__(kind)
    value.graphwright_place = place
    if looks and is_tensor(place):
        value.graphwright_look()
    return value


def options_of(value: Any) -> tuple[Any, ...]:
    """The values of which one is a value; empty for what the graph can't choose by its place."""
    if isinstance(value, Choice):
        return type(value).graphwright_options
    return (value,) if kind_of_all([value]) is not None else ()


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """The first of each that are one."""
    found: dict[Any, Any] = {}
    for value in values:
        found.setdefault(key_of(value), value)
    return tuple(found.values())


def place_among(options: Sequence[Any], value: Any) -> Any:
    """Which of the options a value is; None if it isn't surely one of them."""
    places = {key_of(option): place for place, option in enumerate(options)}
    found = [places.get(key_of(one)) for one in options_of(value)]
    if not found or None in found:
        return None
    return tf.gather(tf.constant(found), value.graphwright_place) if isinstance(value, Choice) else found[0]


def is_same_object(left: Any, right: Any) -> Any:
    """`left is right`, a tensor where the graph chooses one of them."""
    refuse_comparing(left, right)
    if not isinstance(left, Choice):
        left, right = right, left
    if not isinstance(left, Choice):
        return left is right
    options = _distinct((*options_of(left), *options_of(right)))
    places = [place_among(options, value) for value in (left, right)]
    return False if None in places else tf.equal(*places)


def select(place: Any, values: Sequence[Any], name: str) -> Any:
    """The value at a place: the same, one that is chosen, or what the graph makes of all."""
    if all(value is values[0] for value in values[1:]):
        return values[0]
    found = chosen(values, place)
    return merged(place, values, name) if found is None else found


def merged(place: Any, values: Sequence[Any], name: str) -> Any:
    """What the graph makes of values, of which the one at a place counts."""
    rules = Join(promote.get(), identity=True, objects=ObjectsOf(tf.compat.v1.get_default_graph()))
    try:
        node = functools.reduce(lambda one, two: join(one, two, name, rules), map(describe, values))
    except MismatchError as mismatch:
        raise TypeError(
            f"the graph chooses one of a few values for `{mismatch.path}`, and they are of different kinds: use a "
            "tensor in all of them"
        ) from None
    branches: list[Callable[[], list[Any]]] = [functools.partial(node.leaves, value) for value in values]
    leaves: Any = tf.switch_case(tf.convert_to_tensor(place), branches) if node.invariants() else []
    flat = cast("list[Any]", leaves) if isinstance(leaves, (list, tuple)) else [leaves]
    return node.build(iter(flat))


@dataclass(frozen=True)
class ObjectsOf:
    """Refers to the objects that a graph knows; those that are made in what it runs are made each time it does."""

    graph: Any
    made: Container[int] = ()
    given: Container[int] | None = None
    """The lists and dicts that what it runs was given; None if lists and dicts are made again."""
    functions: tuple[Any, ...] = ()
    """What it runs; the lists and dicts that they read from around them are there before."""
    referred: list[Any] = field(default_factory=list[Any])
    """The lists and dicts that were referred to."""
    of_branch: bool = False
    """Whether what a construct inside has referred to may be referred to: a branch runs once."""
    renews: bool = True
    """Whether a list or dict may be an old one or a new one; else they are merged."""
    called: Sequence[str] = ()
    """What the user calls all results; the paths of some begin with `the result`."""
    twice: Container[int] = ()
    """The lists and dicts that the results hold under more than one path."""
    carried: Container[Any] = ()
    """The keys of the attributes that a loop carries, which hold what an iteration has left."""

    def at(self, place: Any) -> ObjectsOf:
        """The same for what is at a place: all that is in a list or dict is one thing, whoever made it."""
        return replace(self, renews=False) if isinstance(place, Contents) else self

    def _named(self, path: str) -> str:
        """A path as the user writes it."""
        for place, name in enumerate(self.called):
            begin = f"the result[{place}]" if len(self.called) > 1 else "the result"
            if path.startswith(begin):
                return name + path[len(begin) :]
        return path

    def alone(self, node: StateNode, path: str, rules: Join) -> StateNode:
        value = _value_of(node)
        options: tuple[Any, ...] = options_of(value) or ((value,) if is_record(value) else ())
        if not all(map(self._knows, options)):
            found = self.together(node, node, path, replace(rules, identity=False)) if is_choice(node) else ()
            return found[0] if found else taken_apart(node)
        self._refer_to(options)
        is_itself = isinstance(node, (ContainerNode, GrownListNode)) and len(options) == 1
        return ConstantNode(options[0]) if is_itself else node

    def together(self, left: StateNode, right: StateNode, path: str, rules: Join) -> Sequence[StateNode]:
        sides = [options_of(_value_of(node)) for node in (left, right)]
        options = _distinct(one for side in sides for one in side)
        if is_same_kind(left, right) and all(map(self._may_go_out, options)):
            return left, right
        known = [one for one in options if self._knows(one)]
        if not all(sides) or len(known) < len(options) or any(map(_may_be_new, (left, right))):
            inside = replace(rules, objects=replace(self, renews=False))
            found = self._renewed(known, left, right, path, inside) if known and self.renews else ()
            self._refer_to(known if found else ())
            return found
        if len(options) > 1 and any(map(is_never_chosen, options)):
            raise MismatchError(path, left, right, "structure")
        if len(options) < 2 or kind_of_all(options) is None:
            return ()
        self._refer_to(options)
        sample = made(chosen_class(options), 0)
        node = CooperativeNode(type(sample), (DenseNode(tf.int32, ()),), sample, sample.graphwright_flatten()[1])
        return node, node

    def _renewed(self, old: Sequence[Any], left: StateNode, right: StateNode, path: str, rules: Join) -> Any:
        held_twice = any(id(one) in self.twice for one in old)
        return renew(old, left, right, self._named(path), rules, self.called, held_twice)

    def _may_go_out(self, value: Any) -> bool:
        """Whether what is around has it, or may have it."""
        return self._knows(value) or (id(value) not in self.made and self._is_usable(value))

    def _is_usable(self, value: Any) -> bool:
        return is_usable(value, self.graph, carried=self.carried)

    def _knows(self, value: Any, seen: frozenset[int] = frozenset()) -> bool:
        if id(value) in seen:
            return True
        if id(value) in self.made:
            return False
        if isinstance(value, _CONTENTS):
            return self.given is not None and self._knows_contents(value)
        if not self._is_usable(value):
            return False
        inner = seen | {id(value)}
        return not isinstance(value, FUNCTIONS) or all(self._knows(part, inner) for _, part in held_by(value))

    def _knows_contents(self, value: Any) -> bool:
        if is_given(value):
            return True
        if id(value) in (self.given or ()):
            # A construct inside may have put a list or dict of its own where it was given another.
            return not self.of_branch or self._is_usable(value)
        # A variable of the functions may hold what they have just made.
        there_before = is_reached(value, self.functions) or (self.of_branch and is_referred(value))
        return there_before and self._is_usable(value)

    def _refer_to(self, values: Sequence[Any]) -> None:
        for value in values:
            if isinstance(value, _CONTENTS):
                self.referred.append(value)
                note_referred(value)


_CONTENTS: Any = (list, DEQUE, dict, GraphList)


def is_choice(node: Any) -> bool:
    """Whether the node is of one of a few values, which the graph chooses: what is in those is no part of it."""
    return isinstance(node, CooperativeNode) and issubclass(node.kind, Choice)


def _may_be_new(node: StateNode) -> bool:
    """Whether the node is of one of a few lists or dicts, or of one that is made again."""
    if not isinstance(node, CooperativeNode):
        return False
    return has_member(node.kind, "graphwright_new") and has_member(node.kind, "graphwright_base")


def _value_of(node: StateNode) -> Any:
    """The object, list or dict that a node is of."""
    if isinstance(node, CooperativeNode):
        return node.sample
    if isinstance(node, GrownListNode):
        return None if node.original is None else node.original.container
    if isinstance(node, ContainerNode):
        return node.template if node.original is None else node.original.container
    return getattr(node, "value", None)


def is_reached(wanted: Any, functions: Sequence[Any]) -> bool:
    """Whether functions read a list or dict from around them, or one in which it is."""
    pending = [held for function in functions for held in _closure(function)]
    seen = set[int]()
    while pending:
        value = pending.pop()
        if value is wanted:
            return True
        if id(value) in seen or isinstance(value, (tf.Tensor, tf.Variable, GraphList)):
            continue
        seen.add(id(value))
        if isinstance(value, Choice):
            pending += type(value).graphwright_options
        elif isinstance(value, (list, tuple, dict, DEQUE)) or is_record(value):
            pending += [part for _, part in parts(value)]
        else:
            pending += _closure(value)
    return False


def _closure(value: Any) -> list[Any]:
    return list(closure_of(value).values()) if isinstance(value, types.FunctionType) else []


def is_usable(value: Any, graph: Any, seen: frozenset[int] = frozenset(), carried: Container[Any] = ()) -> bool:
    """Whether all tensors in an object are known in a graph: it wasn't made inside of what the graph runs.

    What is in attributes that are `carried` doesn't count.
    """
    value = current(value)
    if isinstance(value, tf.Variable) or id(value) in seen:
        return True
    if isinstance(value, (Choice, Maybe)):
        is_maybe = isinstance(value, Maybe)
        within = (held(value).defined, held(value).value) if is_maybe else (value.graphwright_place, *options_of(value))
        return all(is_usable(part, graph, seen | {id(value)}, carried) for part in within)
    if is_tensor(value):
        flat: Any = tf.nest.flatten(value, expand_composites=True)
        return all(isinstance(each, EagerTensor) or is_known_in(graph, each.graph) for each in flat)
    inner = seen | {id(value)}
    if isinstance(value, (list, tuple, dict, DEQUE)) or is_record(value):
        inside = [part for key, part in parts(value) if (id(value), key) not in carried]
        return all(is_usable(part, graph, inner, carried) for part in inside)
    return not is_callable(value) or all(is_usable(part, graph, inner, carried) for _, part in held_by(value))


def _not_renewed(*_: Any) -> Sequence[StateNode]:
    return ()


renew: Callable[..., Sequence[StateNode]] = _not_renewed
"""Gives the nodes of two sides, of which some are old lists or dicts and some new ones; set by the runtime."""

subscripts.choose = chosen
