"""Objects of generic classes that are made with their types: `Stack[int](...)`. Classes themselves are in `calls`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from graphwright.libraries import is_library_class

__all__ = ["constructor_of"]

_Item = TypeVar("_Item")
_GenericAlias: Any = type(Generic[_Item])  # pyright: ignore[reportGeneralTypeIssues]


def constructor_of(function: Any, converted: Callable[[Any], Any]) -> Any:
    """What makes an object of a generic class of the user's, if it is such a class with types; else None."""
    if cast("Any", type(function)) is not _GenericAlias:
        return None
    kind = function.__origin__
    is_users = isinstance(kind, type) and not is_library_class(kind)
    return functools.partial(_constructed, function, converted(kind)) if is_users else None


def _constructed(alias: Any, constructor: Any, /, *args: Any, **kwargs: Any) -> Any:
    made = constructor(*args, **kwargs)
    with contextlib.suppress(AttributeError):
        made.__orig_class__ = alias
    return made
