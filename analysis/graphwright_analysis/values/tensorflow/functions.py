"""What a TensorFlow function returns for arguments of known dtype and shape, by the table asked of TensorFlow.

A function that isn't in the table gives None: nothing is known of it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, cast

from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    DType,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    is_tensor_like,
    shape_of,
)
from graphwright_analysis.values.shapes import Shape

from . import indexing

Elements = Callable[[Value], "tuple[Value, ...] | None"]

_DTYPE_PARAMETERS = ("dtype", "output_type", "out_type", "type", "index_type", "out_idx")
_REDUCTION_PARAMETERS = ("axis", "keepdims")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table says of one function."""

    parameters: tuple[str, ...]
    deciding: tuple[str, ...]
    dtypes: Any
    shape: str | None
    gives_list: bool
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of tensors; the trace gives it an identity."""

    elements: tuple[Value, ...] | None
    element: Value


@functools.cache
def _table() -> dict[str, Any]:
    return json.loads(resources.files(__name__.rpartition(".")[0]).joinpath("table.json").read_text("utf-8"))


@functools.cache
def entry(name: str) -> Entry | None:
    """The table's entry for `reduce_sum`, `math.log`..., by any of its public names."""
    table = _table()
    name = table["aliases"].get(name, name)
    found = table["functions"].get(name)
    if found is None:
        return None
    parameters = tuple(found["params"])
    deciding = tuple(found.get("of") or parameters[:1])
    shape, fields = found.get("shape"), tuple(found.get("fields", ()))
    return Entry(parameters, deciding, found["dtypes"], shape, bool(found.get("list")), fields)


def call(
    name: str, positional: Sequence[Value], named: Mapping[str, Value], elements: Elements
) -> Value | ListOf | None:
    """What `tf.<name>(...)` gives, or None where nothing is known."""
    special = _SPECIAL.get(_table()["aliases"].get(name, name))
    found = entry(name)
    parameters = found.parameters if found is not None else ()
    arguments = {**dict(zip(parameters, positional, strict=False)), **named}
    if special is not None:
        return special(positional, arguments, elements)
    if found is None:
        return None
    extra = tuple(positional[len(parameters) :])
    operands = [_operand(arguments.get(p), extra if p == "*" else None, elements) for p in found.deciding]
    return _result(found, arguments, [operand for operand in operands if operand is not None], elements)


def converted(value: Value, elements: Elements, dtype: str | None = None) -> Tensor:
    """What `tf.convert_to_tensor` makes of a value."""
    if isinstance(value, (Tensor, Variable, Array)):
        return Tensor(dtype or value.dtype, value.shape)
    inner = elements(value)
    if inner is None:
        return Tensor(dtype or dtype_of(value), shape_of(value))
    parts = [converted(part, elements) for part in inner]
    first = _first_tensor(inner, elements)
    kinds = {first.dtype} if first is not None else {part.dtype for part in parts}
    arrays = [isinstance(value, Array) for value in inner]
    if first is None and any(arrays) and not all(arrays):
        kinds = set[str | None]()
    if kinds == {"int32", "float32"}:
        kinds = {"float32"}
    shape: Shape = parts[0].shape if parts else ()
    for part in parts[1:]:
        shape = shapes.joined(shape, part.shape)
    found = next(iter(kinds)) if len(kinds) == 1 else None
    if not parts:
        found = "float32"
    return Tensor(dtype or found, None if shape is None else (len(parts), *shape))


def _first_tensor(values: Sequence[Value], elements: Elements) -> Tensor | None:
    for value in values:
        if isinstance(value, (Tensor, Variable)):
            return Tensor(value.dtype, value.shape)
        found = _first_tensor(elements(value) or (), elements) if not isinstance(value, Array) else None
        if found is not None:
            return found
    return None


def _operand(value: Value | None, extra: Sequence[Value] | None, elements: Elements) -> Value | None:
    """The value whose dtype counts: a collection stands for its first tensor."""
    if extra is not None:
        return _first_tensor(extra, elements)
    if value in (None, NONE, UNKNOWN):
        return value if value == UNKNOWN else None
    if is_tensor_like(value) or elements(value) is None or isinstance(value, Array):
        return value
    return converted(value, elements)


