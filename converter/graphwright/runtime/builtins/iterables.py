"""`range`, `enumerate`, `zip`, `map`, `filter`, `reversed`, `iter` and `next` of tensors and datasets in a graph.

Of Python values, and outside of a graph, each is exactly the builtin.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any, Literal, cast

from graphwright.runtime.basis import generator_calls
from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import note_new
from graphwright.runtime.basis.context import is_staging, is_symbolic, is_tensor
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.left_iterators import any_left, readable, refuse_left
from graphwright.runtime.basis.missing_keys import present
from graphwright.runtime.basis.older_iterators import refuse_older
from graphwright.runtime.basis.outcomes import last, more
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.conditionals import if_, staged_if
from graphwright.runtime.control.generator_loops import generator_run
from graphwright.runtime.control.loops import for_
from graphwright.runtime.control.results import pending, returned
from graphwright.runtime.errors import failures
from graphwright.runtime.functions import calls
from graphwright.runtime.lists.gathering import grown, itself
from graphwright.runtime.lists.generators import Elements, Kept, UndecidedError
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.staged_sequences import (
    Backwards,
    Enumerated,
    Mapped,
    Picked,
    StagedRange,
    Zipped,
    as_sequence,
    beside,
    choosable,
    is_staged,
    static_items,
    static_length,
)

__all__ = ["StagedIterator", "enumerate", "filter", "iter", "map", "next", "range", "reversed", "zip"]

MISSING = object()


def range(*arguments: Any) -> Any:
    arguments = tuple(builtins.map(present, arguments))
    if not builtins.any(is_symbolic(argument) for argument in arguments):
        return builtins.range(*arguments)
    if len(arguments) > 3:
        raise TypeError(f"range expected at most 3 arguments, got {len(arguments)}")
    given: list[Any] = [0, *arguments] if len(arguments) == 1 else list(arguments)
    start, stop, step = [*given, 1][:3]
    start, stop, step = _one_dtype((start, stop, step))
    if isinstance(step, int) and step == 0:
        raise ValueError("range() arg 3 must not be zero")
    if is_tensor(step):
        check = failures.check(tf.not_equal(step, 0), ValueError, "range() arg 3 must not be zero")
        with tf.control_dependencies([] if check is None else [check]):
            step = tf.identity(step)
    return StagedRange(start, stop, step)


def enumerate(xs: Any, start: Any = 0) -> Any:
    if _is_dataset(xs):
        numbered = xs.enumerate(tf.cast(start, tf.int64))
        return numbered.map(_with_int)
    xs = readable(current(xs))
    if is_staged(xs):
        return Enumerated(as_sequence(xs), start)
    if generator_run(xs) is not None:
        return generator_calls.enumerated(xs, start)
    if is_symbolic(start):
        return [(start + place, x) for place, x in builtins.enumerate(xs)]
    return builtins.enumerate(xs, start)


def _with_int(index: Any, item: Any) -> tuple[Any, Any]:
    return tf.cast(index, tf.int32), item


def zip(*iterables: Any, strict: bool = False) -> Any:
    if builtins.any(_is_dataset(xs) for xs in iterables):
        return tf.data.Dataset.zip(tuple(_as_dataset(xs) for xs in iterables))
    iterables = tuple(builtins.map(current, iterables))
    if any_left:
        refuse_left(*iterables)
    if not builtins.any(is_staged(xs) for xs in iterables):
        return builtins.zip(*iterables, strict=True) if strict else builtins.zip(*iterables, strict=False)
    sources = beside(iterables)
    if builtins.all(choosable(source) for source in sources):
        return Zipped(sources, strict)
    columns = _columns("zip", sources)
    return builtins.zip(*columns, strict=True) if strict else builtins.zip(*columns, strict=False)


def map(function: Callable[..., Any], *iterables: Any) -> Any:
    if any_left:
        refuse_left(*iterables)
    if builtins.any(_is_dataset(xs) for xs in iterables):
        if len(iterables) > 1:
            return zip(*iterables).map(_converted(function))
        return builtins.next(builtins.iter(iterables)).map(_whole(function))
    if len(iterables) == 1 and generator_run(iterables[0]) is not None:
        return generator_calls.mapped(function, iterables[0])
    if not builtins.any(is_staged(xs) for xs in iterables):
        return builtins.map(_converted(function), *iterables) if is_staging() else builtins.map(function, *iterables)
    sources = beside(iterables)
    function = _converted(function)
    if builtins.all(choosable(source) for source in sources):
        return Mapped(function, sources)
    return builtins.map(function, *_columns("map", sources))


def filter(function: Callable[[Any], Any] | None, xs: Any) -> Any:
    if any_left:
        refuse_left(xs)
    if _is_dataset(xs):
        return xs.filter(_whole(function or _truth))
    if generator_run(xs) is not None:
        return generator_calls.filtered(function, xs)
    if not is_staged(xs):
        return _filtered(function, xs) if is_staging() else builtins.filter(function, xs)
    source = as_sequence(xs)
    keep = _converted(function) if function is not None else _truth

    def kept(index: Any) -> Any:
        return tf.reshape(tf.cast(keep(source.get(index)), tf.bool), [])

    flags = tf.map_fn(kept, tf.range(source.length()), fn_output_signature=tf.bool)
    return Picked(source, tf.cast(tf.where(flags)[:, 0], tf.int32))


def reversed(xs: Any) -> Any:
    if _is_dataset(xs):
        raise TypeError(
            f"'{type(xs).__name__}' object is not reversible: a Dataset can only be read forward. Reverse its "
            "source, or collect it into a tensor and use `tf.reverse`."
        )
    if is_staged(xs):
        return Backwards(as_sequence(xs))
    made = builtins.reversed(xs)
    note_new(made)
    return made


class StagedIterator:
    """`iter` of a tensor or of a staged sequence: `next` moves it on."""

    def __init__(self, source: Any, position: Any) -> None:
        self.source, self.position = source, position
        self.graph = tf.compat.v1.get_default_graph()

    def graphwright_flatten(self) -> tuple[list[Any], Callable[[Any], StagedIterator]]:
        return [self.position], lambda tensors: StagedIterator(self.source, tensors[0])

    def __iter__(self) -> StagedIterator:
        return self

    def __next__(self) -> Any:
        if not isinstance(self.position, int) or static_length(self.source) is None:
            raise TypeError(
                "The number of elements left in this iterator is unknown until the graph runs, so Python can't "
                "iterate over it. Loop over it with `for` in converted code, or over the tensor itself."
            )
        return self.advance(MISSING)

    def advance(self, default: Any) -> Any:
        self.check_owner()
        known = static_length(self.source)
        if known is not None and isinstance(self.position, int):
            return self._advance_known(known, default)
        position, more = self.position, self.position < tf.cast(self.source.length(), tf.int32)
        if default is MISSING:
            check = failures.check(more, StopIteration, "the iterator has no more elements")
            with tf.control_dependencies([] if check is None else [check]):
                position = tf.identity(position)
            self.position = position + 1
            return self.source.get(position)
        self.position = tf.where(more, position + 1, position)
        return _or_default(more, lambda: self.source.get(position), default)

    def _advance_known(self, length: int, default: Any) -> Any:
        """How many there are and how many were taken is known while the graph is built."""
        if self.position < length:
            self.position += 1
            return self.source.get(self.position - 1)
        if default is MISSING:
            raise StopIteration
        return default

    def check_owner(self) -> None:
        """Raised where a move would be lost."""
        if tf.compat.v1.get_default_graph() is not self.graph:
            raise TypeError(
                "next() advances an iterator over a tensor inside a loop or branch in the graph, which would lose "
                "the new position. Loop over the tensor itself, or use an index variable."
            )


def iter(xs: Any, *sentinel: Any) -> Any:
    if sentinel or not is_staged(xs):
        made = builtins.iter(xs, *sentinel)
        if made is not xs:
            note_new(made)
        return made
    return StagedIterator(as_sequence(xs), 0)


def next(iterator: Any, *default: Any) -> Any:
    if any_left:
        refuse_left(iterator, begins=False)
    if isinstance(iterator, Elements):
        refuse_older(iterator)
        try:
            return builtins.next(iterator, *default)
        except UndecidedError:
            left = iterator.left_to_graph()
        if left is not None:
            return _first_kept(left, default)
        iterator = iterator.graphwright_whole()
    given = iterator
    if isinstance(iterator, (list, GraphList)) and is_staging():  # of a generator expression
        given = iter(cast(Any, iterator))
    if isinstance(given, StagedIterator):
        return given.advance(default[0] if default else MISSING)
    if default and is_staging() and isinstance(given, tf.data.Iterator):
        optional = given.get_next_as_optional()
        return _or_default(optional.has_value(), optional.get_value, default[0])
    refuse_older(given)
    return builtins.next(given, *default)


def _first_kept(items: Iterator[Kept], default: tuple[Any, ...]) -> Any:
    """The element of the first item that is kept, which only the graph knows; those after it aren't asked for."""

    def turn(item: Kept, result: Any) -> Any:
        is_kept, element = item
        return if_(is_kept(), lambda: last(returned(element())), lambda: more(result))

    def instead() -> Any:
        return default[0] if default else failures.raise_(StopIteration("no element meets the condition"))

    found = for_(items, turn, pending)
    return if_(found.given, lambda: found.value, instead, names=("the next element",))


