"""All of a list that grows at once: its elements stacked, also where they are lists that grow themselves."""

from __future__ import annotations

from typing import Any, cast

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import DENSE, Element, InnerList, packed
from graphwright.runtime.lists.graph_lists import GraphList

__all__ = ["as_result", "padded", "stacked"]


def as_result(xs: GraphList) -> Any:
    """What a traced function returns for the list: its elements stacked, each tensor of an element by itself."""
    return packed(xs.element, xs.store.stacks(xs.element.leaves), inner=False)


def stacked(xs: GraphList) -> Any:
    """All elements as one tensor, as tf.stack would make of them."""
    if isinstance(xs.element.structure, InnerList) and (row := _part_of(xs.element)) is not None:
        return _rows_together(xs, row)
    return _joined(xs.element.structure, iter(xs.store.stacks(xs.element.leaves)), xs.name)


def padded(xs: GraphList) -> Any:
    """The same; zeros may be behind the elements."""
    return _joined(xs.element.structure, iter(xs.store.padded(xs.element.leaves)), xs.name)


def _part_of(element: Element) -> Any:
    """The tensor that one element is in the whole; None if it can't become one."""
    structure = element.structure
    if isinstance(structure, InnerList):
        inner = _part_of(structure.element) if isinstance(structure.element, Element) else None
        return None if inner is None else _in_rows(None, inner.shape, inner.dtype)
    first = element.leaves[0]
    if element.simple:
        return tf.TensorSpec(first.shape, first.dtype)
    if isinstance(structure, (list, tuple)) and all(part is DENSE for part in cast(Any, structure)):
        same = all(leaf.shape == first.shape for leaf in element.leaves)
        return _in_rows(len(element.leaves), first.shape if same else tf.TensorShape(None), first.dtype)
    return None


def _in_rows(count: int | None, shape: Any, dtype: Any) -> Any:
    return tf.TensorSpec(tf.TensorShape([count]).concatenate(shape), dtype)


def _rows_together(xs: GraphList, row: Any) -> Any:
    def at(place: Any) -> Any:
        return packed(xs.element, xs.store.items(place, xs.element.leaves))

    def together(place: Any) -> Any:
        rows = at(place)
        words = f"tf.stack needs rows of one length, but the lists in {xs.name} differ"
        with tf.control_dependencies([tf.debugging.assert_equal(rows.length(), at(0).length(), message=words)]):
            return stacked(rows)

    return tf.map_fn(together, tf.range(xs.length()), fn_output_signature=row)


def _joined(structure: Any, parts: Any, name: str) -> Any:
    if structure is DENSE:
        return next(parts)
    if isinstance(structure, (list, tuple)):
        return tf.stack([_joined(inner, parts, name) for inner in cast(Any, structure)], axis=1)
    raise TypeError(
        f"{name} holds elements of structure {structure}, which can't become one tensor. Stack each part separately."
    )
