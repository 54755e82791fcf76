"""Nodes: how a state value of one kind is taken apart into tensors (its leaves), left out, and made again.

They don't say which node a value has, nor how two merge.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from graphwright.runtime.basis import array_tensors
from graphwright.runtime.basis.array_tensors import ArrayMemory
from graphwright.runtime.basis.attributes import chosen_from
from graphwright.runtime.basis.graph_notes import is_known_in
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.outcomes import Never, ReturnOutcome, Turn
from graphwright.runtime.basis.plain_containers import ListForm
from graphwright.runtime.basis.python_values import as_python
from graphwright.runtime.basis.separated_lists import Separation, note_separated
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import UnknownElement
from graphwright.runtime.lists.graph_lists import Element, GraphList, as_growable, grown_list
from graphwright.runtime.lists.list_stores import store_of
from graphwright.runtime.state.containers import is_dense, parts, remake, same
from graphwright.runtime.state.contents import Original, first_of, original_of, remember
from graphwright.runtime.state.undefined import Maybe, Undefined, held

Shape = tuple["int | None", ...] | None


class NotChosenError(Exception):
    """A side gives a list that isn't among those of which the graph was to choose one."""


class StateNode(Protocol):
    """How a state value is taken apart and made again."""

    def leaves(self, value: Any) -> list[Any]: ...
    def blanks(self) -> list[Any]: ...
    def build(self, leaves: Iterator[Any]) -> Any: ...
    def invariants(self) -> list[Any]: ...


@dataclass(frozen=True, eq=False)
class ConstantNode:
    """A Python value that is the same on all sides."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConstantNode) and same(self.value, other.value)

    __hash__ = None  # type: ignore[assignment]

    def leaves(self, value: Any) -> list[Any]:
        return []

    def blanks(self) -> list[Any]:
        return []

    def build(self, leaves: Iterator[Any]) -> Any:
        return self.value

    def invariants(self) -> list[Any]:
        return []


@dataclass(frozen=True)
class UnboundNode:
    """An undefined name."""

    name: str

    def leaves(self, value: Any) -> list[Any]:
        return []

    def blanks(self) -> list[Any]:
        return []

    def invariants(self) -> list[Any]:
        return []

    def build(self, leaves: Iterator[Any]) -> Any:
        return Undefined(self.name)


@dataclass(frozen=True)
class NowhereNode:
    """What a path gives that never comes to its end."""

    def leaves(self, value: Any) -> list[Any]:
        return []

    def blanks(self) -> list[Any]:
        return []

    def invariants(self) -> list[Any]:
        return []

    def build(self, leaves: Iterator[Any]) -> Any:
        return Never()


@dataclass(frozen=True)
class DenseNode:
    """A tensor; a weak one comes from a Python number and adopts another's dtype."""

    dtype: Any
    shape: Shape
    weak: bool = field(default=False, compare=False)
    origin: Any = field(default=None, compare=False)
    memory: ArrayMemory | None = field(default=None, repr=False)
    """Of what is an array eagerly."""

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        if isinstance(value, Maybe):
            value = held(value).get()
        if is_dense(value):
            value = tf.convert_to_tensor(value)
            return [value if value.dtype == self.dtype else tf.cast(value, self.dtype)]
        if isinstance(value, (list, tuple)) and self.shape:
            item = replace(self, shape=self.shape[1:])
            return [tf.stack([leaf for part in cast("Sequence[Any]", value) for leaf in item.leaves(part)])]
        return [tf.convert_to_tensor(_exact(value, self.dtype), self.dtype)]

    def blanks(self) -> list[Any]:
        if self.dtype in (tf.resource, tf.variant):
            raise TypeError(f"a tensor of {self.dtype.name} can't be left out")
        return [tf.zeros([size or 0 for size in self.shape or ()], self.dtype)]

    def build(self, leaves: Iterator[Any]) -> Any:
        leaf = next(leaves)
        if self.memory is not None:
            return array_tensors.carried(leaf, self.memory)
        return as_python(leaf) if self.weak else leaf

    def invariants(self) -> list[Any]:
        return [tf.TensorShape(self.shape)]