def _or_default(more: Any, value: Callable[[], Any], default: Any) -> Any:
    if default is None:
        return staged_if(more, value, lambda: None, ("the next element",))
    found: list[Any] = []

    def taken() -> Any:
        found.append(tf.nest.map_structure(tf.convert_to_tensor, value()))
        return found[0]

    def instead() -> Any:
        def fitted(part: Any, like: Any) -> Any:
            return tf.convert_to_tensor(part, like.dtype)

        return tf.nest.map_structure(fitted, default, found[0])

    return tf.cond(more, taken, instead)


def _one_dtype(parts: tuple[Any, ...]) -> list[Any]:
    tensors = [tf.convert_to_tensor(part) for part in parts if is_tensor(part)]
    for tensor in tensors:
        if not tensor.dtype.is_integer:
            raise TypeError(
                f"range() requires integers, not a {tensor.dtype.name} tensor. "
                "Cast it with `tf.cast(..., tf.int32)`, or use `tf.range` for floats."
            )
    widest = max((tensor.dtype for tensor in tensors), key=lambda dtype: dtype.size)
    if widest.size < 4:
        widest = tf.int32
    return [tf.cast(part, widest) if is_tensor(part) else part for part in parts]


def _is_dataset(xs: Any) -> bool:
    return isinstance(xs, tf.data.Dataset) and is_staging()


