"""The functions of which the table can't say all: a dtype argument decides, a list comes out, or a way to call it.

Each is tested against TensorFlow like the table.
"""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    Composite,
    Constant,
    DType,
    Sequence,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    is_tensor_like,
)
from graphwright_analysis.values.shapes import ANY, Shape, is_number, position_of

from . import operands, picking, products, result_shapes
from .operands import Arguments, converted


@immutable
class ListOf:
    """A list of tensors; the trace gives it an identity."""

    elements: tuple[Value, ...] | None
    element: Value


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


def _asked(arguments: Arguments, default: str | None, parameter: str = "dtype") -> str | None:
    """The dtype that an argument names, or what there is without."""
    value = arguments.get(parameter)
    return default if value == NONE else named_dtype(value)


def _cast(arguments: Arguments) -> Value:
    value, dtype = arguments.first("x", "value"), named_dtype(arguments.get("dtype"))
    if isinstance(value, Variable) and value.dtype == dtype is not None:
        return value
    return Tensor(dtype, converted(value, arguments.elements).shape)


def _saturate_cast(arguments: Arguments) -> Value:
    return Tensor(named_dtype(arguments.get("dtype")), arguments.shape("value"))


def _constant(arguments: Arguments) -> Value:
    value, made = arguments.get("value"), converted(arguments.get("value"), arguments.elements)
    if value == UNKNOWN and arguments.get("dtype") == NONE:
        return Tensor(None, None if arguments.get("shape") == NONE else arguments.given_shape("shape"))
    shape = made.shape if arguments.get("shape") == NONE else arguments.given_shape("shape")
    return Tensor(_asked(arguments, made.dtype), shape)


def _convert(arguments: Arguments) -> Value:
    made = converted(arguments.get("value"), arguments.elements)
    if arguments.get("dtype_hint") != NONE:
        return Tensor(None if arguments.get("dtype") == NONE else _asked(arguments, None), made.shape)
    return Tensor(_asked(arguments, made.dtype), made.shape)


_NUMBERS = ("int32", "int64", "float16", "bfloat16", "float32", "float64")


def _range(arguments: Arguments) -> Value:
    given = [arguments.get(name) for name in ("start", "limit", "delta")]
    # With one bound it is the limit, whatever the parameter is called.
    given = [Constant(0), given[0], given[2]] if given[1] == NONE else given
    bounds = [value for value in given if value != NONE]
    kinds = [dtype_of(bound) for bound in bounds]
    name = None
    if kinds and None not in kinds:
        name = max(kinds, key=lambda kind: _NUMBERS.index(kind) if kind in _NUMBERS else -1)
        name = name if name in _NUMBERS else None
    numbers = [operands.integer(bound) for bound in bounds]
    size = ANY
    if numbers and None not in numbers and not (len(numbers) == 3 and numbers[2] == 0):
        found = range(*(number for number in numbers if number is not None))
        size = len(found) if max(map(abs, (found.start, found.stop))) < 2**62 else ANY
    return Tensor(_asked(arguments, name), (size,), is_range=True)


def _where(arguments: Arguments) -> Value:
    x, y = arguments.get("x"), arguments.get("y")
    if x == NONE and y == NONE:
        return Tensor("int64", picking.found_where(arguments, ()))
    shape = result_shapes.broadcast(arguments, ("condition", "x", "y"))
    if UNKNOWN in (x, y):
        known = [value for value in (x, y) if is_tensor_like(value)]
        return Tensor(dtype_of(known[0]) if known else None, shape)
    # What fits at all has the dtype of the first, literals included.
    tensor = next((value for value in (x, y) if isinstance(value, (Tensor, Variable))), None)
    return Tensor(dtype_of(tensor) if tensor is not None else operands.own_dtype(x, arguments.elements), shape)


def _one_hot(arguments: Arguments) -> Value:
    shape = result_shapes.one_hot(arguments, ("indices",))
    values = [value for p in ("on_value", "off_value") if (value := arguments.get(p)) != NONE]
    return Tensor(_asked(arguments, dtype_of(values[0]) if values else "float32"), shape)


def _resize(arguments: Arguments) -> Value:
    shape = result_shapes.resized(arguments, ("images",))
    method = arguments.get("method") if arguments.has("method") else Constant("bilinear")
    images = operands.own_dtype(arguments.get("images"), arguments.elements)
    name = method.value if isinstance(method, Constant) else None
    if isinstance(method, Api) and method.name.startswith("tf.image.ResizeMethod."):
        name = "nearest" if method.name.endswith("NEAREST_NEIGHBOR") else "bilinear"
    if name == "nearest":
        return Tensor(images, shape)
    smooth = name in ("bilinear", "bicubic", "area", "lanczos3", "lanczos5")
    # Where the size stays as it is, TensorFlow gives the images back as they are.
    return Tensor("float32" if smooth else None, shape)