def _result(
    found: Entry, arguments: Mapping[str, Value], operands: Sequence[Value], elements: Elements
) -> Value | ListOf:
    operand = next((o for o in operands if is_tensor_like(o)), None)
    if operand is None and UNKNOWN not in operands:
        operand = next((o for o in operands), None)
    if "weights" in arguments:
        return Tensor()
    dtype = _dtype(found.dtypes, dtype_of(operand) if operand is not None else None)
    explicit = next((arguments[p] for p in _DTYPE_PARAMETERS if p in arguments and p in found.parameters), None)
    if isinstance(dtype, list):
        columns = cast("list[str | None]", dtype)
        return Tuple(tuple(Tensor(None if explicit else name) for name in columns), found.fields)
    if explicit is not None and explicit != NONE:
        dtype = named_dtype(explicit)
    if found.shape == "argument":
        return Tensor(dtype, _given_shape(found, arguments, elements))
    shape = _shape(found, arguments, operands)
    if found.gives_list:
        rest = operand.shape[1:] if isinstance(operand, Tensor) and operand.shape else None
        count = operand.shape[0] if isinstance(operand, Tensor) and operand.shape else None
        plain = set(arguments) <= {"value", "name"} and count is not None and count <= 16
        element = Tensor(dtype, rest if plain else None)
        return ListOf((element,) * count if plain and count is not None else None, element)
    return Tensor(dtype, shape)


def _dtype(rule: Any, dtype: str | None) -> Any:
    if rule == "same":
        return dtype
    if isinstance(rule, str):
        return rule
    if isinstance(rule, list):
        return [_dtype(column, dtype) for column in cast("list[Any]", rule)]
    return rule.get(dtype)


def _shape(found: Entry, arguments: Mapping[str, Value], operands: Sequence[Value]) -> Shape:
    if found.shape == "same":
        shape: Shape = shape_of(operands[0]) if operands else None
        for operand in operands[1:]:
            shape = shapes.broadcast(shape, shape_of(operand))
        return shape if len(operands) == len([p for p in found.deciding if p in arguments]) else None
    if found.shape != "scalar":
        return None
    if not any(name in arguments for name in _REDUCTION_PARAMETERS):
        return ()
    return _reduced(shape_of(operands[0]) if operands else None, arguments)


def _reduced(shape: Shape, arguments: Mapping[str, Value]) -> Shape:
    axis, keep = arguments.get("axis", NONE), arguments.get("keepdims", Constant(False))
    if not isinstance(keep, Constant):
        return None
    if axis == NONE:
        return () if not keep.value else None if shape is None else (1,) * len(shape)
    if shape is None or not isinstance(axis, Constant) or not isinstance(axis.value, int):
        return None
    position = axis.value + len(shape) if axis.value < 0 else axis.value
    if not 0 <= position < len(shape):
        return None
    middle: tuple[int | None, ...] = (1,) if keep.value else ()
    return (*shape[:position], *middle, *shape[position + 1 :])


def _given_shape(found: Entry, arguments: Mapping[str, Value], elements: Elements) -> Shape:
    if not found.parameters or found.parameters[0] != "shape":
        return None if found.parameters[:1] != ("name",) else ()
    value = arguments.get("shape", UNKNOWN)
    return indexing.given(value, elements(value) if not isinstance(value, Tensor) else None)


def named_dtype(value: Value) -> str | None:
    """The dtype that an argument names: `tf.int32`, `'int32'`, `np.int32`, `int`."""
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Constant) and isinstance(value.value, str):
        return dtypes.named(value.value)
    # TensorFlow takes Python's float and bool for dtypes, but not int.
    return {"float": "float32", "bool": "bool"}.get(getattr(value, "name", ""))


def numpy_dtype(value: Value) -> str | None:
    """The dtype that an argument names to NumPy, for which `float` and `int` are the wide ones."""
    if isinstance(value, DType):
        return value.name
    name = value.value if isinstance(value, Constant) else getattr(value, "name", "")
    return {"float": "float64", "int": "int64", "bool": "bool"}.get(str(name)) or dtypes.named(str(name))


def numpy_default(dtype: str | None) -> str | None:
    """The dtype that NumPy gives to Python numbers which TensorFlow would make `dtype`."""
    return {"int32": "int64", "float32": "float64", "bool": "bool", "int64": "int64"}.get(dtype or "")


# What a table can't say


