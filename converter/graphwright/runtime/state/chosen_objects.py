"""Objects between which the graph chooses: which of them one is, is known when it runs.

What is read from such an object is read from all of them, and the graph chooses between the values; what is set in it
is set in each, to what it was or to the new value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast
from weakref import WeakValueDictionary

from graphwright.runtime.basis.context import promote
from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.basis.tensors import opposite
from graphwright.runtime.lists import subscripts
from graphwright.runtime.lists.copied_items import copied
from graphwright.runtime.lists.subscripts import position_of
from graphwright.runtime.state.containers import is_record, parts
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.joining import Join, MismatchError, join
from graphwright.runtime.state.journal import changes
from graphwright.runtime.state.nodes import (
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    DenseNode,
    GrownListNode,
    StateNode,
)
from graphwright.runtime.state.undefined import Maybe, Undefined, held


class ChosenObject:
    """One of a few objects of a class of the user's; it has a class of its own, which is derived from that one."""

    graphwright_options: ClassVar[tuple[Any, ...]] = ()
    graphwright_place: Any
    """Which of the options it is, counted from 0."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("graphwright_"):
            return object.__getattribute__(self, name)
        options = type(self).graphwright_options
        if name == "__class__":
            return cast("type[Any]", type(options[0]))
        if name == "__dict__":
            return {key: getattr(self, key) for key, _ in parts(options[0])}
        if any(_holds(option, name) for option in options):
            return _select(self.graphwright_place, [getattr(option, name) for option in options], name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("graphwright_") or hasattr(getattr(type(self), name, None), "__set__"):
            object.__setattr__(self, name, value)
            return
        for place, option in enumerate(type(self).graphwright_options):
            changes(option, name)
            before = getattr(option, name, Undefined(name))
            is_it = tf.cast(tf.equal(self.graphwright_place, place), tf.int32)
            setattr(option, name, _select(is_it, [before, value], name))

    def __delattr__(self, name: str) -> None:
        raise TypeError(f"the graph chooses the object, so its `{name}` can't be deleted: set it to None")

    def __hash__(self) -> int:
        raise TypeError(f"the graph chooses which {self.__class__.__name__} it is, so it can't be a key or in a set")

    def graphwright_taken_apart(self) -> StateNode:
        """The node of its parts, for a graph that can't choose it by its place."""
        first = type(self).graphwright_options[0]
        items = tuple(describe(getattr(self, key)) for key, _ in parts(first))
        return ContainerNode(type(first), tuple(key for key, _ in parts(first)), items, first)

    def graphwright_is(self, other: Any) -> Any:
        return is_object(self, other)

    def graphwright_flatten(self) -> Any:
        def rebuild(places: list[Any]) -> ChosenObject:
            return _made(type(self), places[0])

        return [self.graphwright_place], rebuild

    def graphwright_adopt(self, value: Any) -> Any:
        place = place_among(type(self).graphwright_options, value)
        return None if place is None else _made(type(self), place)


@dataclass(frozen=True)
class ObjectsOf:
    """Refers to the objects that a graph knows; those that are made in what it runs are made each time it does."""

    graph: Any
    made: Container[int] = ()

    def alone(self, node: StateNode) -> StateNode:
        options = options_of(_value_of(node)) if isinstance(node, ContainerNode) else ()
        return ConstantNode(options[0]) if options and self._knows(options[0]) else node

    def together(self, left: StateNode, right: StateNode) -> Sequence[StateNode]:
        sides = [options_of(_value_of(node)) for node in (left, right)]
        options = tuple({id(one): one for side in sides for one in side}.values())
        if not all(sides) or len(options) < 2 or not _are_alike(options) or not all(map(self._knows, options)):
            return ()
        sample = _made(chosen_class(options), 0)
        node = CooperativeNode(type(sample), (DenseNode(tf.int32, ()),), sample, sample.graphwright_flatten()[1])
        return node, node

    def _knows(self, value: Any) -> bool:
        return id(value) not in self.made and is_usable(value, self.graph)


def _value_of(node: StateNode) -> Any:
    if isinstance(node, CooperativeNode):
        return node.sample
    return node.template if isinstance(node, ContainerNode) else getattr(node, "value", None)


def get_item(xs: Any, index: Any) -> Any:
    """`xs[index]`, which may be an object of a list that the graph chooses."""
    if tf.is_tensor(index) and index.shape.rank == 0 and isinstance(xs, (list, tuple)):
        options = tuple(cast("Sequence[Any]", xs))
        if _are_alike(options) and all(map(_is_choosable, options)):
            kind = "tuple" if isinstance(xs, tuple) else "list"
            return _made(chosen_class(options), tf.cast(position_of(index, len(options), kind), tf.int32))
    return subscripts.get_item(xs, index)


