"""What an object holds, as far as the user's code has put it there: in containers, attributes, closures and defaults.

Who asks for that, and from where, is decided elsewhere.
"""

from __future__ import annotations

import argparse
import collections
import functools
import gc
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, cast
from weakref import WeakKeyDictionary

from graphwright.closures import closure_of
from graphwright.libraries import is_library_module
from graphwright.runtime.basis.attributes import attributes_of, chosen_from
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.grown_lists import Grown
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.moving_lists import MovingList
from graphwright.runtime.state.containers import is_tracked

# Untyped, as what is in it is anything.
_DICT: Any = dict
_LIST: Any = list
_TUPLE: Any = tuple


def held_by(value: Any) -> Iterable[tuple[Any, Any]]:
    """What an object holds, as far as the user's code has put it there, with the name, place or key of each."""
    return reader_of(value)(value)


def reader_of(value: Any) -> Reader:
    """How to read what an object holds."""
    kind = cast("type[Any]", type(value))
    reader = _readers.get(kind)
    if reader is None:
        reader = _reader_of(value)
        if value.__class__ is kind:
            # Others only say what they are, each for itself.
            _readers[kind] = reader
    return reader


Reader = Callable[[Any], Iterable[tuple[Any, Any]]]

_readers: WeakKeyDictionary[type, Reader] = WeakKeyDictionary()
"""How to read what objects of a class hold."""


def _reader_of(value: Any) -> Reader:
    if chosen_from(value):
        return lambda value: _unnamed(chosen_from(value))
    for kinds, reader in _READERS:
        if isinstance(value, kinds):
            return reader
    if isinstance(value, type):
        return of_class
    if cast("type[Any]", type(value)) in _OPEN:
        return _attributes
    if is_tensor(value) or is_library_module(cast("type[Any]", type(value)).__module__ or ""):
        return of_nothing
    return of_instance


def _unnamed(*held: Iterable[Any]) -> list[tuple[str, Any]]:
    return [("", each) for several in held for each in several]


def of_nothing(_: Any) -> Iterable[tuple[str, Any]]:
    return ()


def of_list(value: Any) -> Iterable[tuple[Any, Any]]:
    if is_tracked(cast("type[Any]", type(value))):
        return _unnamed((value._storage,))  # The user's own list, which TensorFlow has wrapped for a module.
    kind: Any = _LIST if isinstance(value, _LIST) else _TUPLE
    is_own = issubclass(cast("type[Any]", type(value)), kind)  # Those of a module only say that they are tuples.
    items: Iterable[Any] = kind.__iter__(value) if is_own else value
    return enumerate(items)


def of_dict(value: Any) -> Iterable[tuple[Any, Any]]:
    if issubclass(cast("type[Any]", type(value)), _DICT):
        return list(_DICT.items(value))
    # Those of a module only say that they are dicts.
    wrapped = getattr(value, "__wrapped__", None)
    return list(value.items()) if wrapped is None else _unnamed((wrapped,))


def of_function(value: Any) -> Iterable[tuple[str, Any]]:
    if value.__closure__ is None and value.__defaults__ is None and value.__kwdefaults__ is None:
        return ()
    named: dict[str, Any] = value.__kwdefaults__ or {}
    return [*closure_of(value).items(), *_unnamed(value.__defaults__ or (), named.values())]


def of_set(value: Any) -> Iterable[tuple[str, Any]]:
    return _unnamed(value)


def of_method(value: Any) -> Iterable[tuple[str, Any]]:
    return _unnamed((value.__self__, value.__func__))


def of_view(value: Any) -> Iterable[tuple[str, Any]]:
    """What is seen through a view of a dict: the dict."""
    return _unnamed(gc.get_referents(value))


def of_builtin(value: Any) -> Iterable[tuple[str, Any]]:
    return () if isinstance(value.__self__, types.ModuleType) else _unnamed((value.__self__,))


_EMPTY: Any = {}
_READERS: tuple[tuple[Any, Reader], ...] = (
    ((list, tuple), of_list),
    (dict, of_dict),
    (types.FunctionType, of_function),
    (types.MethodType, of_method),
    (types.BuiltinMethodType, of_builtin),
    (functools.partial, lambda value: _unnamed((value.func,), value.args, value.keywords.values())),
    ((set, frozenset, deque), of_set),
    (tuple(map(type, (_EMPTY.keys(), _EMPTY.values(), _EMPTY.items()))), of_view),
    (types.ModuleType, of_nothing),
    (Grown, lambda value: _unnamed((value.list,))),
    (MovingList, lambda value: _unnamed((value.last(),))),
)


_OPEN = frozenset({types.SimpleNamespace, argparse.Namespace, collections.UserDict, collections.UserList, tf.Module})
"""Classes of libraries whose objects hold what the user's code puts there."""


def of_class(value: Any) -> Iterable[tuple[str, Any]]:
    return () if is_library_module(value.__module__ or "") else _attributes(value)


def of_instance(value: Any) -> Iterable[tuple[str, Any]]:
    return [*_attributes(value), ("", cast("type[Any]", type(value)))]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    # TensorFlow's notes in modules are nobody's.
    return [(name, held) for name, held in attributes_of(value).items() if not name.startswith("_self_")]
