"""What the analysis would say of live objects of a trace, by what they look like; TensorFlow isn't needed for that."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, cast

from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    Array,
    Composite,
    Constant,
    Dataset,
    DType,
    Object,
    Scalar,
    StaticShape,
    Tensor,
    TensorArray,
    Tuple,
    Value,
    Variable,
)

from graphwright.eject.observations import GROWN_DEQUE, GrownList, StateObject
from graphwright.libraries import is_library_value

_DEPTH, _MOST = 3, 64
_PLAIN = (bool, int, float, complex, str, bytes)
_LISTS = {
    "GraphList": "list",
    "TypedList": "list",
    "ListWrapper": "list",
    "_DictWrapper": "dict",
    "GraphDeque": GROWN_DEQUE,
}


def value_of(held: Any, depth: int = 0) -> Value:
    """What is known of an object by looking at it now."""
    if held is None:
        return NONE
    kind = cast("type[Any]", type(held))
    if kind.__name__ == "list" and kind.__module__.startswith("graphwright.") and issubclass(kind, list):
        # One of several lists, which the graph has chosen.
        kind = list
    if kind in _PLAIN:
        return Constant(held)
    if kind in (list, dict) and depth < _DEPTH and len(held) <= _MOST:
        names = tuple(held) if kind is dict else tuple(range(len(held)))
        items = tuple(value_of(item, depth + 1) for item in (held.values() if kind is dict else held))
        return StateObject(id(held), kind.__name__, names=names, items=items)
    if kind in (list, dict, set):
        return Object(id(held), kind.__name__)
    if isinstance(held, tuple):
        parts = cast("tuple[Any, ...]", held)
        return Tuple(tuple(value_of(item, depth + 1) for item in parts[:_MOST]), tuple(getattr(parts, "_fields", ())))
    names = {base.__name__ for base in kind.__mro__}
    if kind.__module__.startswith("graphwright."):
        if "Tensor" in names:
            return Tensor(_dtype(held), _shape(held.shape), number=True)
        return _of_our_own(held, kind.__name__)
    if isinstance(held, (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, type)):
        return Api(getattr(held, "__name__", kind.__name__))
    if dataclasses.is_dataclass(held) and depth < _DEPTH:
        return _of_dataclass(held, depth)
    return _of_tensorflow(held, names) or Object(id(held), _LISTS.get(kind.__name__, kind.__name__))


def special_function(kind: type, name: str) -> types.FunctionType | None:
    """The function of the user's for a special method or a property of a class; None for any other attribute."""
    found: Any = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if type(found) is property:
        found = found.fget
    elif not name.startswith("__"):
        return None
    return found if isinstance(found, types.FunctionType) and not is_library_value(found) else None


def _of_dataclass(held: Any, depth: int) -> Value:
    kind = cast("type[Any]", type(held))
    fields = dataclasses.fields(held)
    simple = all(field.init and not field.kw_only for field in fields) and not hasattr(kind, "__post_init__")
    generated = getattr(kind.__init__, "__code__", None)
    items = tuple(value_of(getattr(held, field.name, None), depth + 1) for field in fields)
    rebuilds = simple and generated is not None and generated.co_filename == "<string>"
    return StateObject(id(held), kind.__name__, names=tuple(f.name for f in fields), items=items, rebuilds=rebuilds)


def _of_our_own(held: Any, name: str) -> Value:
    element: Any = getattr(held, "element", None) if name == "GraphList" else None
    if type(element).__name__ == "Element" and element.simple and (dtype := _dtype(element.leaves[0])):
        return GrownList(id(held), "list", dtype=dtype, shape=_shape(element.leaves[0].shape))
    if name in _LISTS:
        return Object(id(held), _LISTS[name])
    if name == "StagedRange":
        return Tensor(_dtype(getattr(held, "stop", None)) or "int32", (None,), is_range=True)
    if getattr(held, "graphwright_stands_for_tensor", False) or name in ("Enumerated", "Zipped", "Backwards", "Mapped"):
        return Tensor()
    return UNKNOWN


def _of_tensorflow(held: Any, names: set[str]) -> Value | None:
    if "RaggedTensor" in names:
        return Composite("RaggedTensor", _dtype(held))
    if "SparseTensor" in names:
        return Composite("SparseTensor", _dtype(held))
    if "TensorArray" in names:
        return TensorArray(_dtype(held))
    if "DatasetV2" in names:
        return Dataset(value_of_spec(held.element_spec))
    if "OwnedIterator" in names or "IteratorBase" in names:
        return Dataset(value_of_spec(held.element_spec), iterator=True)
    if "DType" in names:
        return DType(held.name)
    if "TensorShape" in names:
        return StaticShape(_shape(held))
    if "Variable" in names and hasattr(held, "assign_add"):
        return Variable(_dtype(held), _shape(held.shape))
    if names & {"Tensor", "SymbolicTensor", "EagerTensor"} and _dtype(held):
        return Tensor(_dtype(held), _shape(held.shape))
    if names & {"ndarray", "generic"} and _dtype(held):
        return Array(_dtype(held), tuple(held.shape))
    if "bool" in names or "int" in names or "float" in names or "str" in names:
        plain = next(kind for kind in _PLAIN if isinstance(held, kind))
        return Scalar(plain)
    return None


def value_of_spec(spec: Any) -> Value:
    """What a `tf.TypeSpec` stands for."""
    if isinstance(spec, (tuple, list)):
        return Tuple(tuple(value_of_spec(part) for part in cast("tuple[Any, ...]", spec)))
    name = type(spec).__name__
    if name in ("RaggedTensorSpec", "SparseTensorSpec"):
        return Composite("RaggedTensor" if name[0] == "R" else "SparseTensor", _dtype(spec))
    return Tensor(_dtype(spec), _shape(spec.shape)) if _dtype(spec) and hasattr(spec, "shape") else UNKNOWN


def _dtype(held: Any) -> str | None:
    name = getattr(getattr(held, "dtype", None), "name", None)
    return name if isinstance(name, str) else None


def _shape(shape: Any) -> tuple[int | None, ...] | None:
    if getattr(shape, "rank", 0) is None:
        return None
    return tuple(size if size is None else int(size) for size in shape)
