"""Deques whose length is known when the graph runs. They are lists of the graph that also change at their left end."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import failures
from graphwright.runtime.lists import graph_lists
from graphwright.runtime.lists.graph_lists import SLICE, GraphList

__all__ = ["GraphDeque"]


class GraphDeque(GraphList):
    """A deque, which drops elements at its other end where it keeps no more than so many."""

    @property
    def maxlen(self) -> int | None:
        return self.form.most

    def append(self, value: Any) -> None:
        super().append(value)
        self._drop(at_left=True)

    def appendleft(self, value: Any) -> None:
        super().insert(0, value)
        self._drop(at_left=False)

    def extend(self, values: Any) -> None:
        values = values if isinstance(values, GraphList) else graph_lists.items_of(values)
        super().extend(values)
        if isinstance(values, GraphList):
            self._drop(at_left=True)

    def extendleft(self, values: Any) -> None:
        values = values if isinstance(values, GraphList) else graph_lists.items_of(values)
        if isinstance(values, GraphList):
            count, length = values.length(), self.length()
            super().extend(values)
            self._arrange(lambda n: tf.where(n < count, length + count - 1 - n, n - count), count + length)
            self._drop(at_left=False)
            return
        for value in values:
            self.appendleft(value)

    def pop(self, index: Any = None) -> Any:
        if index is not None:
            raise TypeError("deque.pop() takes no arguments (1 given)")
        return super().pop()

    def popleft(self) -> Any:
        return super().pop(0)

    def insert(self, index: Any, value: Any) -> None:
        if self.maxlen is not None:
            check = failures.check(self.length() < self.maxlen, IndexError, "deque already at its maximum size")
            with tf.control_dependencies([] if check is None else [check]):
                super().insert(index, value)
            return
        super().insert(index, value)

    def rotate(self, steps: Any = 1) -> None:
        length = self.length()
        self._arrange(lambda number: tf.math.floormod(number - steps, tf.maximum(length, 1)), length)

    def sort(self, **_: Any) -> None:
        raise AttributeError("'collections.deque' object has no attribute 'sort'")

    def __getitem__(self, index: Any) -> Any:
        _refuse_slice(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_slice(index)
        super().__setitem__(index, value)

    def __delitem__(self, index: Any) -> None:
        _refuse_slice(index)
        super().pop(index)

    def _drop(self, at_left: bool) -> None:
        """Let go of the elements that are too many."""
        most, length = self.maxlen, self.length()
        if most is not None:
            first = tf.maximum(length - most, 0) if at_left else 0
            self._arrange(lambda number: number + first, tf.minimum(length, most))


def _refuse_slice(index: Any) -> None:
    if isinstance(index, SLICE):
        raise TypeError("sequence index must be integer, not 'slice'")
