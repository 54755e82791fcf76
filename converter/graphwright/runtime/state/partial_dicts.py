"""Dicts that hold some of their keys only if the graph says so when it runs: `in`, `len`, `get` and others of them.

Under such a key is a `Maybe` that is named by a `MissingKey`, which fails as Python does where it is read and isn't
there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.missing_keys import has_missing_keys, is_missing, refuse_all_keys
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.joining import Join, join
from graphwright.runtime.state.undefined import Maybe, held

_ABSENT = object()


def has_key(container: dict[Any, Any], key: Any) -> Any:
    """`key in container`."""
    value = container.get(key, _ABSENT)
    return held(value).defined if is_missing(value) else value is not _ABSENT


def count_keys(container: dict[Any, Any]) -> Any:
    """`len(container)`."""
    sure = sum(not is_missing(value) for value in container.values())
    there = [held(value).defined for value in container.values() if is_missing(value)]
    return sure + tf.add_n([tf.cast(each, tf.int32) for each in there])


def method_of(function: Any) -> Callable[..., Any]:
    """What is called instead of a method of such a dict; any other built-in function is called as it is."""
    container, name = function.__self__, function.__name__
    if not has_missing_keys(container):
        return function
    if name in _METHODS:
        return lambda *args: _METHODS[name](container, *args)
    if name in ("items", "keys", "values", "popitem"):
        return lambda: refuse_all_keys(container)
    return function


def _get(container: dict[Any, Any], key: Any, default: Any = None) -> Any:
    value = container.get(key, default)
    if not is_missing(value):
        return value
    inside = held(value)
    if default is None:
        return Maybe(inside.defined, inside.value, str(inside.name), True)
    name = f"{inside.name} or its default"
    node = join(describe(inside.value), describe(default), name, Join())
    chosen: Any = tf.cond(inside.defined, lambda: node.leaves(inside.value), lambda: node.leaves(default))
    return node.build(iter(chosen))


def _setdefault(container: dict[Any, Any], key: Any, default: Any = None) -> Any:
    container[key] = _get(container, key, default)
    return container[key]


def _pop(container: dict[Any, Any], key: Any, *default: Any) -> Any:
    if not is_missing(container.get(key)):
        return container.pop(key, *default)
    value = _get(container, key, *default) if default else held(container[key]).get()
    del container[key]
    return value


_METHODS: dict[str, Callable[..., Any]] = {"get": _get, "setdefault": _setdefault, "pop": _pop}
