"""What a staged `for` walks over besides tensors: ranges, and what enumerate, zip, map... make of tensors.

All offer `length()`, a scalar int32 (or the range's own dtype), and `get(i)`. They compute nothing before an element is
asked for, and don't know about loops.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, is_of
from graphwright.runtime.basis.context import is_symbolic, is_tensor
from graphwright.runtime.basis.left_iterators import moved_with
from graphwright.runtime.basis.python_values import counted
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import failures
from graphwright.runtime.lists.elements import element_of_values
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.subscripts import get_item

__all__ = ["Staged", "StagedRange", "as_sequence", "is_staged", "static_items", "static_length"]


class Staged:
    """A sequence whose elements are computed in the graph."""

    graphwright_items = True
    name = "sequence"

    def length(self) -> Any:
        raise NotImplementedError

    def get(self, index: Any) -> Any:
        raise NotImplementedError

    def parts(self) -> Sequence[Any]:
        """The sequences of which none is shorter."""
        return ()

    def graphwright_most(self) -> Any:
        """The most elements that there can be, where XLA only knows how many a list has room for."""
        known = (part.graphwright_most() for part in self.parts() if has_member(part.__class__, "graphwright_most"))
        return next((most for most in known if most is not None), None)

    def static_length(self) -> int | None:
        """The length, if it is known while the graph is built."""
        known = tf.get_static_value(self.length())
        return None if known is None else int(known)

    def __len__(self) -> int:
        known = self.static_length()
        if known is None:
            raise TypeError(f"The length of this {self.name} is a tensor. Use `gw.len(...)`, or convert this code too.")
        return known

    def __iter__(self) -> Iterator[Any]:
        return (self.get(place) for place in range(_known_length(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Picked(self, tf.range(self.length())[index])
        if isinstance(index, int) and index >= 0:
            return self.get(index)
        return self.get(tf.where(index < 0, index + self.length(), index))


class StagedRange(Staged):
    """`range` of tensors."""

    name = "range"
    holds_numbers = True

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start, self.stop, self.step = start, stop, step

    def length(self) -> Any:
        if isinstance(self.step, int) and self.step == 1:
            return tf.maximum(self.stop - self.start, 0)
        step = self.step
        up = (self.stop - self.start + step - 1) // step
        down = (self.start - self.stop - step - 1) // (-step)
        if isinstance(step, int):
            return tf.maximum(up if step > 0 else down, 0)
        return tf.maximum(tf.where(step > 0, up, down), 0)

    def get(self, index: Any) -> Any:
        index = tf.cast(index, self.dtype)
        if not isinstance(self.step, int) or self.step != 1:
            index = index * self.step
        return counted(index if isinstance(self.start, int) and self.start == 0 else self.start + index)

    @property
    def dtype(self) -> Any:
        return next(part.dtype for part in (self.start, self.stop, self.step) if is_tensor(part))

    def tensor(self) -> Any:
        return self.start + tf.range(self.length()) * self.step

    def contains(self, value: Any) -> Any:
        value = tf.cast(value, self.dtype)
        offset = value - self.start
        inside = tf.where(
            tf.convert_to_tensor(self.step) > 0,
            tf.logical_and(offset >= 0, value < self.stop),
            tf.logical_and(offset <= 0, value > self.stop),
        )
        return tf.logical_and(inside, tf.equal(offset % self.step, 0))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return TensorItems(self.tensor()[index])
        return super().__getitem__(index)


def no_iteration(tensor: Any) -> str:
    """What to say of a loop over a scalar."""
    if tensor.dtype == tf.string:
        return "iteration over a text in a tensor. Write tf.strings.unicode_split(text, 'UTF-8') for its characters"
    return "iteration over a 0-d tensor. To count up to it, write range(...)"


class TensorItems(Staged):
    """A tensor's (or ragged tensor's) rows."""

    name = "tensor"

    def __init__(self, tensor: Any) -> None:
        if getattr(tensor, "shape", None) is not None and tensor.shape.rank == 0:
            raise TypeError(no_iteration(tensor))
        self.tensor = tensor

    def length(self) -> Any:
        if isinstance(self.tensor, tf.RaggedTensor):
            return tf.cast(self.tensor.nrows(), tf.int32)
        known = self.tensor.shape[0] if self.tensor.shape.rank is not None else None
        return tf.shape(self.tensor)[0] if known is None else tf.constant(known)

    def static_length(self) -> int | None:
        return static_length(self.tensor)

    def get(self, index: Any) -> Any:
        return self.tensor[index]


class ListItems(Staged):
    """A Python list's elements, where one is chosen when the graph runs."""

    name = "list"

    def __init__(self, items: Sequence[Any], moved: Sequence[Any] = ()) -> None:
        self.items, self.moved = items, moved

    def length(self) -> Any:
        return tf.constant(len(self.items))

    def static_length(self) -> int | None:
        return len(self.items)

    def get(self, index: Any) -> Any:
        return get_item(self.items, index)


class Enumerated(Staged):
    name = "enumerate"

    def __init__(self, source: Any, start: Any) -> None:
        self.source, self.start = source, start

    def parts(self) -> Sequence[Any]:
        return (self.source,)

    def length(self) -> Any:
        return self.source.length()

    def static_length(self) -> int | None:
        return static_length(self.source)

    def get(self, index: Any) -> Any:
        return counted(self.start + index), self.source.get(index)


