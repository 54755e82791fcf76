"""Generator expressions: one element at a time where Python walks, as Python has them; at once where the graph does.

A condition that only the graph knows ends the walk: what is left then is a list that grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from graphwright.runtime.basis.context import by_graph, is_staging
from graphwright.runtime.basis.left_iterators import readable
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.comprehensions import Maker, collect, of_item, unrolled_with
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.staged_sequences import is_staged, static_items
from graphwright.runtime.lists.whole_lists import stacked


class UndecidedError(TypeError):
    """Only the graph knows whether an element is one of a generator's."""


def generate(element: Maker, iterable: Any, condition: Maker | None = None, flat: bool = False) -> Any:
    """`(element(x) for x in iterable if condition(x))`; with `flat`, each element is iterated over in turn."""
    if is_staging() and (is_staged(iterable) or isinstance(iterable, tf.data.Dataset)):
        return collect(element, iterable, condition, flat)
    return Elements(of_item(element), iterable, None if condition is None else of_item(condition), flat)


def generate_later(element: Maker, iterable: Any, condition: Maker | None = None, flat: bool = False) -> Any:
    """The same where nothing goes over it yet: what it reads may change until then, and it can be used up once."""
    kept = None if condition is None else of_item(condition)
    if not is_staging() or not (is_staged(iterable) or isinstance(iterable, tf.data.Dataset)):
        return _walked(of_item(element), iter(readable(iterable)), kept, flat, [])
    items = None if isinstance(iterable, tf.data.Dataset) else static_items(iterable)
    if items is None:
        raise TypeError(
            "The graph can't keep a generator expression for later if only the running graph knows how many elements "
            "it has. Write a list, `[... for ... in ...]`, or go over it where it stands."
        )
    return generate(element, items, condition, flat)


class Elements(Iterator[Any]):
    """What a generator expression gives; libraries ask what they are given for `items`, so all else is private."""

    def __init__(self, element: Maker, iterable: Iterable[Any], condition: Maker | None, flat: bool) -> None:
        self._element, self._condition, self._flat = element, condition, flat
        self._items = iter(readable(iterable))
        self._ahead: list[Any] = []
        self._undecided: list[tuple[Any, Any]] = []
        self._walk = _walked(self._element, self._items, condition, flat, self._undecided)

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        return self._ahead.pop(0) if self._ahead else next(self._walk)

    def close(self) -> None:
        """There are no more elements."""
        self._ahead, self._items, self._walk = [], iter(()), iter(())
        self._undecided.clear()

    def graphwright_whole(self) -> Any:
        """All elements that are left, as a list, or as one that grows."""
        ahead, self._ahead = self._ahead, []
        return unrolled_with(self._element, self._items, self._condition, self._flat, ahead, self._undecided)

    def parts(self) -> tuple[Maker, Any, Maker | None]:
        """What makes an element of an item, what it walks over, and the condition; of a flat one, nothing to walk."""
        return self._element, None if self._flat or self._ahead else self._items, self._condition

    def settled(self) -> Any:
        """The elements, or the list that grows if the graph decides about the first."""
        try:
            self._ahead += [next(self)]
        except StopIteration:
            pass
        except UndecidedError:
            return self.graphwright_whole()
        return self

    def left_to_graph(self) -> Iterator[Kept] | None:
        """The items from the first of which only the graph knows whether it is kept; nobody else goes on with them.

        None if it is something else that the graph knows.
        """
        if self._flat or not self._undecided:
            return None
        self._walk = _spent()
        return self._left()

    def _left(self) -> Iterator[Kept]:
        assert self._condition is not None, "there is nothing to decide"
        for item, test in self._undecided:
            yield _kept(self._element, item, _deciding(test))
        for item in self._items:
            yield _kept(self._element, item, self._condition)


def _walked(
    element: Maker, items: Iterator[Any], condition: Maker | None, flat: bool, undecided: list[tuple[Any, Any]]
) -> Iterator[Any]:
    """The elements; it holds nothing that holds it, so that what it walks over is closed with it."""
    for item in items:
        test = True if condition is None else condition(item)
        if by_graph(test):
            undecided[:] = [(item, test)]
            raise UndecidedError(
                "Only the graph knows whether this element is part of the generator expression, so Python can't "
                "iterate over it. Write a list: `[... for ... if ...]`."
            )
        if not test:
            continue
        if flat:
            yield from element(item)
        else:
            yield element(item)


Kept = tuple[Callable[[], Any], Callable[[], Any]]
"""What says whether an item of a generator expression is kept, and what makes the element of it."""


def _kept(element: Maker, item: Any, condition: Maker) -> Kept:
    return lambda: condition(item), lambda: element(item)


def _deciding(test: Any) -> Maker:
    def condition(_: Any) -> Any:
        return test

    return condition


def _spent() -> Iterator[Any]:
    raise UndecidedError(
        "Only the graph knows which element of this generator expression `next` has taken, so nobody can go on with "
        "the rest. Write a list, `[... for ... if ...]`, or a loop."
    )
    yield


def _as_tensor(value: Elements, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    del name, as_ref
    whole = value.graphwright_whole()
    return tf.convert_to_tensor(stacked(whole) if isinstance(whole, GraphList) else whole, dtype=dtype)


tf.register_tensor_conversion_function(Elements, _as_tensor)
