"""Lists that grow while a graph runs: what Python lists become when a staged loop or branch changes their length.

It doesn't decide when that happens: loops and branches do, by these calls.

    lists_differ(before, after)      has a state value that is a list changed its length (or its kind of element)?
    element = merge_lists(before, after, ...)  what all of these lists hold, or None if none of them holds anything
    as_growable(xs, element)         the GraphList for a list of either kind; `element` may also be a list or GraphList

A loop traces its body with the Python list. If `lists_differ`, it traces again with `as_growable(before, element)` as
state and, if the body's GraphList then holds an element wider than what went in, once more with that.
A branch calls `as_growable(result, element)` at the end of both of its sides. A list marked by `set_element_type` is a
`TypedList`: its `element` is known before anything is appended, so a loop can pass `as_growable(xs)` at once.

State protocol: `graphwright_flatten() -> (tensors, rebuild)`; `rebuild(tensors)` must run in the graph that is to own
the list, since a list may be changed only there. A GraphList that leaves a traced function is stacked (`whole_lists`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.held_items import forget_item, note_item, note_objects
from graphwright.runtime.basis.plain_containers import ListForm, form_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import opposite
from graphwright.runtime.errors import failures
from graphwright.runtime.lists import tensor_list_ops
from graphwright.runtime.lists.arranging import arranged, equal_elements, hides_length, slice_of, sorted_places
from graphwright.runtime.lists.elements import (
    Element,
    element_of_values,
    marked,
    merged,
    packed,
    tensors_of,
)
from graphwright.runtime.lists.list_stores import ListStore, UnboundedStore, filled_store, store_of
from graphwright.runtime.lists.moving_lists import MovingList

# Untyped, so that what was checked against it is still anything.
SLICE: Any = slice

items_of: Callable[[Any], Any] = list
"""Gives what a list that grows is extended by; set by `list_methods`, which knows all that can be walked through."""

__all__ = [
    "Element",
    "GraphList",
    "TypedList",
    "as_growable",
    "element_of",
    "is_growable",
    "lists_differ",
    "merge_lists",
]


class TypedList(list[Any]):
    """A Python list that knows what it is to hold, though it may be empty."""

    element: Element | None = None


class GraphList(MovingList):
    """A list whose length is known when the graph runs. Python's methods change it in place."""

    graphwright_stands_for_tensor = True
    graphwright_form = ListForm()

    @property
    def form(self) -> ListForm:
        """What it was in Python."""
        return self.graphwright_form

    def graphwright_flatten(self) -> tuple[list[Any], Callable[[Sequence[Any]], GraphList]]:
        element, name, form, bounded = self.element, self.name, self.form, self.store.bounded
        return self.store.tensors(), lambda tensors: grown_list(store_of(tensors, bounded), element, name, form)

    def graphwright_adopt(self, value: Any) -> GraphList | None:
        """A Python list as a list like this one."""
        return as_growable(value, self.element, self.name) if form_of(value) == self.form else None

    def graphwright_unbounded(self) -> GraphList:
        """The list as an element of another, in which nothing is known of its length."""
        return as_growable(self, bounded=False)

    def graphwright_most(self) -> Any:
        """The most elements that XLA has room for, where their number isn't known; None elsewhere."""
        return self.store.room()

    @property
    def holds_numbers(self) -> bool:
        """Whether eagerly its elements are Python numbers."""
        return self.element.simple and not self.element.leaves[0].fixed

    def length(self) -> Any:
        return self.store.length()

    def get(self, index: Any) -> Any:
        """The element at an index that isn't negative."""
        return note_item(packed(self.element, marked(self.store.items(index, self.element.leaves), self.element)))

    def append(self, value: Any) -> None:
        tensors = self._accepted(value)
        self._replace(lambda: self.store.appended(tensors, self.element.leaves))

    def extend(self, values: Any) -> None:
        values = values if isinstance(values, GraphList) else items_of(values)
        if not isinstance(values, GraphList):
            for value in values:
                self.append(value)
            return
        self.element = merged(self.element, values.element, self.name)
        self._replace(lambda: self.store.extended(values.store, self.element.leaves))

    def pop(self, index: Any = -1) -> Any:
        if isinstance(index, int) and index == -1:
            store, tensors = self.store.popped(self.element.leaves)
            self._replace(lambda: store)
            return packed(self.element, marked(tensors, self.element))
        position = self.position(index)
        value = self.get(position)
        self._arrange(lambda number: tf.where(number < position, number, number + 1), self.length() - 1)
        return forget_item(value)

    def insert(self, index: Any, value: Any) -> None:
        length = self.length()
        position = tensor_list_ops.clipped(index, length)
        GraphList.append(self, value)

        def place(number: Any) -> Any:
            return tf.where(number < position, number, tf.where(tf.equal(number, position), length, number - 1))

        self._arrange(place, self.length())

    def clear(self) -> None:
        self._replace(lambda: self.store.emptied(self.element.leaves))

    def remove(self, value: Any) -> None:
        GraphList.pop(self, self.index(value))

    def reverse(self) -> None:
        length = self.length()
        self._arrange(lambda number: length - 1 - number, length)

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        order = sorted_places(self, key, reverse)
        self._arrange(lambda number: tf.concat([order, number[tf.size(order) :]], 0), self.length())

    def copy(self) -> GraphList:
        return grown_list(self.store, self.element, self.name, self.form)

    def as_list(self) -> GraphList:
        """A new list with the same elements."""
        return GraphList(self.store, self.element, self.name)

    def index(self, value: Any) -> Any:
        same = self._equal_to(value)
        found = failures.check(tf.reduce_any(same), ValueError, f"{self.name} doesn't hold", value)
        with tf.control_dependencies([found] if found is not None else []):
            return tf.argmax(tf.cast(same, tf.int32), output_type=tf.int32)

    def count(self, value: Any) -> Any:
        return tf.math.count_nonzero(self._equal_to(value), dtype=tf.int32)

    def contains(self, value: Any) -> Any:
        return tf.reduce_any(self._equal_to(value))

    def graphwright_truth(self) -> Any:
        return self.length() > 0

    def position(self, index: Any) -> Any:
        """An index as Python counts, from the end if it is negative, as one from the start."""
        if isinstance(index, int):
            return index if index >= 0 else self.length() + index
        index = tf.cast(index, tf.int32)
        return tf.where(index < 0, index + self.length(), index)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, SLICE):
            part = self.copy()
            if hides_length(self.store):
                part._arrange(*slice_of(index, self.length()))
                return part
            part._pick(tensor_list_ops.places(index, self.length()))
            return part
        return self.get(self.position(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, SLICE):
            self._set_slice(index, value)
            return
        position = tf.cast(self.position(index), tf.int32)
        tensors = self._accepted(value)
        self._replace(lambda: self.store.changed(position, tensors))

    def __delitem__(self, index: Any) -> None:
        if not isinstance(index, SLICE):
            self.pop(index)
            return
        length = self.length()
        gone = tensor_list_ops.places(index, length)
        kept = tf.tensor_scatter_nd_update(tf.ones([length], tf.bool), gone[:, None], tf.zeros(tf.shape(gone), tf.bool))
        self._pick(tf.cast(tf.where(kept)[:, 0], tf.int32))

    def __add__(self, other: Any) -> Any:
        if not _is_alike(self, other):
            return NotImplemented
        result = self.copy()
        result.extend(other)
        return result

    def __radd__(self, other: Any) -> Any:
        if not _is_alike(self, other):
            return NotImplemented
        result = as_growable(other, self.element, self.name)
        result.extend(self)
        return result

    def __iadd__(self, other: Any) -> GraphList:
        self.extend(other)
        return self

    def __mul__(self, times: Any) -> Any:
        result = self.copy()
        result._pick(tf.tile(tf.range(self.length()), [tf.maximum(times, 0)]))
        return result

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Any:
        if not _is_alike(self, other):
            return NotImplemented
        return True if other is self else _are_equal(self, as_growable(other, self.element, self.name))

    def __ne__(self, other: object) -> Any:
        return opposite(self == other)

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"{self._described()}, and becomes a list that has no `{name}`: a class that is derived from list can't be "
            "made longer there. Keep the list in an attribute of an object instead"
        )

    def __len__(self) -> int:
        raise TypeError(f"{self._described()}; its length is a tensor. Use `gw.len(...)`, or convert this code too.")

    def __bool__(self) -> bool:
        raise TypeError(f"{self._described()}; whether it is empty is a tensor. Use `tf.shape(gw.stack(...))[0] > 0`.")

    def __iter__(self) -> Any:
        raise TypeError(
            f"{self._described()}; it can't be unpacked or iterated in Python. "
            "Index it, or loop over it with `for` in converted code."
        )

    def __contains__(self, value: Any) -> bool:
        raise TypeError(f"{self._described()}; whether it has elements is a tensor. Convert this code too.")

    def __repr__(self) -> str:
        dtypes = [leaf.dtype.name for leaf in self.element.leaves]
        return f"<list that grows in the graph: {self.element.structure} {dtypes}>"

    def _described(self) -> str:
        assert self.element.leaves
        return f"{self.name} grows while the graph runs"

    def _equal_to(self, value: Any) -> Any:
        if self.element.simple:
            return equal_elements(self, [tf.convert_to_tensor(value, self.element.leaves[0].dtype)])
        return equal_elements(self, tensors_of(value, self.element, self.name))

    def _accepted(self, value: Any) -> list[Any]:
        """The tensors of a value that goes into the list; the list's element widens to hold its shape."""
        note_item(value)
        self.element = merged(self.element, element_of_values([value], self.name), self.name)
        return tensors_of(value, self.element, self.name)

    def _replace(self, store: Callable[[], ListStore]) -> None:
        self.last().changes()
        self.store = store()

    def _arrange(self, place: Callable[[Any], Any], size: Any) -> None:
        self._replace(lambda: arranged(self.store, place, size, self.element.leaves))

    def _pick(self, places: Any) -> None:
        leaves = self.element.leaves
        handles = self.store.unbounded(leaves).handles
        pairs = zip(handles, leaves, strict=True)
        picked = UnboundedStore(tuple(tensor_list_ops.picked(handle, leaf, places) for handle, leaf in pairs))
        self._replace(lambda: picked)

    def _set_slice(self, index: slice, values: Any) -> None:
        if tensor_list_ops.has_step(index):
            raise TypeError(
                f"{self._described()}; assigning to a slice with a step isn't possible. Assign the elements one by one."
            )
        length = self.length()
        start = tensor_list_ops.clipped(0 if index.start is None else index.start, length)
        stop = tf.maximum(tensor_list_ops.clipped(length if index.stop is None else index.stop, length), start)
        tail = self.copy()
        tail._pick(tf.range(stop, length))
        self._pick(tf.range(start))
        self.extend(values)
        self.extend(tail)


