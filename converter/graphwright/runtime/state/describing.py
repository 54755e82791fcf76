"""Which node a state value has, so that it can go into a graph's control flow as tensors and come out as it was.

It doesn't say how two nodes merge. Objects take part by a protocol: `graphwright_flatten() -> (values, rebuild)`, where
values are any state values and `rebuild(values)` gives such an object, and `graphwright_adopt(value)`, which makes one
of another value or gives None.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from contextvars import ContextVar
from typing import Any, cast

from graphwright.runtime.basis.array_tensors import memory_of
from graphwright.runtime.basis.attributes import chosen_from, has_member
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.outcomes import Never
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.python_values import was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList, TypedList, as_growable
from graphwright.runtime.state.containers import is_container, is_dense, is_numpy, is_tracked, parts
from graphwright.runtime.state.contents import Original, first_of, is_plain, original_of
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
)
from graphwright.runtime.state.undefined import Maybe, Undefined, held


def describe(value: Any, carried: bool = False) -> StateNode:
    """The node of a value; if it is carried by a loop, its Python numbers are tensors from the first turn on."""
    if isinstance(value, tf.Variable) or value is None:
        return ConstantNode(value)
    if is_dense(value):
        return DenseNode(value.dtype, _shape(value), was_python(value), value, memory_of(value))
    if isinstance(value, (bool, int, float, complex)):
        return weak(value) if carried else ConstantNode(value)
    if isinstance(value, (Undefined, Never)):
        return UnboundNode(value.name) if isinstance(value, Undefined) else NowhereNode()
    if isinstance(value, Maybe):
        inside = held(value)
        return OptionalNode(inside.none, inside.name, describe(inside.value))
    if is_numpy(value):
        return numpy_node(value) if carried else ConstantNode(value)
    if has_member(cast("Any", type(value)), "graphwright_whole"):
        value = value.graphwright_whole
    if chosen_from(value):
        return _cooperative(value, carried)
    grown = current(value)
    if isinstance(grown, GraphList):
        return GrownListNode(grown.element, "the list", grown.store.bounded, first_of(grown), form=grown.form)
    if carried and isinstance(value, TypedList) and value.element is not None:
        return GrownListNode(as_growable(value).element, "the list")
    if has_member(cast("Any", type(value)), "graphwright_flatten"):
        return _cooperative(value, carried)
    if isinstance(value, (tf.TensorArray, tf.__internal__.CompositeTensor)):
        return CompositeNode(tf.type_spec_from_value(value), origin=value)
    if is_container(value) and id(value) not in _held.get():
        return take_apart(value, carried)
    known = original_of(value)
    return ConstantNode(value if known is None else known.container)


_held: ContextVar[dict[int, Any]] = ContextVar("graphwright_held", default={})  # noqa: B039


@contextlib.contextmanager
def holding(values: dict[int, Any]) -> Generator[None, None, None]:
    """These objects are state by what is set in them, and stay the objects that they are."""
    token = _held.set(_held.get() | values)
    try:
        yield
    finally:
        _held.reset(token)


def take_apart(value: Any, carried: bool = False) -> ContainerNode:
    """The node of a container or object, with a node for each part; what is in itself stays the object that it is."""
    plain = isinstance(value, (list, tuple, dict, DEQUE))
    pieces = parts(value)
    token = _held.set({**_held.get(), id(value): value})
    try:
        items = tuple(describe(item, carried and plain) for _, item in pieces)
    finally:
        _held.reset(token)
    original = (Original(value) if carried else original_of(value)) if is_plain(value) else None
    # The tuples and dicts of a module are stand-ins.
    kind = value.__class__ if plain else cast("Any", type)(value)
    return ContainerNode(list if is_tracked(kind) else kind, tuple(key for key, _ in pieces), items, value, original)


def weak(value: Any) -> DenseNode:
    """The tensor that a Python number becomes."""
    if isinstance(value, bool):
        return DenseNode(tf.bool, (), True)
    if isinstance(value, int):
        return DenseNode(tf.int32 if -(2**31) <= value < 2**31 else tf.int64, (), True)
    return DenseNode(tf.float32 if isinstance(value, float) else tf.complex128, (), True)


def numpy_node(value: Any) -> DenseNode:
    """The tensor that a NumPy value becomes."""
    return DenseNode(tf.as_dtype(value.dtype), tuple(value.shape), memory=memory_of(value))


def _shape(value: Any) -> Shape:
    return None if value.shape.rank is None else tuple(value.shape.as_list())


def _cooperative(value: Any, carried: bool) -> CooperativeNode:
    values, rebuild = value.graphwright_flatten()
    return CooperativeNode(type(value), tuple(describe(item, carried) for item in values), value, rebuild)
