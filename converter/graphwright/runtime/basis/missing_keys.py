"""Keys that a dict holds only if the graph says so when it runs: how they are known and, where need be, refused."""

from __future__ import annotations

import weakref
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.plain_containers import DICTS

may_be_missing: weakref.WeakSet[Any] = weakref.WeakSet()
"""All values that may be missing. Almost always empty: then no dict has to be gone through."""
_any_missing: set[Any] = cast("Any", may_be_missing).data


class MissingKey(str):
    """How the user writes an item of a dict that the graph may leave without its key: the name of its value."""

    key: Any
    default: Any
    """What is read where there is no such key; None if that is an error."""

    def __new__(cls, container: str, key: Any, default: Any = None) -> MissingKey:
        made = super().__new__(cls, f"{container}[{key!r}]")
        made.key, made.default = key, default
        return made


def is_missing(value: Any) -> bool:
    """Whether the value of a key may be missing with it; in `vars` of an object, that of an attribute."""
    kind = cast("Any", type(value))
    if not has_member(kind, "graphwright_held"):
        return False
    return isinstance(value.graphwright_held.name, MissingKey) or not value.graphwright_held.none


def present(value: Any) -> Any:
    """A value that may be missing, asserted to be there when the graph runs; any other as it is."""
    kind = cast("Any", type(value))
    return value.graphwright_held.get() if has_member(kind, "graphwright_held") else value


def _name_of(value: Any) -> Any:
    """How the user writes a value that may be missing; None for any other."""
    kind = cast("Any", type(value))
    return value.graphwright_held.name if has_member(kind, "graphwright_held") else None


def has_missing_keys(container: Any) -> bool:
    """Whether it is a dict whose keys only the run knows."""
    return type(container) in DICTS and bool(_any_missing) and any(map(is_missing, container.values()))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def refuse_all_keys(container: Any) -> None:
    """Raise the error for what goes over all keys, if only the run knows them."""
    if not has_missing_keys(container):
        return
    key, value = next(item for item in container.items() if is_missing(item[1]))
    raise TypeError(
        f"only the graph knows, when it runs, whether there is {_name_of(value)}, so this can't go over the keys: set "
        f"the key on every path before, or ask for it with {key!r} in the dict"
    )
