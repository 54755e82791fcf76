"""Copies values, of whatever kind, as plain data that can be compared later: arrays, numbers, texts, lists and dicts.

It changes nothing and compares nothing.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .places import is_users

_DEEPEST = 8
_PLAIN = (bool, int, float, complex, str, bytes)


@dataclass(frozen=True)
class CopiedObject:
    """An object: its type's name, and its attributes."""

    kind: str
    parts: dict[str, Any]


@dataclass(frozen=True)
class Opaque:
    """A value of which only the type is compared."""

    kind: str


@dataclass(frozen=True)
class Symbolic:
    """A tensor without a value that a graph has left behind."""

    text: str


def copied(value: Any, tf: Any) -> Any:
    """A value as plain data."""
    return _copied(value, tf, (), _DEEPEST)


def state_of(module: types.ModuleType, function: Any, receiver: Any, given: Mapping[str, Any], tf: Any) -> Any:
    """All that a call may change and that can be found: arguments, the instance, closure, globals, class attributes."""
    found = {name: copied(value, tf) for name, value in given.items()}
    if receiver is not None:
        found["self"] = copied(receiver, tf)
    for name, value in _closure_of(function):
        if not _is_code(value):
            found.setdefault(name, copied(value, tf))
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and _is_users_class(value):
            found[name] = _class_attributes(value, tf)
        elif not name.startswith("__") and not _is_code(value):
            found.setdefault(name, copied(value, tf))
    return found


def variables_of(module: types.ModuleType, function: Any, receiver: Any, given: Mapping[str, Any], tf: Any) -> Any:
    """The variables of floats that can be found, with their places."""
    found = dict[int, tuple[str, Any]]()
    roots = {**given, "self": receiver, **dict(_closure_of(function))}
    for name, value in {**vars(module), **roots}.items():
        _collect(value, name, tf, found, set(), 4)
    return list(found.values())


def _copied(value: Any, tf: Any, around: tuple[int, ...], depth: int) -> Any:
    if value is None or isinstance(value, _PLAIN):
        return value
    if id(value) in around or depth == 0:
        return Opaque(type(value).__name__)
    tensor = _tensor(value, tf)
    if tensor is not None:
        return tensor

    def part(inner: Any) -> Any:
        return _copied(inner, tf, (*around, id(value)), depth - 1)

    if isinstance(value, Mapping):
        return {key: part(each) for key, each in list(cast("Mapping[Any, Any]", value).items())}
    if isinstance(value, (list, tuple)):
        items = cast("tuple[Any, ...]", value)
        if hasattr(items, "_fields"):
            return CopiedObject(
                type(items).__name__, {name: part(getattr(items, name)) for name in cast(Any, items)._fields}
            )
        return [part(each) for each in items] if isinstance(value, list) else tuple(part(each) for each in items)
    if isinstance(value, (set, frozenset)):
        return {each for each in cast("set[Any]", value) if isinstance(each, (*_PLAIN, type(None)))}
    return _object(value, part)


def _object(value: Any, part: Callable[[Any], Any]) -> Any:
    kind = cast("type[Any]", type(value))
    if _is_code(value):
        return Opaque(kind.__name__)
    parts = dict[str, Any]()
    if _is_users_class(kind):
        names = {name for each in kind.__mro__ for name in getattr(each, "__slots__", ()) if isinstance(name, str)}
        slots = {name: getattr(value, name) for name in sorted(names) if hasattr(value, name)}
        attributes = {**slots, **getattr(value, "__dict__", {})}
        hidden = "_" if _is_tracked(kind) else "__"
        left_out = ("name",) if _is_tracked(kind) else ()  # Keras numbers them
        for name, each in attributes.items():
            if not name.startswith(hidden) and name not in left_out and not _is_code(each):
                parts[name] = part(each)
    weights = getattr(value, "variables", None) if _is_tracked(kind) else None
    if isinstance(weights, (list, tuple)) and weights:
        parts["variables"] = part(list(cast("list[Any]", weights)))
    return CopiedObject(kind.__name__, parts) if parts else Opaque(kind.__name__)


