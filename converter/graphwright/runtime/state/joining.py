"""How two sides' state merges: one node that both sides' values fit, or what keeps them apart. It builds no tensors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from graphwright.runtime.basis.outcomes import Outcome
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList, lists_differ, merge_lists
from graphwright.runtime.state.containers import is_container, is_numpy, is_record
from graphwright.runtime.state.describing import describe, numpy_node, take_apart, weak
from graphwright.runtime.state.nodes import (
    Composite,
    Constant,
    Container,
    Cooperative,
    Dense,
    Grown,
    Node,
    Nowhere,
    Optional,
    Shape,
    Unbound,
)


class MismatchError(Exception):
    """Two sides that don't merge: where, and what each is."""

    def __init__(self, path: str, left: Node, right: Node, reason: str) -> None:
        super().__init__(path, left, right, reason)
        self.path, self.left, self.right, self.reason = path, left, right, reason


@dataclass(frozen=True)
class Join:
    """How far sides may go to meet."""

    promote: bool = False
    identity: bool = False
    """The same tensor on both sides stays what it is: it comes from outside of both."""


def join(left: Node, right: Node, path: str, rules: Join) -> Node:
    """The node that both sides fit."""
    if isinstance(left, Nowhere) or isinstance(right, Nowhere):
        return right if isinstance(left, Nowhere) else left
    origin = getattr(left, "origin", None)
    if rules.identity and origin is not None and origin is getattr(right, "origin", None):
        return Constant(origin)
    if isinstance(left, Constant) and left == right:
        return left
    if _may_miss(left) or _may_miss(right):
        return _join_optional(left, right, path, rules)
    lists = [_as_list(left), _as_list(right)]
    if lists_differ(*lists):
        return _join_lists(lists, path)
    if isinstance(left, Grown) and isinstance(right, Grown):
        return left
    if isinstance(left, Cooperative) or isinstance(right, Cooperative):
        return _join_cooperative(left, right, path, rules)
    left, right = _as_container(left, right), _as_container(right, left)
    if isinstance(left, Container) and isinstance(right, Container):
        if rules.identity and left.template is right.template and not issubclass(left.kind, (list, tuple, dict)):
            return Constant(left.template)
        return _join_containers(left, right, path, rules)
    if isinstance(left, Composite) and isinstance(right, Composite):
        return _join_composites(left, right, path)
    first, second = _as_tensor(left), _as_tensor(right)
    if first is None or second is None:
        raise MismatchError(path, left, right, "structure")
    return _join_tensors(first, second, path, rules)


def _join_optional(left: Node, right: Node, path: str, rules: Join) -> Node:
    for none in (False, True):
        if any(_misses(side, none) or (isinstance(side, Optional) and side.none == none) for side in (left, right)):
            break
    else:
        raise AssertionError("neither side may miss")
    inner: Node = Nowhere()
    name = path
    for side in (left, right):
        if isinstance(side, Unbound):
            name = side.name
        elif isinstance(side, Optional) and side.none == none:
            name, inner = side.name, join(inner, side.inner, path, rules)
        elif not _misses(side, none):
            inner = join(inner, side, path, rules)
    if isinstance(inner, Nowhere):
        return left
    return Optional(none, name, inner)


def _may_miss(node: Node) -> bool:
    return isinstance(node, Optional) or _misses(node, True) or _misses(node, False)


def _misses(node: Node, none: bool) -> bool:
    return isinstance(node, Constant) and node.value is None if none else isinstance(node, Unbound)


def _as_list(node: Node) -> Any:
    if isinstance(node, Grown):
        return GraphList((), node.element, node.name)
    return node.template if isinstance(node, Container) and issubclass(node.kind, list) else None


def _join_lists(lists: list[Any], path: str) -> Node:
    element = merge_lists(*lists, name=path)
    assert element is not None, "one of two lists of different lengths isn't empty"
    return Grown(element, path)


