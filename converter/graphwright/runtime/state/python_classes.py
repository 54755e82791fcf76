"""Which class a value has eagerly, where one of the graph has its place: numbers, texts, lists, what may be None."""

from __future__ import annotations

import builtins
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, users_class
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import form_of
from graphwright.runtime.basis.python_values import python_kind, was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.undefined import Maybe, held, read


def is_instance(value: Any, kinds: Any, /) -> Any:
    """`isinstance(value, kinds)`; a tensor if the value may be None, as only the graph knows.

    A list that grows in the graph counts as a list, and a number of Python's as one.
    """
    if issubclass(builtins.type(value), Maybe):
        inside = held(value)
        if not inside.none:
            return is_instance(inside.get(), kinds)
        of_value, of_none = is_instance(inside.value, kinds), builtins.isinstance(None, kinds)
        if of_value is of_none:
            return of_none
        return inside.defined if of_value else tf.logical_not(inside.defined)
    if builtins.isinstance(value, kinds):
        return True
    kind = _eager_class(value)
    return kind is not None and _covers(kinds, kind)


def known_instance(value: Any, kinds: Any, /) -> bool:
    """`isinstance(value, kinds)` where Python decides."""
    found = is_instance(value, kinds)
    if not builtins.isinstance(found, bool):
        raise TypeError(_unknown(value))
    return found


def class_of(value: Any, /, *base: Any, **options: Any) -> Any:
    """`type(value)`, as it is eagerly; with more arguments, `type` makes a class."""
    if base or options:
        return builtins.type(value, *base, **options)
    if issubclass(builtins.type(value), Maybe):
        if held(value).none:
            raise TypeError(_unknown(value))
        value = read(value)
    return _eager_class(value) or users_class(builtins.type(value))


def read_class(value: Any, /) -> Any:
    """`value.__class__`, as it is eagerly."""
    if issubclass(builtins.type(value), Maybe):
        return class_of(value)
    return _eager_class(value) or value.__class__


def _eager_class(value: Any) -> type | None:
    """The class of Python's that a value of the graph has eagerly; None for any other value."""
    if was_python(value):
        return python_kind(value)
    now = current(value)
    if not has_member(cast("Any", builtins.type(now)), "graphwright_truth"):
        return None
    form = form_of(now)
    return list if form is None else form.kind


def _covers(kinds: Any, wanted: type) -> bool:
    members: Any = cast(Any, kinds) if builtins.isinstance(kinds, tuple) else getattr(kinds, "__args__", None)
    if members:
        return any(_covers(kind, wanted) for kind in members)
    return issubclass(wanted, kinds)


def _unknown(value: Any) -> str:
    name = held(value).name
    return f"the class of '{name}' is only known when the graph runs: it may be None. Test it with `is None` instead"