def grown_list(store: ListStore, element: Element, name: str, form: ListForm | None) -> GraphList:
    """A list of the graph that is what lists of such a form are."""
    form = form or ListForm()
    made = KINDS[form.kind](store, element, name)
    made.graphwright_form = form
    return made


KINDS: dict[Any, type[GraphList]] = {list: GraphList}
"""The lists of the graph by what they were in Python; `graph_deques` adds its own."""


def is_growable(value: Any) -> bool:
    return form_of(value) is not None


def _is_alike(one: GraphList, other: Any) -> bool:
    """Whether Python adds and compares what the two are: lists, or deques."""
    form = form_of(other)
    return form is not None and form.kind is one.form.kind


def lists_differ(before: Any, after: Any) -> bool:
    """Whether a state value that is a list has to grow: its length changed, or one of the two already does."""
    if not is_growable(before) or form_of(before) != form_of(after):
        return False
    if isinstance(before, GraphList) and isinstance(after, GraphList):
        return before.element != after.element
    if isinstance(before, GraphList) or isinstance(after, GraphList):
        return True
    return len(before) != len(after)


def merge_lists(*lists: Any, name: str = "the list") -> Element | None:
    """The element that all of the lists hold, shapes widened where they differ; None where nothing says it."""
    joined: Element | None = None
    for xs in lists:
        element = element_of(xs, name)
        if element is not None:
            joined = element if joined is None else merged(joined, element, name)
    return joined