def _as_dataset(xs: Any) -> Any:
    if isinstance(xs, tf.data.Dataset):
        return xs
    if isinstance(xs, StagedRange):
        return tf.data.Dataset.from_tensor_slices(xs.tensor())
    if is_tensor(xs):
        return tf.data.Dataset.from_tensor_slices(xs)
    if is_staged(xs):
        return tf.data.Dataset.from_tensor_slices(tf.convert_to_tensor(grown(xs)))
    if not has_member(xs.__class__, "__len__"):
        raise TypeError(
            f"A {type(xs).__name__} can't be zipped with a Dataset in a graph. Convert it to a Dataset or a list."
        )
    return tf.data.Dataset.from_tensor_slices(tf.stack(list(xs)))


def _columns(what: Literal["zip", "map"], sources: list[Any]) -> list[list[Any]]:
    columns: list[list[Any]] = []
    for source in sources:
        items = static_items(source)
        if items is None:
            raise TypeError(
                f"{what} iterates over a tensor of unknown length together with Python objects, which a graph can't "
                "select. Give the tensor a static length, or convert the objects to tensors."
            )
        columns.append(items)
    return columns


def _whole(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one element, though Dataset.map spreads tuples over the arguments."""
    function = _converted(function)
    return lambda *parts: function(parts[0] if len(parts) == 1 else parts)


def _filtered(function: Callable[[Any], Any] | None, xs: Any) -> Any:
    """`filter` of Python values in a graph, where the test of an element may still be a tensor."""
    keep = _converted(function) if function is not None else _truth
    return Elements(itself, xs, keep, False).settled()


def _truth(value: Any) -> Any:
    return tf.cast(value, tf.bool) if is_symbolic(value) else value


def _converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """User code that is called from here is converted as well."""
    return calls.converted(function) if calls.convert_function is not None else function