class Zipped(Staged):
    name = "zip"

    def __init__(self, sources: Sequence[Any], strict: bool) -> None:
        self.sources, self.strict = sources, strict

    def parts(self) -> Sequence[Any]:
        return self.sources

    def length(self) -> Any:
        lengths = [tf.cast(source.length(), tf.int32) for source in self.sources]
        shortest = lengths[0]
        for other in lengths[1:]:
            shortest = tf.minimum(shortest, other)
        if not self.strict:
            return shortest
        same = tf.reduce_all(tf.equal(tf.stack(lengths), shortest))
        check = failures.check(
            same, ValueError, "the arguments of zip(strict=True) differ in length:", tf.stack(lengths)
        )
        with tf.control_dependencies([] if check is None else [check]):
            return tf.identity(shortest)

    def static_length(self) -> int | None:
        known = [static_length(source) for source in self.sources]
        lengths = [length for length in known if length is not None]
        if len(lengths) < len(known) or (self.strict and len(set(lengths)) > 1):
            return None
        return min(lengths)

    def get(self, index: Any) -> Any:
        return tuple(source.get(index) for source in self.sources)


class Mapped(Staged):
    name = "map"

    def __init__(self, function: Callable[..., Any], sources: Sequence[Any]) -> None:
        self.function, self.zipped = function, Zipped(sources, strict=False)

    def parts(self) -> Sequence[Any]:
        return self.zipped.sources

    def length(self) -> Any:
        return self.zipped.length()

    def static_length(self) -> int | None:
        return self.zipped.static_length()

    def get(self, index: Any) -> Any:
        return self.function(*self.zipped.get(index))


class Picked(Staged):
    """The elements at some places of another sequence."""

    def __init__(self, source: Any, places: Any) -> None:
        self.source, self.places = source, places

    def length(self) -> Any:
        return tf.size(self.places)

    def get(self, index: Any) -> Any:
        return self.source.get(self.places[index])


class Backwards(Staged):
    name = "reversed"

    def __init__(self, source: Any) -> None:
        self.source = source
        self.last = source.length() - 1

    def parts(self) -> Sequence[Any]:
        return (self.source,)

    def length(self) -> Any:
        return self.source.length()

    def static_length(self) -> int | None:
        return static_length(self.source)

    def get(self, index: Any) -> Any:
        return self.source.get(self.last - tf.cast(index, self.last.dtype))


def is_staged(value: Any) -> bool:
    """Whether walking over the value is for the graph: a tensor, a list that grows, or one of this module's."""
    return is_of(value, Staged, GraphList) or is_symbolic(value)


def as_sequence(value: Any) -> Any:
    """Anything with a length as something with `length()` and `get(i)`."""
    if isinstance(value, (Staged, GraphList)):
        return value
    if is_tensor(value):
        return TensorItems(value)
    if has_member(value.__class__, "__array__") and getattr(value, "dtype", None) is not None:
        return TensorItems(tf.convert_to_tensor(value))
    if isinstance(value, (list, tuple, range)):
        return ListItems(cast("Sequence[Any]", value))
    return ListItems(list(value))


def static_length(value: Any) -> int | None:
    """The number of elements, if it is known while the graph is built."""
    if isinstance(value, tf.RaggedTensor):
        return value.shape[0]
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return value.shape[0] if value.shape.rank else None
    if isinstance(value, GraphList):
        return None
    if isinstance(value, Staged):
        return value.static_length()
    return len(value) if has_member(value.__class__, "__len__") else None


def static_items(value: Any) -> list[Any] | None:
    """The elements one by one, if their number is known while the graph is built."""
    length = static_length(value)
    if length is None:
        return None
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return tf.unstack(value, num=length)
    if is_tensor(value):
        return [value[place] for place in range(length)]
    return list(value)


def beside(values: Sequence[Any]) -> list[Any]:
    """The arguments of a zip or map of which some are staged. A Python iterator gives as many as can be used."""
    lengths = [static_length(value) for value in values]
    known = [length for length in lengths if length is not None]
    limit = min(known) if known else None
    sources: list[Any] = []
    for place, value in enumerate(values):
        if not is_staged(value) and not has_member(value.__class__, "__len__"):
            if limit is None:
                raise TypeError(
                    f"A {type(value).__name__} is iterated together with a tensor of unknown length. Convert it to "
                    "a list or a tensor first."
                )
            moved, some = moved_with(value), cast("Iterator[Any]", itertools.islice(value, limit))
            sources.append(ListItems(list(some), moved))
            if limit not in lengths[:place]:
                next(value, None)  # Python finds out that another is at its end after it has taken this one's item.
        else:
            sources.append(as_sequence(value))
    return sources


def moved_iterators(value: Any) -> list[Any]:
    """The iterators from which a staged sequence has its items."""
    if isinstance(value, ListItems):
        return list(value.moved)
    return [one for part in value.parts() for one in moved_iterators(part)] if isinstance(value, Staged) else []


def choosable(source: Any) -> bool:
    """Whether an element can be chosen when the graph runs. Layers and functions can't."""
    if not isinstance(source, ListItems):
        return True
    if any(callable(part) and not is_tensor(part) for part in tf.nest.flatten(list(source.items))):
        return False
    try:
        element_of_values(source.items) if source.items else None
    except TypeError:
        return False
    return True


def _known_length(value: Staged) -> int:
    length = static_length(value)
    if length is None:
        raise TypeError(
            f"The length of this {value.name} is unknown until the graph runs, so Python can't iterate over it or "
            "unpack it. Loop over it with `for` in converted code."
        )
    return length