def _like(arguments: Arguments) -> Value:
    value = converted(arguments.get("input"), arguments.elements)
    return Tensor(_asked(arguments, value.dtype), value.shape)


def _shape(arguments: Arguments) -> Value:
    shape = arguments.shape(next((p for p in ("input", "x") if arguments.has(p)), "input"))
    return Tensor(_asked(arguments, "int32", "out_type"), (ANY if shape is None else len(shape),))


def _matmul(arguments: Arguments) -> Value:
    a, b = (converted(arguments.get(name), arguments.elements) for name in ("a", "b"))
    tensors = [value for name in ("a", "b") if is_tensor_like(value := arguments.get(name))]
    dtype = dtype_of(tensors[0]) if tensors else a.dtype or b.dtype
    if arguments.has("output_type"):
        dtype = _asked(arguments, dtype, "output_type")
    return Tensor(dtype, products.matmul(arguments, ("a", "b")))


def _random(arguments: Arguments) -> Value:
    return Tensor(_asked(arguments, "float32"), arguments.given_shape("shape"))


# Lists


def _unstack(arguments: Arguments) -> ListOf:
    value = converted(arguments.get("value"), arguments.elements)
    axis, count = arguments.integer("axis", 0), arguments.integer("num")
    at = position_of(axis, len(value.shape)) if value.shape is not None and axis is not None else None
    if value.shape is None or at is None:
        element = Tensor(value.dtype, None if value.shape is None else (ANY,) * (len(value.shape) - 1))
        return ListOf(None, element)
    element = Tensor(value.dtype, value.shape[:at] + value.shape[at + 1 :])
    count = value.shape[at] if is_number(value.shape[at]) else count
    return _list_of([element] * count if count is not None and 0 <= count <= 64 else None, element)


def _list_of(elements: list[Tensor] | None, element: Tensor) -> ListOf:
    return ListOf(None if elements is None else tuple(elements), element)


def _split(arguments: Arguments) -> ListOf:
    value, given = converted(arguments.get("value"), arguments.elements), arguments.get("num_or_size_splits")
    axis, count = arguments.integer("axis", 0), operands.integer(given)
    shape = value.shape
    at = position_of(axis, len(shape)) if shape is not None and axis is not None else None
    parts = operands.integers(given, arguments.elements) if operands.is_collection(given) else None
    if shape is None or at is None:
        rank = None if shape is None else (ANY,) * len(shape)
        number = count if count is not None else len(parts) if parts is not None else None
        element = Tensor(value.dtype, rank)
        return _list_of([element] * number if number is not None and 0 < number <= 64 else None, element)
    size = shape[at]
    element = Tensor(value.dtype, (*shape[:at], ANY, *shape[at + 1 :]))
    if parts is not None:
        return ListOf(tuple(_piece(value, at, length) for length in _lengths(parts, size)), element)
    if count is None or not 0 < count <= 64:
        return ListOf(None, element)
    length = size // count if is_number(size) and size is not None else size
    return _list_of([_piece(value, at, length)] * count, element)


def _lengths(parts: tuple[int | None, ...], size: int | None) -> list[int | None]:
    others = [part for part in parts if part != -1]
    rest: int | None = size if size is None else ANY
    if is_number(size) and None not in others:
        rest = shapes.minus(size, sum(part or 0 for part in others))
    return [ANY if part is None else rest if part == -1 else part for part in parts]


def _piece(value: Tensor, at: int, length: int | None) -> Tensor:
    shape = value.shape or ()
    return Tensor(value.dtype, (*shape[:at], length, *shape[at + 1 :]))


def _meshgrid(arguments: Arguments) -> ListOf:
    parts = [converted(value, arguments.elements) for value in arguments.extra]
    sizes = [part.shape[0] if part.shape is not None and len(part.shape) == 1 else ANY for part in parts]
    indexing = arguments.get("indexing")
    if indexing in (NONE, Constant("xy")) and len(sizes) > 1:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    exact = indexing in (NONE, Constant("xy"), Constant("ij"))
    shape: Shape = tuple(sizes) if exact else (ANY,) * len(sizes)
    element = Tensor(None, shape)
    return ListOf(tuple(Tensor(part.dtype, shape) for part in parts), element) if parts else ListOf(None, Tensor())


def _clip_by_global_norm(arguments: Arguments) -> Value:
    parts = arguments.parts("t_list") or ()
    dtype = dtype_of(parts[0]) if parts and isinstance(parts[0], (Tensor, Variable)) else None
    return Tuple((Sequence(UNKNOWN), Tensor(dtype, ())))


def _global_norm(arguments: Arguments) -> Value:
    parts = arguments.parts("t_list") or ()
    return Tensor(dtype_of(parts[0]) if parts and isinstance(parts[0], (Tensor, Variable)) else None, ())


