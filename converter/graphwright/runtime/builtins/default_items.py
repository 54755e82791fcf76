"""Items of a `defaultdict` that it may lack: who reads one sets it first, if the graph finds that it isn't there."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.missing_keys import has_missing_keys, is_missing
from graphwright.runtime.control.conditionals import if_
from graphwright.runtime.functions import calls
from graphwright.runtime.state.undefined import held


class DefaultItems:
    """Such a `defaultdict`, as who reads or sets an item of it sees it."""

    def __init__(self, container: Any) -> None:
        self._container = container

    def __getitem__(self, key: Any) -> Any:
        if is_missing(self._container.get(key)):
            _set_missing(self._container, key)
        return self._container[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._container[key] = value


def _set_missing(container: Any, key: Any) -> None:
    missing = held(container[key])

    def is_there(state: Any) -> Any:
        state[key] = held(state[key]).value
        return state

    def is_made(state: Any) -> Any:
        state[key] = calls.converted(state.default_factory)()
        return state

    if_(missing.defined, is_there, is_made, container, names=(missing.name.removesuffix(f"[{key!r}]"),))


def as_read(container: Any) -> Any:
    """A `defaultdict` as who reads an item sees it."""
    # Without a factory it is a dict like any other.
    may_set = container.default_factory is not None and has_missing_keys(container)
    return DefaultItems(container) if may_set else container