def _join_cooperative(left: Node, right: Node, path: str, rules: Join) -> Node:
    sides: list[Cooperative] = []
    for side, other in ((left, right), (right, left)):
        if not isinstance(side, Cooperative) and isinstance(other, Cooperative):
            value = side.value if isinstance(side, Constant) else getattr(side, "template", None)
            adopted = other.sample.graphwright_adopt(value)
            side = side if adopted is None else describe(adopted)
        if isinstance(side, Cooperative):
            sides.append(side)
    if len(sides) < 2 or sides[0].kind is not sides[1].kind or len(sides[0].items) != len(sides[1].items):
        raise MismatchError(path, left, right, "structure")
    pairs = zip(sides[0].items, sides[1].items, strict=True)
    return replace(sides[0], items=tuple(join(one, two, path, rules) for one, two in pairs))


def _as_container(node: Node, other: Node) -> Node:
    """An object was taken for a constant; where the other side is another one, their parts count."""
    if isinstance(node, Constant) and isinstance(other, (Container, Constant)):
        kind = other.kind if isinstance(other, Container) else cast(Any, type(other.value))
        if type(node.value) is kind and (is_container(node.value) or is_record(node.value)):
            return take_apart(node.value)
    return node


def _join_containers(left: Container, right: Container, path: str, rules: Join) -> Node:
    if left.kind is not right.kind or set(left.keys) != set(right.keys):
        raise MismatchError(path, left, right, "structure")
    others = dict(zip(right.keys, right.items, strict=True))
    items: list[Node] = []
    for key, item in zip(left.keys, left.items, strict=True):
        other = others[key]
        if issubclass(left.kind, Outcome) and key == "value" and _returns_none_once(item, other):
            raise MismatchError(path, item, other, "returned")
        items.append(join(item, other, _path(path, left, key), rules))
    return replace(left, items=tuple(items))


def _returns_none_once(left: Node, right: Node) -> bool:
    sides = (left, right)
    nones = [_misses(side, True) for side in sides]
    return any(nones) and not all(nones) and not any(isinstance(side, Nowhere) for side in sides)


def _path(path: str, container: Container, key: Any) -> str:
    if issubclass(container.kind, (dict, list)) or container.kind is tuple:
        return f"{path}[{key!r}]"
    if issubclass(container.kind, tuple):
        return f"{path}.{container.kind._fields[key]}"  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    return path if issubclass(container.kind, Outcome) else f"{path}.{key}"


def _join_composites(left: Composite, right: Composite, path: str) -> Node:
    if left.spec == right.spec:
        return left
    if isinstance(left.origin, tf.TensorArray) and isinstance(right.origin, tf.TensorArray):
        if left.origin.dtype == right.origin.dtype:
            return left
        raise MismatchError(path, left, right, "structure")
    spec = left.spec.most_specific_common_supertype([right.spec])
    if spec is None:
        raise MismatchError(path, left, right, "structure")
    return replace(left, spec=spec, relaxed=True)


def _as_tensor(node: Node) -> Dense | None:
    if isinstance(node, Dense):
        return node
    if not isinstance(node, Constant):
        return None
    value = node.value
    if isinstance(value, tf.Variable):
        return Dense(value.dtype, None if value.shape.rank is None else tuple(value.shape.as_list()))
    if isinstance(value, (str, bytes)):
        return Dense(tf.string, ())
    if isinstance(value, (bool, int, float, complex)):
        return weak(value)
    return numpy_node(value) if is_numpy(value) else None


def _join_tensors(left: Dense, right: Dense, path: str, rules: Join) -> Node:
    dtype = _join_dtypes(left, right, rules)
    if dtype is None:
        raise MismatchError(path, left, right, "dtype")
    return Dense(dtype, join_shapes(left.shape, right.shape), left.weak and right.weak)


def _join_dtypes(left: Dense, right: Dense, rules: Join) -> Any:
    if left.dtype == right.dtype:
        return left.dtype
    kinds = [kind_of(side.dtype) for side in (left, right)]
    if kinds[0] == kinds[1]:
        if left.weak and right.weak:
            return max(left.dtype, right.dtype, key=lambda dtype: dtype.size)
        if left.weak or right.weak:
            return right.dtype if left.weak else left.dtype
    if not rules.promote or not all(kind in _ORDER for kind in kinds):
        return None
    if kinds[0] != kinds[1]:
        return max((left, right), key=lambda side: _ORDER.index(kind_of(side.dtype))).dtype
    return max(left.dtype, right.dtype, key=lambda dtype: dtype.size)


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
