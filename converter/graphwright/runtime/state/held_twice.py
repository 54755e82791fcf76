"""Which lists and dicts a branch or iteration leaves under more than one name, attribute or key.

What one branch leaves where it was, and the other gives to another attribute, isn't: each run has it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.state.choices import options_of
from graphwright.runtime.state.containers import parts
from graphwright.runtime.state.contents import is_plain, the_same_before
from graphwright.runtime.state.places import Contents
from graphwright.runtime.state.undefined import behind


def held_twice(sides: Iterable[Sequence[Any]], places: Sequence[Any]) -> frozenset[int]:
    """The ids of those that a side has under several paths, or may have; the last values are those at the places."""
    found: set[int] = set()
    for side in sides:
        paths: dict[int, set[Any]] = {}
        first = len(side) - len(places)
        for index, value in enumerate(side):
            is_contents = index >= first and isinstance(places[index - first], Contents)
            for path, each in _within(value, (index,), set()):
                if not (is_contents and len(path) == 1):
                    paths.setdefault(id(each), set()).add(path)
        found.update(key for key, under in paths.items() if len(under) > 1)
    return frozenset(found)


def held_in(values: Iterable[Any]) -> set[int]:
    """The ids of those that are among these values, or in them, or may be."""
    return {id(each) for value in values for _, each in _within(value, (), set())}


def _within(value: Any, path: tuple[Any, ...], around: set[int]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The lists and dicts that a value is or may be, and those in it, each with its path."""
    value = behind(value)
    if not is_plain(value) and not isinstance(value, _TUPLE):
        yield from ((path, option) for option in options_of(value) if isinstance(option, (list, dict, DEQUE)))
    elif id(value) not in around:
        if is_plain(value):
            yield path, the_same_before(value)
        for key, part in parts(value):
            yield from _within(part, (*path, key), around | {id(value)})


_TUPLE: Any = tuple  # Untyped, so that what was checked against it is still anything.
