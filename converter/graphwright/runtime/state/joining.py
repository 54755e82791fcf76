"""How two sides' state merges: one node that both sides' values fit, or what keeps them apart. It builds no tensors."""

from __future__ import annotations

import collections
import contextlib
import types
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from graphwright.runtime.basis.array_tensors import merged
from graphwright.runtime.basis.attributes import has_member, is_record
from graphwright.runtime.basis.missing_keys import MissingKey
from graphwright.runtime.basis.outcomes import ReturnOutcome
from graphwright.runtime.basis.plain_containers import DEFAULT, DEQUE, ListForm, form_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import grown_list, lists_differ, merge_lists
from graphwright.runtime.lists.list_stores import UnboundedStore
from graphwright.runtime.state.chosen_members import as_chosen, is_member
from graphwright.runtime.state.containers import is_container, is_numpy
from graphwright.runtime.state.contents import Original, is_same_content
from graphwright.runtime.state.describing import describe, numpy_node, take_apart, weak
from graphwright.runtime.state.nodes import (
    CompositeNode,
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    DenseNode,
    GrownListNode,
    NowhereNode,
    OptionalNode,
    Shape,
    StateNode,
    UnboundNode,
    is_left_without_bound,
)


class MismatchError(Exception):
    """Two sides that don't merge: where, and what each is."""

    def __init__(self, path: str, left: StateNode, right: StateNode, reason: str) -> None:
        super().__init__(path, left, right, reason)
        self.path, self.left, self.right, self.reason = path, left, right, reason


class ObjectRules(Protocol):
    """Which objects are referred to, rather than taken apart and made again."""

    def alone(self, node: StateNode, path: str, rules: Join) -> StateNode:
        """The node of an object that is there on one side only."""
        ...

    def together(self, left: StateNode, right: StateNode, path: str, rules: Join) -> Sequence[StateNode]:
        """The nodes of two objects, as one that the graph chooses; none if it can't."""
        ...


@dataclass(frozen=True)
class Join:
    """How far sides may go to meet."""

    promote: bool = False
    identity: bool = False
    """The same tensor on both sides stays what it is: it comes from outside of both."""
    objects: ObjectRules | None = None
    within: tuple[Any, ...] = ()
    """The objects in which we are: one that is in itself can't be chosen part by part."""
    merge: object = field(default_factory=object)
    """The same for all values of one merge."""


def join(left: StateNode, right: StateNode, path: str, rules: Join) -> StateNode:
    """The node that both sides fit."""
    if isinstance(left, NowhereNode) or isinstance(right, NowhereNode):
        return _with_original(right if isinstance(left, NowhereNode) else left, path, rules)
    origin = getattr(left, "origin", None)
    if rules.identity and origin is not None and origin is getattr(right, "origin", None):
        return ConstantNode(origin)
    if isinstance(left, ConstantNode) and left == right:
        return left
    if _may_miss(left) or _may_miss(right):
        return _join_optional(left, right, path, rules)
    left, right = _as_chosen(*_as_members(left, right), path, rules)
    lists = [_as_list(left), _as_list(right)]
    if lists_differ(*lists):
        return _join_lists(lists, path, _is_bounded(left) and _is_bounded(right), _common_original(left, right))
    if isinstance(left, GrownListNode) and isinstance(right, GrownListNode) and left.form == right.form:
        return replace(left if _is_bounded(right) else right, original=_common_original(left, right))
    if isinstance(left, CooperativeNode) or isinstance(right, CooperativeNode):
        return _join_cooperative(left, right, path, rules)
    left, right = _as_container(left, right, rules), _as_container(right, left, rules)
    if isinstance(left, ContainerNode) and isinstance(right, ContainerNode):
        if rules.identity and left.template is right.template and not issubclass(left.kind, (list, tuple, dict)):
            return ConstantNode(left.template)
        return _join_containers(left, right, path, rules)
    if isinstance(left, CompositeNode) and isinstance(right, CompositeNode):
        return _join_composites(left, right, path)
    first, second = _as_tensor(left), _as_tensor(right)
    if first is None or second is None:
        reason = "circle" if _is_within(left, rules) or _is_within(right, rules) else "structure"
        raise MismatchError(path, left, right, reason)
    return _join_tensors(first, second, path, rules)