def element_of(xs: Any, name: str = "the list") -> Element | None:
    xs = current(xs)
    if isinstance(xs, GraphList):
        return xs.element
    declared = xs.element if isinstance(xs, TypedList) else None
    if not xs:
        return declared
    found = element_of_values(xs, name)
    return found if declared is None else merged(declared, found, name)


def as_growable(xs: Any, like: Any = None, name: str = "the list", bounded: bool = True) -> GraphList:
    """The list as a GraphList of its own, holding what `like` (an Element, a list, a GraphList) holds.

    It has a known bound if it may (`bounded`) and if the list had one.
    """
    xs = current(xs)
    wanted = like if isinstance(like, Element) or like is None else element_of(like, name)
    mine = element_of(xs, name)
    element = mine if wanted is None else wanted if mine is None else merged(wanted, mine, name)
    if element is None:
        raise TypeError(
            f"{name} is empty, and its element type is unknown. Write "
            f"`gw.set_element_type({name if name.isidentifier() else 'xs'}, tf.float32)`."
        )
    if isinstance(xs, GraphList):
        store = xs.store if bounded else xs.store.unbounded(xs.element.leaves)
        return grown_list(store, element, xs.name, xs.form)
    note_objects(xs)
    store = filled_store([tensors_of(x, element, name) for x in xs], element.leaves, bounded)
    return grown_list(store, element, name, form_of(xs))


def _are_equal(one: GraphList, other: GraphList) -> Any:
    if not all(leaf.shape.is_fully_defined() for xs in (one, other) for leaf in xs.element.leaves):
        raise TypeError(f"{one.name} grows in the graph, and its elements may differ in shape: compare them one by one")

    def pairwise() -> Any:
        count = tf.minimum(one.length(), other.length())
        pairs = zip(*(xs.store.stacks(xs.element.leaves) for xs in (one, other)), strict=True)
        return tf.reduce_all([tf.reduce_all(tf.equal(left[:count], right[:count])) for left, right in pairs])

    return tf.cond(tf.equal(one.length(), other.length()), pairwise, lambda: False)
