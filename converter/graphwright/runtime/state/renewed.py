"""Lists and dicts that were there before, or new ones that only a branch or an iteration makes: the graph chooses.

The new one is made again where the construct is built; what is changed in the choice afterwards is changed in whichever
was chosen, so that other names of an old one see it. Where no other name has the old ones, they are merged instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import tracing
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import is_never_chosen
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.choices import Choice, chosen_class, kind_of_all, made
from graphwright.runtime.state.chosen_objects import OBJECTS
from graphwright.runtime.state.contents import Original, as_it_is, is_plain, note_referred, the_same_before
from graphwright.runtime.state.describing import describe, take_apart
from graphwright.runtime.state.joining import Join, MismatchError, join, taken_apart
from graphwright.runtime.state.nodes import (
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    DenseNode,
    GrownListNode,
    StateNode,
)
from graphwright.runtime.state.reachability import is_named_otherwise


class Renewed(Choice):
    """One of the old lists or dicts, or a new one, on its way through the graph."""

    graphwright_new: Any = None
    """What is in the one that is chosen, for the new one."""
    graphwright_node: StateNode
    """The node of that."""

    def graphwright_flatten(self) -> Any:
        def rebuild(values: list[Any]) -> Any:
            return _chosen(type(self).graphwright_options, *values)

        return [self.graphwright_place, self.graphwright_new], rebuild

    def graphwright_taken_apart(self) -> StateNode:
        return self.graphwright_node

    def graphwright_adopt(self, value: Any) -> Any:
        options = type(self).graphwright_options
        known = {id(option): place for place, option in enumerate(options)}
        adopted = type(self)()
        if isinstance(value, Choice):
            places = [known.get(id(option), len(options)) for option in type(value).graphwright_options]
            adopted.graphwright_place = tf.gather(tf.constant(places), value.graphwright_place)
            adopted.graphwright_new = value if OBJECTS.family(options[0]) is not None else value.graphwright_contents()
        else:
            adopted.graphwright_place = known.get(id(the_same_before(value)), len(options))
            adopted.graphwright_new = current(value)
        return adopted


def renewed(
    old: Sequence[Any],
    left: StateNode,
    right: StateNode,
    path: str,
    rules: Join,
    together: Sequence[str],
    held_twice: bool,
) -> Sequence[StateNode]:
    """The nodes of two sides, of which some are old lists or dicts that are elsewhere as well; none if none are.

    Other names have them already, or get them by what is traced (`held_twice`).
    """
    if not _may_be_renewed(left) or not _may_be_renewed(right):
        return ()
    if kind_of_all(old) is None and not any(map(is_never_chosen, old)):
        return ()
    if not held_twice and not any(is_named_otherwise(as_it_is(one), path, together) for one in old):
        return ()
    if any(map(is_never_chosen, old)):
        raise MismatchError(path, left, right, "structure")
    contents = join(_contents(left), _contents(right), path, rules)
    sample = _class_of(old)()
    sample.graphwright_place, sample.graphwright_new = 0, None
    sample.graphwright_node = _without_original(contents)
    items = (DenseNode(tf.int32, ()), sample.graphwright_node)
    node = CooperativeNode(type(sample), items, sample, sample.graphwright_flatten()[1])
    return node, node


def _may_be_renewed(node: StateNode) -> bool:
    """Whether a node is of a list, a dict or an object of the user's, or of one that the graph chooses."""
    if isinstance(node, CooperativeNode):
        # Of a chosen object, what is in it may be such a choice again: its parts are merged instead.
        if not issubclass(node.kind, Choice):
            return False
        return issubclass(node.kind, Renewed) or has_member(node.kind, "graphwright_base")
    if isinstance(node, (ConstantNode, ContainerNode)):
        return _is_renewable(node.value if isinstance(node, ConstantNode) else node.template)
    return isinstance(node, GrownListNode)


def _is_renewable(value: Any) -> bool:
    return is_plain(value) or isinstance(value, GraphList) or OBJECTS.family(value) is not None


def _chosen(old: tuple[Any, ...], place: Any, new: Any) -> Any:
    here = tracing.get()
    if here is not None:
        # An iteration makes it each time; constructs inside may refer to it.
        here.born[id(new)] = here.state[id(new)] = new
    note_referred(new)
    return made(chosen_class((*old, new)), place)


def _class_of(old: Sequence[Any]) -> type[Renewed]:
    key = tuple(map(id, old))
    known = _classes.get(key)
    if known is None:
        members: dict[str, Any] = {"graphwright_options": tuple(old)}
        if OBJECTS.family(old[0]) is None:
            members["graphwright_base"] = dict if isinstance(old[0], dict) else list
        known = _classes[key] = type("Renewed", (Renewed,), members)
    return known


_classes: WeakValueDictionary[tuple[int, ...], type[Renewed]] = WeakValueDictionary()
"""By the old ones, which a class keeps alive."""


def _contents(node: StateNode) -> StateNode:
    """The node of what is in a list, dict or object."""
    if isinstance(node, CooperativeNode) and issubclass(node.kind, Renewed):
        return node.items[1]
    if isinstance(node, ConstantNode):
        return _without_original(describe(node.value) if is_plain(node.value) else take_apart(node.value))
    return _without_original(taken_apart(node))


def _that_is_held(node: StateNode) -> StateNode:
    """The node of a list or dict in an object, which stays what it is where both sides have it."""
    if isinstance(node, ContainerNode) and is_plain(node.template) and node.original is None:
        return replace(node, original=Original(node.template))
    return node


def _without_original(node: StateNode) -> StateNode:
    """The node of a list or dict that is none of those that were there before."""
    if isinstance(node, ContainerNode):
        if not is_plain(node.template):
            return replace(node, items=tuple(map(_that_is_held, node.items)))
        return replace(node, original=None, template=node.kind(node.template))
    return replace(node, original=None) if isinstance(node, GrownListNode) else node