def _join_optional(left: StateNode, right: StateNode, path: str, rules: Join) -> StateNode:
    for none in (False, True):
        if any(_misses(side, none) or (isinstance(side, OptionalNode) and side.none == none) for side in (left, right)):
            break
    else:
        raise AssertionError("neither side may miss")
    inner: StateNode = NowhereNode()
    name = path
    for side in (left, right):
        if isinstance(side, UnboundNode):
            name = side.name
        elif isinstance(side, OptionalNode) and side.none == none:
            name, inner = side.name, join(inner, _alone(side.inner, path, rules), path, rules)
        elif not _misses(side, none):
            inner = join(inner, _alone(side, path, rules), path, rules)
    if isinstance(inner, NowhereNode):
        return left
    return OptionalNode(none, name, _without_originals(inner))


def _alone(node: StateNode, path: str, rules: Join) -> StateNode:
    return node if rules.objects is None else rules.objects.alone(node, path, rules)


def _with_original(node: StateNode, path: str, rules: Join) -> StateNode:
    """The node of one side where the other doesn't say what is in a list or dict: there, it holds what it held."""
    if isinstance(node, CooperativeNode):
        return _alone(node, path, rules)
    if isinstance(node, GrownListNode) and node.bounded and node.original is not None:
        return replace(node, bounded=not is_left_without_bound(node.original))
    if not isinstance(node, ContainerNode):
        return node
    if node.original is None:
        items = tuple(_with_original(item, path, rules) for item in node.items)
        return replace(node, items=items)
    if is_same_content(node.template, node.original.container):
        referred = _alone(node, path, rules)
        if isinstance(referred, ConstantNode):
            return referred
    if node.original.given:
        with contextlib.suppress(MismatchError):
            held = cast(ContainerNode, describe(node.original.container))
            return join(replace(held, original=node.original), node, path, rules)
    items = tuple(_with_original(item, path, rules) for item in node.items)
    return _without_originals(replace(node, items=items))


def _without_originals(node: StateNode) -> StateNode:
    """The node of values that are made again."""
    if isinstance(node, ContainerNode):
        return replace(node, items=tuple(map(_without_originals, node.items)), original=None)
    return replace(node, inner=_without_originals(node.inner)) if isinstance(node, OptionalNode) else node


def _may_miss(node: StateNode) -> bool:
    return isinstance(node, OptionalNode) or _misses(node, True) or _misses(node, False)


def _misses(node: StateNode, none: bool) -> bool:
    return isinstance(node, ConstantNode) and node.value is None if none else isinstance(node, UnboundNode)


def _as_list(node: StateNode) -> Any:
    if isinstance(node, GrownListNode):
        return grown_list(UnboundedStore(()), node.element, node.name, node.form)
    return node.template if isinstance(node, ContainerNode) and issubclass(node.kind, (list, DEQUE)) else None


def _is_bounded(node: StateNode) -> bool:
    return not isinstance(node, GrownListNode) or node.bounded


def _common_original(left: Any, right: Any) -> Original | None:
    return left.original if left.original == right.original else None


def _join_lists(lists: list[Any], path: str, bounded: bool, original: Original | None) -> StateNode:
    element = merge_lists(*lists, name=path)
    assert element is not None, "one of two lists of different lengths isn't empty"
    return GrownListNode(element, path, bounded, original, form=form_of(lists[0]) or ListForm())


def _as_members(left: StateNode, right: StateNode) -> tuple[StateNode, StateNode]:
    """Two members of an enumeration as such that the graph chooses."""
    if not isinstance(left, ConstantNode) or not isinstance(right, ConstantNode) or not is_member(left.value):
        return left, right
    if type(left.value) is not type(right.value):
        return left, right
    return describe(as_chosen(left.value)), describe(as_chosen(right.value))


