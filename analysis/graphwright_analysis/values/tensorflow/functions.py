"""What a TensorFlow function returns for arguments of known dtype and shape, by the table asked of TensorFlow.

A function that isn't in the table gives None: nothing is known of it.
What the table can't say is in `special_functions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Composite,
    Constant,
    Scalar,
    Tensor,
    Tuple,
    Value,
    dtype_of,
    is_tensor_like,
)
from graphwright_analysis.values.shapes import Shape

from . import forms, result_shapes, special_functions
from .operands import DTYPE_PARAMETERS, Arguments, Elements, converted, first_tensor
from .special_functions import ListOf, named_dtype, numpy_default, numpy_dtype
from .tables import NEWEST, FunctionEntry, Version, canonical, entry, promoted


def call(
    name: str,
    positional: Sequence[Value],
    named: Mapping[str, Value],
    elements: Elements,
    version: Version = NEWEST,
) -> Value | ListOf | None:
    """What `tf.<name>(...)` gives, or None where nothing is known."""
    name = canonical(name)
    found = entry(name, version)
    if found is not None and version != NEWEST and _came_later(name, found, named):
        return None
    parameters = found.parameters if found is not None else special_functions.PARAMETERS.get(name, ())
    values = {**dict(zip(parameters, positional, strict=False)), **named}
    arguments = Arguments(values, elements, tuple(positional[len(parameters) :]))
    if found is not None and found.forms:
        return forms.given(found.forms, found.defaults, arguments)
    composite = _composite(arguments)
    if composite is not None and name not in special_functions.COMPOSITES:
        return None if found is None else _of_composite(found, composite, arguments)
    special = special_functions.FUNCTIONS.get(name)
    if special is not None:
        return special(arguments)
    return None if found is None else _result(found, arguments)


def is_known(name: str) -> bool:
    """Whether it is known what `tf.<name>`, or `np.<...>`, makes of tensors."""
    name = canonical(name)
    return entry(name) is not None or name in special_functions.FUNCTIONS


def _came_later(name: str, found: FunctionEntry, named: Mapping[str, Value]) -> bool:
    """Whether an argument is for a parameter that the function hasn't got yet."""
    newest = entry(name)
    return newest is not None and not set(named).isdisjoint(set(newest.parameters) - set(found.parameters))


def _composite(arguments: Arguments) -> Composite | None:
    """A ragged or sparse tensor among the arguments, for which TensorFlow has functions of its own."""
    for value in (*arguments.values.values(), *arguments.extra):
        inside = (value,) if is_tensor_like(value) else (value, *(arguments.elements(value) or ()))
        found = next((each for each in inside if isinstance(each, Composite)), None)
        if found is not None:
            return found
    return None


def _of_composite(found: FunctionEntry, composite: Composite, arguments: Arguments) -> Value:
    if found.shape in ("same", "broadcast") and not found.gives_list:
        dtype = _dtype(found.dtypes, composite.dtype)
        return Composite(composite.kind, None if _explicit(found, arguments) is not None else dtype)
    if found.shape == "reduce" and arguments.first("axis", "axes") == NONE and found.deciding:
        return Tensor(_dtype(found.dtypes, composite.dtype), () if not arguments.has("keepdims") else None)
    return UNKNOWN


def _explicit(found: FunctionEntry, arguments: Arguments) -> Value | None:
    """The dtype that the call asks for, where the function has a parameter for it."""
    return next(
        (arguments.get(p) for p in DTYPE_PARAMETERS if arguments.has(p) and p in found.parameters),
        None,
    )


def _result(found: FunctionEntry, arguments: Arguments) -> Value | ListOf:
    dtype = _dtype(found.dtypes, _deciding_dtype(found, arguments))
    explicit = _explicit(found, arguments)
    if isinstance(dtype, list):
        columns = cast("list[str | None]", dtype)
        shape: Any = found.shape
        kinds = cast("list[Any]", shape if isinstance(shape, list) else [shape] * len(columns))
        shapes = [_shape(kind, found, arguments) for kind in kinds]
        names = [None if explicit is not None else name for name in columns]
        return Tuple(tuple(Tensor(n, s) for n, s in zip(names, shapes, strict=True)), found.fields)
    if explicit is not None and explicit != NONE:
        dtype = named_dtype(explicit)
    if arguments.has("weights"):
        return Tensor(None, None)
    shape = _shape(found.shape, found, arguments)
    return ListOf(None, Tensor(dtype)) if found.gives_list else Tensor(dtype, shape)


def _shape(name: str | None, found: FunctionEntry, arguments: Arguments) -> Shape:
    return None if name is None else result_shapes.shape_by(name, arguments, found.deciding)


def _deciding_dtype(found: FunctionEntry, arguments: Arguments) -> str | None:
    """The dtype of the operand that decides: the first tensor, else the first of all."""
    if found.promotes:
        return _promoted(found, arguments)
    operands: list[Value] = []
    for parameter in found.deciding:
        value = first_tensor(arguments.extra, arguments.elements) if parameter == "*" else arguments.get(parameter)
        if value is not None and is_tensor_like(value):
            return dtype_of(value)
        operand = None if value is None else _operand(value, arguments.elements)
        operands += [] if operand is None else [operand]
    return dtype_of(operands[0]) if operands and UNKNOWN not in operands else None


def _promoted(found: FunctionEntry, arguments: Arguments) -> str | None:
    """The dtype that is found for all operands; None where one of them isn't known."""
    given = [arguments.get(name) for name in found.deciding if arguments.has(name)]
    given += arguments.extra if "*" in found.deciding else ()
    operands = [part for value in given for part in (arguments.elements(value) or (value,))]
    tensors = [dtype_of(value) for value in operands if is_tensor_like(value)]
    kinds = [_kind(value) for value in operands if not is_tensor_like(value)]
    dtype = tensors[0] if tensors else None
    for other in (*tensors[1:], *kinds):
        dtype = None if dtype is None or other is None else promoted(found.promotes, dtype, other)
    return dtype


def _kind(value: Value) -> str | None:
    """What a Python number is to Keras or NumPy; None for anything else, and for integers of more than 32 bits."""
    if value == Scalar(float):
        return "float"
    number = value.value if isinstance(value, Constant) else None
    small = type(number) is int and -(2**31) <= number < 2**31
    return "int" if small else "float" if type(number) is float else None


def _operand(value: Value, elements: Elements) -> Value | None:
    """The value whose dtype counts: a collection stands for its first tensor."""
    if value == NONE:
        return None
    return converted(value, elements) if value != UNKNOWN and elements(value) is not None else value


def _dtype(rule: Any, dtype: str | None) -> Any:
    if rule == "same":
        return dtype
    if isinstance(rule, str):
        return rule
    if isinstance(rule, list):
        return [_dtype(column, dtype) for column in cast("list[Any]", rule)]
    return rule.get(dtype)


__all__ = [
    "NEWEST", "Elements", "FunctionEntry", "ListOf", "Version", "call", "canonical", "converted", "entry",
    "named_dtype", "numpy_default", "numpy_dtype",
]  # fmt: skip