# What has a ragged or sparse tensor


def _to_dense(arguments: Arguments) -> Value:
    value = arguments.get("sp_input")
    return Tensor(value.dtype if isinstance(value, Composite) else None)


def _ragged_of_strings(arguments: Arguments) -> Value:
    shape = arguments.shape("input")
    if shape == ():
        return Tensor("string", (None,))
    return UNKNOWN if shape is None else Composite("RaggedTensor", "string")


def _joined_strings(arguments: Arguments) -> Value:
    return Tensor("string", result_shapes.joined_strings(arguments, ("inputs",)))


def _ragged(parameter: str) -> Callable[[Arguments], Value]:
    def make(arguments: Arguments) -> Value:
        value = arguments.get(parameter)
        own = value.dtype if isinstance(value, Composite) else operands.own_dtype(value, arguments.elements)
        return Composite("RaggedTensor", own)

    return make


def _decoded(dtype: str | None) -> Callable[[Arguments], Value]:
    def make(arguments: Arguments) -> Value:
        return Tensor(_asked(arguments, dtype), result_shapes.decoded(arguments, ()))

    return make


def _typed(parameter: str) -> Callable[[Arguments], Value]:
    return lambda arguments: Tensor(named_dtype(arguments.get(parameter)))


def _backend_cast(arguments: Arguments) -> Value:
    return Tensor(named_dtype(arguments.get("dtype")), arguments.shape("x"))


Exact = Callable[[Arguments], "Value | ListOf"]
FUNCTIONS: dict[str, Exact] = {
    "cast": _cast, "saturate_cast": _saturate_cast, "constant": _constant, "convert_to_tensor": _convert,
    "range": _range, "where": _where, "one_hot": _one_hot, "image.resize": _resize, "zeros_like": _like,
    "ones_like": _like, "shape": _shape, "matmul": _matmul, "random.uniform": _random,
    "random.stateless_uniform": _random, "unstack": _unstack, "split": _split, "meshgrid": _meshgrid,
    "clip_by_global_norm": _clip_by_global_norm, "linalg.global_norm": _global_norm, "sparse.to_dense": _to_dense,
    "strings.split": _ragged_of_strings, "strings.bytes_split": _ragged_of_strings,
    "strings.unicode_split": _ragged_of_strings, "strings.join": _joined_strings,
    "ragged.boolean_mask": _ragged("data"),
    "RaggedTensor.from_row_lengths": _ragged("values"),
    "RaggedTensor.from_value_rowids": _ragged("values"),
    "RaggedTensor.from_row_splits": _ragged("values"),
    "RaggedTensor.from_tensor": _ragged("tensor"), "image.decode_jpeg": _decoded("uint8"),
    "io.decode_jpeg": _decoded("uint8"), "image.decode_png": _decoded("uint8"), "io.decode_png": _decoded("uint8"),
    "io.parse_tensor": _typed("out_type"), "keras.backend.cast": _backend_cast, "keras.backend.shape": _shape,
}  # fmt: skip
"""What gives something else than the table's rules can say."""

COMPOSITES = frozenset(
    name for name in FUNCTIONS if name.startswith(("sparse.", "ragged.", "RaggedTensor."))
) | {"shape"}  # fmt: skip
"""Functions that are made for ragged and sparse tensors."""

PARAMETERS: dict[str, tuple[str, ...]] = {
    "constant": ("value", "dtype", "shape", "name"),
    "range": ("start", "limit", "delta"),
    "clip_by_global_norm": ("t_list", "clip_norm", "use_norm", "name"),
    "linalg.global_norm": ("t_list", "name"),
    "sparse.to_dense": ("sp_input", "default_value", "validate_indices", "name"),
    "strings.split": ("input", "sep", "maxsplit", "name"),
    "strings.bytes_split": ("input", "name"),
    "strings.unicode_split": ("input", "input_encoding"),
    "ragged.boolean_mask": ("data", "mask", "name"),
    "RaggedTensor.from_row_lengths": ("values", "row_lengths"),
    "RaggedTensor.from_value_rowids": ("values", "value_rowids"),
    "RaggedTensor.from_row_splits": ("values", "row_splits"),
    "RaggedTensor.from_tensor": ("tensor", "lengths"),
    "image.decode_jpeg": ("contents", "channels"),
    "io.decode_jpeg": ("contents", "channels"),
    "image.decode_png": ("contents", "channels", "dtype"),
    "io.decode_png": ("contents", "channels", "dtype"),
    "io.parse_tensor": ("serialized", "out_type"),
    "keras.backend.cast": ("x", "dtype"),
    "keras.backend.shape": ("x",),
}
"""Parameters of functions that aren't in the table."""