def _as_chosen(left: StateNode, right: StateNode, path: str, rules: Join) -> Sequence[StateNode]:
    """Two objects as one that the graph chooses, or their parts where it can't."""
    if rules.objects is None and is_same_kind(left, right):
        return left, right
    found = rules.objects.together(left, right, path, rules) if rules.objects is not None else ()
    return found or (taken_apart(left), taken_apart(right))


def is_same_kind(left: StateNode, right: StateNode) -> bool:
    """Whether both are of the same objects, of which the graph has chosen one already."""
    return isinstance(left, CooperativeNode) and isinstance(right, CooperativeNode) and left.kind is right.kind


def taken_apart(node: StateNode) -> StateNode:
    """The node of what is in an object, list or dict that the graph chooses; any other as it is."""
    if isinstance(node, CooperativeNode) and has_member(node.kind, "graphwright_taken_apart"):
        return node.sample.graphwright_taken_apart()
    return node


def _join_cooperative(left: StateNode, right: StateNode, path: str, rules: Join) -> StateNode:
    sides: list[CooperativeNode] = []
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, CooperativeNode) and isinstance(other, CooperativeNode):
            value = side.value if isinstance(side, ConstantNode) else getattr(side, "template", None)
            adopted = other.sample.graphwright_adopt(value)
            side = side if adopted is None else describe(adopted)
        if isinstance(side, CooperativeNode):
            sides.append(side)
    if len(sides) < 2 or sides[0].kind is not sides[1].kind or len(sides[0].items) != len(sides[1].items):
        raise MismatchError(path, left, right, "structure")
    pairs = zip(sides[0].items, sides[1].items, strict=True)
    return replace(sides[0], items=tuple(one if one is two else join(one, two, path, rules) for one, two in pairs))


def _as_container(node: StateNode, other: StateNode, rules: Join) -> StateNode:
    """An object was taken for a constant; where the other side is another one, their parts count."""
    if isinstance(node, ConstantNode) and isinstance(other, (ContainerNode, ConstantNode)):
        kind = other.kind if isinstance(other, ContainerNode) else cast(Any, type(other.value))
        may_differ = type(node.value) is kind and (is_container(node.value) or is_record(node.value))
        if may_differ and not _is_within(node, rules):
            return take_apart(node.value)
    return node


def _is_within(node: StateNode, rules: Join) -> bool:
    return isinstance(node, ConstantNode) and any(node.value is container for container in rules.within)


def _join_containers(left: ContainerNode, right: ContainerNode, path: str, rules: Join) -> StateNode:
    if _may_lack_keys(left, right):
        left, right = _with_keys(left, right, path), _with_keys(right, left, path)
    if (
        left.kind is not right.kind
        or set(left.keys) != set(right.keys)
        or _form(left.template) != _form(right.template)
    ):
        raise MismatchError(path, left, right, "structure")
    if issubclass(left.kind, _ORDERED) and left.keys != right.keys:
        raise TypeError(
            f"the order of '{path}' would depend on which branch the graph takes: keep it in a list of keys"
        )
    rules = replace(rules, within=(*rules.within, left.template, right.template))
    others = dict(zip(right.keys, right.items, strict=True))
    items: list[StateNode] = []
    for key, item in zip(left.keys, left.items, strict=True):
        other = others[key]
        if issubclass(left.kind, ReturnOutcome) and key == "value" and _returns_none_once(item, other):
            raise MismatchError(path, item, other, "returned")
        items.append(join(item, other, _path(path, left, key), rules))
    return replace(left, items=tuple(items), original=left.original if left.original == right.original else None)


def _may_lack_keys(left: ContainerNode, right: ContainerNode) -> bool:
    """Whether keys of one side alone are no mistake: it is the same dict, or one that gives something for any key."""
    kind: Any = left.kind
    if not issubclass(kind, dict) or kind is not right.kind:
        return False
    same = left.original is not None and left.original == right.original
    return same or kind is collections.Counter or getattr(left.template, "default_factory", None) is not None


def _form(container: Any) -> Any:
    """What containers of one kind need to have in common; a lambda may be made anew each time."""
    if type(container) is not DEFAULT:
        return form_of(container)
    factory = container.default_factory
    is_written_there = isinstance(factory, types.FunctionType) and not factory.__closure__ and not factory.__defaults__
    return factory.__code__ if is_written_there else factory


