"""Calls of NumPy: the dtypes and shapes of the arrays that they give.

What a function makes of its operands is in the same table as TensorFlow's; here is what makes arrays of other things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.known_arrays import KnownArray
from graphwright_analysis.values.shapes import ANY, Shape
from graphwright_analysis.values.tensorflow import functions, indexing

from . import known_arrays


def method(run: Run, array: Array, name: str, call: Call) -> Value:
    """What a method of an array gives."""
    if name == "astype" and call.positional:
        return Array(functions.numpy_dtype(call.positional[0]), array.shape)
    if name == "copy":
        return array
    if name == "item":
        if isinstance(array, KnownArray) and len(array.numbers) == 1 and not call.positional:
            return Constant(array.numbers[0])
        floats = array.dtype in dtypes.FLOATS
        return Scalar(float) if floats else Scalar(int) if array.dtype in dtypes.INTEGERS else UNKNOWN
    if name in ("flatten", "ravel"):
        return _by_table(run, "reshape", [array, Constant(-1)], {})
    if name in ("reshape", "transpose") and (len(call.positional) > 1 or (name == "reshape" and call.positional)):
        sizes = Tuple(tuple(call.positional)) if len(call.positional) > 1 else call.positional[0]
        return _by_table(run, name, [array, sizes], {}) if call.named.keys() <= {"order"} else Array(array.dtype)
    return _by_table(run, name, [array, *call.positional], call.named) if name in _METHODS else UNKNOWN


_METHODS = frozenset(
    {"sum", "mean", "max", "min", "prod", "std", "var", "any", "all", "argmax", "argmin", "argsort", "round", "clip"}
) | {"repeat", "squeeze", "conj", "transpose"}
"""The methods that are functions of NumPy as well."""


def call_function(run: Run, name: str, call: Call) -> Value:
    """What a function of NumPy gives, by its name below `np`."""
    first = call.argument(0)
    if name in ("array", "asarray", "ascontiguousarray"):
        dtype = call.argument(1, "dtype", NONE)
        made = held_values.as_tensor(run, first)
        if dtype != NONE:
            return Array(functions.numpy_dtype(dtype), made.shape)
        return Array(_numpy_default(run, first, made.dtype), made.shape)
    if name in _FILLED:
        made = _filled(run, name, call)
        return known_arrays.filled(name, made, call.positional, call.named)
    if dtypes.named(name) is not None:
        return Array(dtypes.named(name), shape_of(first))
    known = known_arrays.call(name, call.positional, call.named)
    if known is not None:
        return known
    if name.startswith("random."):
        return drawn(run, name.removeprefix("random."), call)
    return _by_table(run, name, call.positional, call.named)


def operation(run: Run, name: str, left: Value, right: Value) -> Value:
    """What an operator gives of which at least one side is an array."""
    known = known_arrays.call(name, [left, right], {})
    found = known or _by_table(run, name, [left, right], {})
    return Array(None, shapes.broadcast(shape_of(left), shape_of(right))) if found == UNKNOWN else found


# Making arrays

_FILLED = {"zeros": 1, "ones": 1, "empty": 1, "full": 2, "eye": 3, "identity": 1, "linspace": 5, "arange": 3, "tri": 3}
"""Where the dtype may be given by its place."""


def _filled(run: Run, name: str, call: Call) -> Value:
    at = _FILLED[name]
    dtype = call.argument(at, "dtype", NONE)
    shape = _filled_shape(run, name, call)
    if dtype != NONE:
        return Array(functions.numpy_dtype(dtype), shape)
    if name == "arange":
        kinds = {dtype_of(value) for value in call.positional}
        return Array("int64" if kinds <= {"int32"} else "float64" if "float32" in kinds else None, shape)
    if name == "full":
        value = call.argument(1, "fill_value")
        return Array(_numpy_default(run, value, dtype_of(value)), shape)
    return Array("float64", shape)


def _filled_shape(run: Run, name: str, call: Call) -> Shape:
    first = call.argument(0, "shape")
    if name in ("zeros", "ones", "empty", "full"):
        return indexing.given(first, held_values.elements_of(run, first))
    if name == "linspace":
        return (_size(call.argument(2, "num", Constant(50))),)
    if name == "arange":
        numbers = [value.value for value in call.positional if isinstance(value, Constant) and type(value.value) is int]
        known = len(numbers) == len(call.positional) > 0 and not call.named.keys() - {"dtype"} and numbers[2:] != [0]
        return (len(range(*numbers)) if known and max(map(abs, numbers)) < 2**62 else ANY,)
    columns = call.argument(1, "N" if name == "tri" else "M", first)
    return (_size(first), _size(first if columns == NONE else columns))


def _size(value: Value) -> int:
    return value.value if isinstance(value, Constant) and type(value.value) is int and value.value >= 0 else ANY


# Random numbers

GENERATORS = frozenset({"np.random.RandomState", "np.random.default_rng", "np.random.Generator"})
"""What makes a generator of random numbers."""
_DRAWN = {
    "normal": (2, "float64"), "uniform": (2, "float64"), "beta": (2, "float64"), "gamma": (2, "float64"),
    "laplace": (2, "float64"), "lognormal": (2, "float64"), "logistic": (2, "float64"), "gumbel": (2, "float64"),
    "randint": (2, "int64"), "integers": (2, "int64"), "binomial": (2, "int64"), "poisson": (1, "int64"),
    "exponential": (1, "float64"), "chisquare": (1, "float64"), "geometric": (1, "int64"),
    "random": (0, "float64"), "random_sample": (0, "float64"), "standard_normal": (0, "float64"),
}  # fmt: skip
"""Where the size may be given by its place, and the dtype."""


def drawn(run: Run, name: str, call: Call) -> Value:
    """What `np.random.<name>` gives, or the method of a generator."""
    if name in ("rand", "randn"):
        return Array("float64", tuple(map(_size, call.positional))) if call.positional else Scalar(float)
    if name in ("permutation", "shuffle") and call.positional and python_kind(call.positional[0]) is int:
        return Array("int64", (_size(call.positional[0]),))
    if name not in _DRAWN:
        return UNKNOWN
    at, dtype = _DRAWN[name]
    size = call.argument(at, "size", NONE)
    kind = call.named.get("dtype", NONE)
    told = dtype if kind == NONE else functions.numpy_dtype(kind)
    if size != NONE:
        return Array(told, indexing.given(size, held_values.elements_of(run, size)))
    plain = all(python_kind(value) in (int, float, bool) for value in call.values)
    return Scalar(int if dtype == "int64" else float) if plain else UNKNOWN


# By the table


def _by_table(run: Run, name: str, positional: Sequence[Value], named: Mapping[str, Value]) -> Value:
    asked = named.get("dtype", NONE)
    positional, named = list(positional), {key: value for key, value in named.items() if key != "dtype"}
    found = functions.entry(f"np.{name}")
    if found is None or not positional:
        return UNKNOWN
    if name in ("concatenate", "stack"):
        named.setdefault("axis", positional.pop(1) if len(positional) > 1 else Constant(0))
    operands = _operands(run, name, len(found.deciding) if "*" not in found.deciding else 0, positional)
    if operands is None:
        return UNKNOWN
    given = functions.call(f"np.{name}", operands, named, lambda value: held_values.elements_of(run, value))
    if not isinstance(given, Tensor):
        return UNKNOWN
    return Array(given.dtype if asked == NONE else functions.numpy_dtype(asked), given.shape)


def _operands(run: Run, name: str, count: int, positional: list[Value]) -> list[Value] | None:
    """The operands as tensors, and what follows them as it is; None where one may be something else than an array."""
    if name == "einsum":
        operands, others = positional[1:], positional[:1]
        made = [_operand(run, value) for value in operands]
        return None if None in made else [*others, *(value for value in made if value is not None)]
    operands, others = positional[:count], positional[count:]
    if name in ("concatenate", "stack"):
        parts = [_operand(run, value) for value in held_values.elements_of(run, operands[0]) or ()]
        return None if None in parts or not parts else [Tuple(tuple(value for value in parts if value is not None))]
    if len(operands) > 1 and any(isinstance(value, Array) for value in operands):
        numbers = [_number(value) for value in operands]
        made = [
            _operand(run, value) if number is None else number for value, number in zip(operands, numbers, strict=True)
        ]
    else:
        made = [_operand(run, value) for value in operands]
    return None if None in made else [*(value for value in made if value is not None), *others]


def _number(value: Value) -> Value | None:
    """A Python number that follows the dtype of the array beside it."""
    kind = python_kind(value)
    if kind is int:
        return Constant(1)
    return Scalar(float) if kind is float else None


def _operand(run: Run, value: Value) -> Tensor | None:
    """An array, or what NumPy makes one of, as a tensor; None where it may be anything."""
    if isinstance(value, Array) or (isinstance(value, (Tensor, Variable)) and not run.context.graph):
        return Tensor(value.dtype, value.shape)
    elements = held_values.elements_of(run, value)
    if isinstance(value, (Tensor, Variable)) or (elements is None and python_kind(value) not in (bool, int, float)):
        return None
    if elements is not None and not _is_plain(run, elements):
        return None
    made = held_values.as_tensor(run, value)
    return replace(made, dtype=_numpy_default(run, value, made.dtype))


def _is_plain(run: Run, elements: Sequence[Value], depth: int = 4) -> bool:
    """Whether there are arrays and numbers alone in a list."""
    inner = [held_values.elements_of(run, each) for each in elements]
    return depth > 0 and all(
        isinstance(each, Array)
        or python_kind(each) in (bool, int, float)
        or (within and _is_plain(run, within, depth - 1))
        for each, within in zip(elements, inner, strict=True)
    )


def _numpy_default(run: Run, value: Value, dtype: str | None) -> str | None:
    """The dtype of an array made of a value: NumPy's for Python numbers, its own for what has one."""
    elements = held_values.elements_of(run, value)
    if elements is None or isinstance(value, (Array, Tensor, Variable)):
        has_one = isinstance(value, (Array, Tensor, Variable))
        return dtype if has_one else functions.numpy_default(dtype)
    found = {_numpy_default(run, e, held_values.as_tensor(run, e).dtype) for e in elements}
    if found == {"int64", "float64"}:
        return "float64"
    return next(iter(found)) if len(found) == 1 else None