def _cast(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    value = arguments.get("x", arguments.get("value", UNKNOWN))
    return Tensor(named_dtype(arguments.get("dtype", UNKNOWN)), converted(value, elements).shape)


def _constant(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    names = ("value", "dtype", "shape")
    given = {**dict(zip(names, positional, strict=False)), **arguments}
    value, dtype = given.get("value", UNKNOWN), given.get("dtype", NONE)
    made = converted(value, elements)
    shape = given.get("shape", NONE)
    if value == UNKNOWN and dtype == NONE:
        return Tensor()
    made_shape = made.shape if shape == NONE else indexing.given(shape, elements(shape))
    return Tensor(made.dtype if dtype == NONE else named_dtype(dtype), made_shape)


def _convert(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    given = {**dict(zip(("value", "dtype"), positional, strict=False)), **arguments}
    dtype = given.get("dtype", NONE)
    made = converted(given.get("value", UNKNOWN), elements)
    if "dtype_hint" in arguments:
        return Tensor(None, made.shape)
    return Tensor(made.dtype if dtype == NONE else named_dtype(dtype), made.shape)


def _range(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    bounds = [*positional, *(arguments[n] for n in ("start", "limit", "delta") if n in arguments)]
    dtype = arguments.get("dtype", NONE)
    kinds = [dtype_of(bound) for bound in bounds if bound != NONE]
    if dtype != NONE:
        name = named_dtype(dtype)
    elif None in kinds or not kinds:
        name = None
    else:
        order = ("int32", "int64", "float16", "float32", "float64")
        name = max(kinds, key=lambda kind: order.index(kind) if kind in order else -1)
        name = name if name in order else None
    size: int | None = shapes.ANY
    if bounds and all(isinstance(bound, Constant) and isinstance(bound.value, int) for bound in bounds):
        size = len(range(*(bound.value for bound in bounds if isinstance(bound, Constant))))
    return Tensor(name, (size,), is_range=True)


def _where(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    x, y = arguments.get("x", NONE), arguments.get("y", NONE)
    if x == NONE and y == NONE:
        return Tensor("int64")
    sides = [converted(x, elements), converted(y, elements)]
    tensors = [s for s, v in zip(sides, (x, y), strict=True) if is_tensor_like(v)]
    shape = shapes.broadcast(shape_of(arguments.get("condition", UNKNOWN)), shapes.broadcast(*(s.shape for s in sides)))
    if UNKNOWN in (x, y):
        return Tensor(tensors[0].dtype if tensors else None, shape)
    if tensors and all(t.dtype == tensors[0].dtype for t in tensors):
        return Tensor(tensors[0].dtype, shape)
    return Tensor(dtypes.joined(sides[0].dtype, sides[1].dtype) if not tensors else None, shape)


def _one_hot(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    dtype = arguments.get("dtype", NONE)
    if dtype != NONE:
        return Tensor(named_dtype(dtype))
    values = [arguments[p] for p in ("on_value", "off_value") if arguments.get(p, NONE) != NONE]
    return Tensor(dtype_of(values[0]) if values else "float32")


def _resize(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    method = arguments.get("method", Constant("bilinear"))
    if method == Constant("nearest"):
        return Tensor(dtype_of(arguments.get("images", UNKNOWN)))
    return Tensor("float32" if isinstance(method, Constant) and method.value in ("bilinear", "bicubic") else None)


def _like(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    value = converted(arguments.get("input", UNKNOWN), elements)
    dtype = arguments.get("dtype", NONE)
    return Tensor(value.dtype if dtype == NONE else named_dtype(dtype), value.shape)


def _shape_function(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    dtype = arguments.get("out_type", NONE)
    shape = converted(arguments.get("input", UNKNOWN), elements).shape
    return Tensor("int32" if dtype == NONE else named_dtype(dtype), (None if shape is None else len(shape),))


def _reshape(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    shape = arguments.get("shape", UNKNOWN)
    dtype = converted(arguments.get("tensor", UNKNOWN), elements).dtype
    return Tensor(dtype, indexing.given(shape, elements(shape) if not isinstance(shape, Tensor) else None))


def _matmul(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    a, b = (converted(arguments.get(name, UNKNOWN), elements) for name in ("a", "b"))
    plain = set(arguments) <= {"a", "b", "name"}
    dtype = None if "output_type" in arguments else a.dtype or b.dtype
    return Tensor(dtype, indexing.multiplied(a.shape, b.shape) if plain else None)


def _uniform(positional: Sequence[Value], arguments: Mapping[str, Value], elements: Elements) -> Value:
    dtype, shape = arguments.get("dtype", NONE), arguments.get("shape", UNKNOWN)
    given = indexing.given(shape, elements(shape) if not isinstance(shape, Tensor) else None)
    return Tensor("float32" if dtype == NONE else named_dtype(dtype), given)


_Special = Callable[[Sequence[Value], Mapping[str, Value], Elements], Value]
_SPECIAL: dict[str, _Special] = {
    "cast": _cast,
    "saturate_cast": _cast,
    "constant": _constant,
    "convert_to_tensor": _convert,
    "range": _range,
    "where": _where,
    "one_hot": _one_hot,
    "image.resize": _resize,
    "zeros_like": _like,
    "ones_like": _like,
    "shape": _shape_function,
    "reshape": _reshape,
    "matmul": _matmul,
    "random.uniform": _uniform,
    "random.stateless_uniform": _uniform,
}