@dataclass(frozen=True)
class CompositeNode:
    """A composite tensor, a TensorArray, an iterator..."""

    spec: Any
    relaxed: bool = False
    origin: Any = field(default=None, compare=False)

    @property
    def is_array(self) -> bool:
        return self.spec.value_type is tf.TensorArray

    def leaves(self, value: Any) -> list[Any]:
        return self.blanks() if isinstance(value, Never) else [value]

    def blanks(self) -> list[Any]:
        if self.is_array:
            spec = self.spec
            return [tf.TensorArray(spec._dtype, 0, dynamic_size=True, element_shape=spec._element_shape)]
        if isinstance(self.spec, tf.RaggedTensorSpec):
            inner = [size or 0 for size in self.spec._shape[self.spec.ragged_rank + 1 :]]
            splits = [tf.zeros([1], self.spec.row_splits_dtype)] * self.spec.ragged_rank
            return [tf.RaggedTensor.from_nested_row_splits(tf.zeros([0, *inner], self.spec.dtype), splits)]
        if isinstance(self.spec, tf.SparseTensorSpec):
            rank = self.spec.shape.rank or 1
            size = tf.zeros([rank], tf.int64)
            return [tf.SparseTensor(tf.zeros([0, rank], tf.int64), tf.zeros([0], self.spec.dtype), size)]
        raise TypeError(f"a {self.spec.value_type.__name__} can't be left out")

    def build(self, leaves: Iterator[Any]) -> Any:
        return next(leaves)

    def invariants(self) -> list[Any]:
        return [self.spec if self.relaxed else None]