def _tensor(value: Any, tf: Any) -> Any:
    """What of TensorFlow's or NumPy's has a value, as an array; None for anything else."""
    numpy: Any = sys.modules["numpy"]
    try:
        if isinstance(value, (numpy.ndarray, numpy.generic)):
            return numpy.array(value)
        if isinstance(value, tf.RaggedTensor):
            return value.to_list()
        if isinstance(value, tf.SparseTensor):
            return numpy.array(tf.sparse.to_dense(value))
        if isinstance(value, tf.TensorArray):
            return numpy.array(value.stack())
        if isinstance(value, tf.IndexedSlices):
            return numpy.array(tf.convert_to_tensor(value))
        if tf.is_tensor(value) or isinstance(value, tf.Variable) or _is_keras_variable(value):
            return numpy.array(value.numpy()) if hasattr(value, "numpy") else Symbolic(type(value).__name__)
    except Exception:  # a value of a graph, or one that can't be read, such as a variant
        return Symbolic(type(value).__name__) if tf.is_tensor(value) else Opaque(type(value).__name__)
    return None


def _is_keras_variable(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "keras" and hasattr(value, "assign") and hasattr(value, "numpy")


def _is_tracked(kind: type) -> bool:
    """Whether a class is Keras's or TensorFlow's below, whose instances have much that is theirs."""
    return any(base.__module__.partition(".")[0] in ("keras", "tf_keras", "tensorflow") for base in kind.__mro__)


def _is_users_class(kind: type) -> bool:
    module = sys.modules.get(kind.__module__)
    return is_users(str(getattr(module, "__file__", "") or ""))


def _is_code(value: Any) -> bool:
    plain = (types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)
    return isinstance(value, (*plain, staticmethod, classmethod, property)) or hasattr(value, "get_concrete_function")


def _class_attributes(kind: type, tf: Any) -> CopiedObject:
    held = {name: value for name, value in vars(kind).items() if not name.startswith("_") and not callable(value)}
    return CopiedObject("type", {name: copied(value, tf) for name, value in held.items() if not _is_code(value)})


def _closure_of(function: Any) -> list[tuple[str, Any]]:
    found = list[tuple[str, Any]]()
    code = getattr(function, "__code__", None)
    for name, cell in zip(getattr(code, "co_freevars", ()), getattr(function, "__closure__", None) or (), strict=False):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:  # empty until something is assigned
            continue
    return found


def _collect(value: Any, path: str, tf: Any, found: dict[int, tuple[str, Any]], seen: set[int], depth: int) -> None:
    if id(value) in seen or depth == 0 or isinstance(value, (types.ModuleType, type)):
        return
    seen.add(id(value))
    value = getattr(value, "_value", value) if _is_keras_variable(value) else value
    if isinstance(value, tf.Variable):
        if value.dtype.is_floating and value.trainable:
            found.setdefault(id(value), (path, value))
        return
    if isinstance(value, Mapping):
        parts = [(f"{path}[{key!r}]", each) for key, each in cast("Mapping[Any, Any]", value).items()]
    elif isinstance(value, (list, tuple)):
        parts = [(f"{path}[{index}]", each) for index, each in enumerate(cast("list[Any]", value))]
    elif _is_users_class(cast("type[Any]", type(value))):
        public = [(name, each) for name, each in getattr(value, "__dict__", {}).items() if not name.startswith("_")]
        parts = [(f"{path}.{name}", each) for name, each in public]
    elif _is_tracked(cast("type[Any]", type(value))) and isinstance(getattr(value, "trainable_weights", None), list):
        parts = [(f"{path}.trainable_weights[{at}]", each) for at, each in enumerate(value.trainable_weights)]
    else:
        parts = []
    for name, each in parts:
        _collect(each, name, tf, found, seen, depth - 1)
