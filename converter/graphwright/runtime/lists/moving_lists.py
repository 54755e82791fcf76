"""A list of the graph that constructs give as another object, while every name for it sees what it is now."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.births import changes_list
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import Element
from graphwright.runtime.lists.list_stores import ListStore


class MovingList:
    """What a list holds, and the list that it is now."""

    def __init__(self, store: ListStore, element: Element, name: str = "the list") -> None:
        self._store = self._first_store = store
        self._element = element
        self.name = name
        self.graph = tf.compat.v1.get_default_graph()
        self._moved_to: MovingList | None = None

    @property
    def store(self) -> ListStore:
        return self.last()._store

    @store.setter
    def store(self, store: ListStore) -> None:
        self.last()._store = store

    @property
    def element(self) -> Element:
        return self.last()._element

    @element.setter
    def element(self, element: Element) -> None:
        self.last()._element = element

    def move_to(self, other: MovingList) -> None:
        """The list is another object from now on, for every name."""
        if self.last() is not other.last():
            self.last()._moved_to = other

    @property
    def state(self) -> Any:
        """What the list is now, to be put back."""
        return self._store, self._element, self._moved_to, self.graph

    @state.setter
    def state(self, state: Any) -> None:
        self._store, self._element, self._moved_to, self.graph = state

    def last(self) -> MovingList:
        """The object that the list is now."""
        return self if self._moved_to is None else self._moved_to.last()

    def stand_ins(self) -> list[MovingList]:
        """The lists that it has been since a branch or iteration was given it, if it has changed there."""
        found: list[MovingList] = []
        now = self._moved_to
        while now is not None:
            found.append(now)
            now = now._moved_to
        has_changed = any(each._store is not each._first_store for each in found)
        return found if has_changed or len(found) > 1 else []

    def changes(self) -> None:
        """The list is about to be changed: in its own graph, or for a branch or iteration that is to carry it."""
        graph = tf.compat.v1.get_default_graph()
        if self.graph is not graph and not changes_list(self):
            raise TypeError(
                f"{self.name} is changed inside a staged loop, branch or traced function that doesn't carry it, so "
                "the change would be lost. Pass the list in and return it, or change it where it's created."
            )
        self.graph = graph