def _with_keys(node: ContainerNode, other: ContainerNode, path: str) -> ContainerNode:
    """A dict with the keys that the same dict has on the other side."""
    missing = tuple(key for key in other.keys if key not in node.keys)
    if not missing:
        return node
    default = 0 if node.kind is collections.Counter else None
    items = (*node.items, *(UnboundNode(MissingKey(path, key, default)) for key in missing))
    return replace(node, keys=(*node.keys, *missing), items=items)


def _returns_none_once(left: StateNode, right: StateNode) -> bool:
    sides = (left, right)
    nones = [_misses(side, True) for side in sides]
    return any(nones) and not all(nones) and not any(isinstance(side, NowhereNode) for side in sides)


def _path(path: str, container: ContainerNode, key: Any) -> str:
    if issubclass(container.kind, (dict, list)) or container.kind is tuple:
        return f"{path}[{key!r}]"
    if issubclass(container.kind, tuple):
        return f"{path}.{container.kind._fields[key]}"  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    return path if issubclass(container.kind, ReturnOutcome) else f"{path}.{key}"


def _join_composites(left: CompositeNode, right: CompositeNode, path: str) -> StateNode:
    if left.origin is not right.origin:
        # What is joined is neither of them, also where it is joined again.
        left = replace(left, origin=None)
    if left.spec == right.spec:
        return left
    if left.is_array and right.is_array:
        if left.spec._dtype == right.spec._dtype:
            return left
        raise MismatchError(path, left, right, "structure")
    spec = left.spec.most_specific_common_supertype([right.spec])
    if spec is None:
        raise MismatchError(path, left, right, "structure")
    return replace(left, spec=spec, relaxed=True)


def _as_tensor(node: StateNode) -> DenseNode | None:
    if isinstance(node, DenseNode):
        return node
    if not isinstance(node, ConstantNode):
        return None
    value = node.value
    if isinstance(value, tf.Variable):
        return DenseNode(value.dtype, None if value.shape.rank is None else tuple(value.shape.as_list()))
    if isinstance(value, (str, bytes)):
        return DenseNode(tf.string, (), isinstance(value, str))
    if isinstance(value, (bool, int, float, complex)):
        return weak(value)
    return numpy_node(value) if is_numpy(value) else None


def _join_tensors(left: DenseNode, right: DenseNode, path: str, rules: Join) -> StateNode:
    dtype = _join_dtypes(left, right, rules)
    if dtype is None:
        raise MismatchError(path, left, right, "dtype")
    memory = merged((left.memory, right.memory), rules.merge)
    return DenseNode(dtype, join_shapes(left.shape, right.shape), left.weak and right.weak, memory=memory)


def _join_dtypes(left: DenseNode, right: DenseNode, rules: Join) -> Any:
    if left.dtype == right.dtype:
        return left.dtype
    kinds = [kind_of(side.dtype) for side in (left, right)]
    if kinds[0] == kinds[1]:
        if left.weak and right.weak:
            return max(left.dtype, right.dtype, key=lambda dtype: dtype.size)
        if left.weak or right.weak:
            return right.dtype if left.weak else left.dtype
    if not all(kind in _ORDER for kind in kinds):
        return None
    if kinds[0] != kinds[1]:
        narrow, wide = sorted((left, right), key=lambda side: _ORDER.index(kind_of(side.dtype)))
        # A Python number has no dtype to lose.
        return wide.dtype if narrow.weak or rules.promote else None
    return max(left.dtype, right.dtype, key=lambda dtype: dtype.size) if rules.promote else None


_ORDERED: Any = collections.OrderedDict
_ORDER = ("integer", "float", "complex")


def kind_of(dtype: Any) -> str:
    """Integers, floats and so on: within one, a Python number follows a tensor."""
    if dtype.is_integer:
        return "integer"
    if dtype.is_floating:
        return "float"
    return "complex" if dtype.is_complex else dtype.name


def join_shapes(left: Shape, right: Shape) -> Shape:
    """The most precise shape that both fit."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(one if one == two else None for one, two in zip(left, right, strict=True))