@dataclass(frozen=True)
class ContainerNode:
    """A list, tuple, dict, named tuple, dataclass or plain object."""

    kind: Any
    keys: tuple[Any, ...]
    items: tuple[StateNode, ...]
    template: Any = field(compare=False, repr=False)
    original: Original | None = field(default=None, repr=False)
    """The list or dict that is to hold the parts; None if a new one is made."""
    separation: Separation | None = field(default=None, repr=False)
    """Said of a new one that may be one with another in the program."""

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        children = dict(parts(value))
        return [
            leaf
            for key, item in zip(self.keys, self.items, strict=True)
            for leaf in item.leaves(children[key] if key in children else Undefined(str(key)))
        ]

    def blanks(self) -> list[Any]:
        """A list or dict that was there before stays as it is."""
        if self.original is not None:
            return self.leaves(_left(self.original))
        return [leaf for item in self.items for leaf in item.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        values = {key: item.build(leaves) for key, item in zip(self.keys, self.items, strict=True)}
        made = remake(self.template, values) if self.original is None else self.original.filled(values)
        return note_separated(made, self.separation)

    def invariants(self) -> list[Any]:
        return [shape for item in self.items for shape in item.invariants()]


_leaving: ContextVar[Sequence[Any]] = ContextVar("graphwright_leaving", default=())


@contextlib.contextmanager
def leaving(values: Sequence[Any]) -> Generator[None, None, None]:
    """These are all the values that a branch or iteration leaves."""
    token = _leaving.set(values)
    try:
        yield
    finally:
        _leaving.reset(token)


def is_left_without_bound(original: Original) -> bool:
    """Whether one of the lists that are left in the place of one has no known bound to its length."""
    lists = map(current, (*_all_left(original), original.container))
    return any(isinstance(each, GraphList) and not each.store.bounded for each in lists)


def _left(original: Original) -> Any:
    """A list or dict as the branch or iteration leaves it that gives nothing in its place."""
    for value in _all_left(original):
        return value
    before = current(original.container)
    made_inside = isinstance(before, GraphList) and not is_known_in(
        tf.compat.v1.get_default_graph(), before.last().graph
    )
    return [] if made_inside else before


def _all_left(original: Original) -> Iterator[Any]:
    pending, seen = list(_leaving.get()), set[int]()
    while pending:
        value = pending.pop()
        if id(value) in seen or is_dense(value) or isinstance(value, tf.Variable):
            continue
        seen.add(id(value))
        if (first_of(value) if isinstance(value, GraphList) else original_of(value)) == original:
            yield value
        elif chosen_from(value):
            pending += value.graphwright_options
        elif isinstance(value, (list, tuple, dict, ReturnOutcome, Turn)):
            pending += [part for _, part in parts(value)]


def let_others_see(node: StateNode, value: Any) -> None:
    """Lists that were made longer are so under every name that they have."""
    if isinstance(node, GrownListNode) and node.original is not None:
        node.original.move_to(value)
    elif isinstance(node, ContainerNode):
        known = dict(parts(value))
        for key, item in zip(node.keys, node.items, strict=True):
            let_others_see(item, known.get(key))


def originals(node: StateNode) -> list[Original]:
    """The lists and dicts that are filled when a value is made again."""
    if isinstance(node, GrownListNode):
        return [] if node.original is None else [node.original]
    if not isinstance(node, ContainerNode):
        return []
    own = [] if node.original is None else [node.original]
    return [*own, *(original for item in node.items for original in originals(item))]


@dataclass(frozen=True)
class OptionalNode:
    """A value that may be missing: undefined, or None."""

    none: bool
    name: str = field(compare=False)
    inner: StateNode

    def leaves(self, value: Any) -> list[Any]:
        if value is None if self.none else isinstance(value, (Undefined, Never)):
            return [tf.constant(False), *self.inner.blanks()]
        if isinstance(value, Never):
            return self.blanks()
        if isinstance(value, Maybe) and (inside := held(value)).none == self.none:
            return [inside.defined, *self.inner.leaves(inside.value)]
        return [tf.constant(True), *self.inner.leaves(value)]

    def blanks(self) -> list[Any]:
        return [tf.constant(False), *self.inner.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        defined = next(leaves)
        return Maybe(defined, self.inner.build(leaves), self.name, self.none)

    def invariants(self) -> list[Any]:
        return [tf.TensorShape([]), *self.inner.invariants()]


@dataclass(frozen=True)
class CooperativeNode:
    """An object that says itself what it is made of."""

    kind: Any
    items: tuple[StateNode, ...]
    sample: Any = field(compare=False, repr=False)
    rebuild: Any = field(compare=False, repr=False)
    separation: Separation | None = field(default=None, repr=False)
    sides: Any = field(default=None, compare=False, repr=False)
    """The construct that chooses among lists or dicts, and the ids of those that each side has."""

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        if not isinstance(value, self.kind):
            value = self.sample.graphwright_adopt(value)
            if value is None:
                raise NotChosenError
        values, _ = value.graphwright_flatten()
        return [leaf for item, part in zip(self.items, values, strict=True) for leaf in item.leaves(part)]

    def blanks(self) -> list[Any]:
        return [leaf for item in self.items for leaf in item.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        made = self.rebuild([item.build(leaves) for item in self.items])
        if self.sides is not None:
            made.graphwright_sides = self.sides
        return note_separated(made, self.separation)

    def invariants(self) -> list[Any]:
        return [shape for item in self.items for shape in item.invariants()]


@dataclass(frozen=True)
class GrownListNode:
    """A list whose length is known when the graph runs."""

    element: Element
    name: str = field(compare=False)
    bounded: bool = True
    """Whether there is a bound to its length that the graph knows."""
    original: Original | None = field(default=None, repr=False, compare=False)
    """The list whose place it takes."""
    separation: Separation | None = field(default=None, repr=False)
    form: ListForm = ListForm()  # noqa: RUF009

    def leaves(self, value: Any) -> list[Any]:
        items: Any = value
        if isinstance(value, Never):
            items = [] if self.original is None else _left(self.original)
        return as_growable(items, self.element, self.name, self.bounded).store.tensors()

    def blanks(self) -> list[Any]:
        return self.leaves(Never())

    def build(self, leaves: Iterator[Any]) -> Any:
        tensors = [next(leaves) for _ in range(self._count)]
        made = grown_list(store_of(tensors, self.bounded), self.element, self.name, self.form)
        remember(made, self.original)
        return note_separated(made, self.separation)

    def invariants(self) -> list[Any]:
        return [tf.TensorShape([])] * self._count

    @property
    def _count(self) -> int:
        return self.bounded + (1 if isinstance(self.element, UnknownElement) else len(self.element.leaves))


def _exact(value: Any, dtype: Any) -> Any:
    """A Python number that becomes a tensor of another kind, if that holds it as it is."""
    if type(value) is not int or not (dtype.is_floating or dtype.is_complex):
        return value
    if (complex if dtype.is_complex else float)(dtype.as_numpy_dtype(value)) != value:
        raise OverflowError(
            f"the Python int {value} meets {dtype.name} tensors in the graph, and {dtype.name} can't hold it exactly: "
            f"write it as a float, or use tf.constant({value}, tf.float64) and tensors of that dtype"
        )
    return value