def chosen_class(options: Sequence[Any]) -> type[ChosenObject]:
    """The class of objects that are one of these."""
    key = tuple(map(id, options))
    known = _classes.get(key)
    if known is not None:
        return known
    kind = cast("type[Any]", type(options[0]))
    members: dict[str, Any] = {"graphwright_options": tuple(options), "__module__": kind.__module__, "__slots__": ()}
    for name, method in (("__eq__", is_object), ("__ne__", _is_other), ("__repr__", _text)):
        if getattr(kind, name) is getattr(object, name):
            members[name] = method
    members["__hash__"] = ChosenObject.__hash__
    made = cast("type[ChosenObject]", type(kind.__name__, (ChosenObject, kind), members))
    return _classes.setdefault(key, made)


_classes: WeakValueDictionary[tuple[int, ...], type[ChosenObject]] = WeakValueDictionary()
"""By the objects, which a class keeps alive."""


def options_of(value: Any) -> tuple[Any, ...]:
    """The objects of which a value is one; empty for what the graph can't choose by its place."""
    if isinstance(value, ChosenObject):
        return type(value).graphwright_options
    return (value,) if _is_choosable(value) else ()


def place_among(options: Sequence[Any], value: Any) -> Any:
    """Which of the options a value is; None if it isn't surely one of them."""
    places = {id(option): place for place, option in enumerate(options)}
    if not all(id(one) in places for one in options_of(value)):
        return None
    if not isinstance(value, ChosenObject):
        return places.get(id(value))
    return tf.gather(tf.constant([places[id(one)] for one in options_of(value)]), value.graphwright_place)


def is_usable(value: Any, graph: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether all tensors in an object are known in a graph: it wasn't made inside of what the graph runs."""
    if isinstance(value, tf.Variable) or id(value) in seen:
        return True
    if isinstance(value, (ChosenObject, Maybe)):
        is_maybe = isinstance(value, Maybe)
        within = (held(value).defined, held(value).value) if is_maybe else (value.graphwright_place, *options_of(value))
        return all(is_usable(part, graph, seen | {id(value)}) for part in within)
    if tf.is_tensor(value):
        flat: Any = tf.nest.flatten(value, expand_composites=True)
        return all(isinstance(each, EagerTensor) or _reaches(graph, each.graph) for each in flat)
    if isinstance(value, (list, tuple, dict)) or is_record(value):
        inner = seen | {id(cast("Any", value))}
        return all(is_usable(part, graph, inner) for _, part in parts(value))
    return True


def is_object(left: Any, right: Any) -> Any:
    """`left is right`, a tensor where the graph chooses one of them."""
    if not isinstance(left, ChosenObject):
        left, right = right, left
    if not isinstance(left, ChosenObject):
        return left is right
    options = tuple({id(one): one for one in (*options_of(left), *options_of(right))}.values())
    places = [place_among(options, value) for value in (left, right)]
    return False if None in places else tf.equal(*places)


def _is_other(left: Any, right: Any) -> Any:
    return opposite(is_object(left, right))


def _text(value: Any) -> str:
    return f"a {value.__class__.__name__} that the graph chooses"


def _made(kind: type[ChosenObject], place: Any) -> ChosenObject:
    made = object.__new__(kind)
    made.graphwright_place = place
    return made


def _holds(option: Any, name: str) -> bool:
    return name in vars(option)


def _are_alike(options: Sequence[Any]) -> bool:
    """Whether there are some, and all are of one class."""
    kinds: set[Any] = {type(option) for option in options}
    return len(kinds) == 1


def _is_choosable(value: Any) -> bool:
    """Whether a class derived from the object's can stand for it: it has no way of its own to read, set or make."""
    kind = cast("Any", type(value))
    if not is_record(value) or type(kind) is not type or isinstance(value, tf.__internal__.CompositeTensor):
        return False
    plain = (kind.__setattr__, kind.__getattribute__, kind.__delattr__, kind.__new__)
    usual = (object.__setattr__, object.__getattribute__, object.__delattr__, object.__new__)
    own = hasattr(kind, "__getattr__") or hasattr(kind.__init_subclass__, "__func__") or hasattr(kind, "__slots__")
    return plain == usual and not own


def _reaches(graph: Any, other: Any) -> bool:
    while graph is not None and graph is not other:
        graph = getattr(graph, "outer_graph", None)
    return graph is not None


def _select(place: Any, values: list[Any], name: str) -> Any:
    """The value at a place."""
    if all(value is values[0] for value in values[1:]):
        return values[0]
    rules = Join(promote.get(), identity=True, objects=ObjectsOf(tf.compat.v1.get_default_graph()))
    try:
        node = functools.reduce(lambda one, two: join(one, two, name, rules), map(describe, values))
    except MismatchError as mismatch:
        raise TypeError(
            f"the graph chooses the object, and `{mismatch.path}` is of another kind in one than in another: use a "
            "tensor in all of them"
        ) from None
    if isinstance(node, GrownListNode):
        raise TypeError(
            f"the graph chooses the object, and the list `{name}` has another length in one than in another"
        )
    branches: list[Callable[[], list[Any]]] = [functools.partial(node.leaves, value) for value in values]
    leaves: Any = tf.switch_case(place, branches) if node.invariants() else []
    flat = cast("list[Any]", leaves) if isinstance(leaves, (list, tuple)) else [leaves]
    result = node.build(iter(flat))
    return copied(result, f"`{name}`")
