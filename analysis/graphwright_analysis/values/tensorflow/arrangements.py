"""Shapes of the functions that rearrange tensors: joining, stacking, transposing, selecting.

Each gives a tensor whose shape is unknown where TensorFlow itself may know more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphwright_analysis.values.domain import NONE, UNKNOWN, Array, Constant, Object, Tensor, Value, Variable
from graphwright_analysis.values.shapes import ANY, Shape

from . import indexing

Elements = Callable[[Value], "tuple[Value, ...] | None"]
Converted = Callable[[Value], Tensor]
Arguments = Mapping[str, Value]


def shape_of_call(name: str, arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    """The shape that one of the functions below gives."""
    return SHAPES[name](arguments, elements, converted)


def _number(value: Value | None, otherwise: int | None = None) -> int | None:
    if value is None or value == NONE:
        return otherwise
    plain = isinstance(value, Constant) and isinstance(value.value, int) and not isinstance(value.value, bool)
    return value.value if isinstance(value, Constant) and plain else None


def _merged(sizes: list[int | None]) -> int | None:
    """One size of several that must be equal."""
    known = [size for size in sizes if size is not None and size != ANY]
    return known[0] if known else ANY if ANY in sizes else None


def _parts(value: Value | None, elements: Elements, converted: Converted) -> list[tuple[int | None, ...]] | None:
    values = elements(value) if value is not None and not isinstance(value, (Tensor, Variable, Array)) else None
    if not values:
        return None
    shapes = [converted(part).shape for part in values]
    known = [shape for shape in shapes if shape is not None]
    return known if len(known) == len(shapes) and len({len(shape) for shape in known}) == 1 else None


def _concat(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    parts, axis = _parts(arguments.get("values"), elements, converted), _number(arguments.get("axis"))
    if parts is None or axis is None or not -len(parts[0]) <= axis < len(parts[0]):
        return None
    axis %= len(parts[0])
    columns = [[part[position] for part in parts] for position in range(len(parts[0]))]
    return tuple(_sum(c) if position == axis else _merged(c) for position, c in enumerate(columns))


def _sum(sizes: list[int | None]) -> int | None:
    if ANY in sizes:
        return ANY
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _stack(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    parts, axis = _parts(arguments.get("values"), elements, converted), _number(arguments.get("axis"), 0)
    if parts is None or axis is None or not -len(parts[0]) - 1 <= axis <= len(parts[0]):
        return None
    rest = [_merged([part[position] for part in parts]) for position in range(len(parts[0]))]
    axis %= len(rest) + 1
    return (*rest[:axis], len(parts), *rest[axis:])


def _expand_dims(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape, axis = converted(arguments.get("input", UNKNOWN)).shape, _number(arguments.get("axis"))
    if shape is None or axis is None or not -len(shape) - 1 <= axis <= len(shape):
        return None
    axis %= len(shape) + 1
    return (*shape[:axis], 1, *shape[axis:])


def _squeeze(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape, axis = converted(arguments.get("input", UNKNOWN)).shape, arguments.get("axis", NONE)
    if shape is None:
        return None
    if axis == NONE:
        return None if None in shape or ANY in shape else tuple(size for size in shape if size != 1)
    axes = [_number(part) for part in elements(axis) or (axis,)]
    if any(each is None or not -len(shape) <= each < len(shape) for each in axes):
        return None
    dropped = {each % len(shape) for each in axes if each is not None}
    return tuple(size for position, size in enumerate(shape) if position not in dropped)


def _transpose(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape, order = converted(arguments.get("a", UNKNOWN)).shape, arguments.get("perm", NONE)
    if shape is None:
        return None
    if order == NONE:
        return tuple(reversed(shape))
    positions = [_number(part) for part in elements(order) or ()]
    if len(positions) != len(shape) or any(p is None or not -len(shape) <= p < len(shape) for p in positions):
        return None
    return tuple(shape[position] for position in positions if position is not None)


def _boolean_mask(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape, mask = converted(arguments.get("tensor", UNKNOWN)).shape, converted(arguments.get("mask", UNKNOWN)).shape
    if shape is None or not mask or len(mask) > len(shape) or _number(arguments.get("axis"), 0) != 0:
        return None
    return (None, *shape[len(mask) :])


def _gather(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape, indices = (
        converted(arguments.get("params", UNKNOWN)).shape,
        converted(arguments.get("indices", UNKNOWN)).shape,
    )
    axis, batch = _number(arguments.get("axis"), 0), _number(arguments.get("batch_dims"), 0)
    if shape is None or indices is None or batch != 0 or axis is None or not -len(shape) <= axis < len(shape):
        return None
    axis %= len(shape)
    return (*shape[:axis], *indices, *shape[axis + 1 :])


def _ensure_shape(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    wanted = arguments.get("shape", UNKNOWN)
    declared = getattr(wanted, "shape", None) if not isinstance(wanted, (Tensor, Object)) else None
    known = elements(wanted)
    sizes = indexing.given(wanted, known) if known is not None else declared
    shape = converted(arguments.get("x", UNKNOWN)).shape
    if sizes is None or shape is None or len(sizes) != len(shape):
        return sizes
    return tuple(_merged([a, b]) for a, b in zip(sizes, shape, strict=True))


def _eye(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    rows, columns = arguments.get("num_rows"), arguments.get("num_columns", NONE)
    if "batch_shape" in arguments:
        return None
    first = _number(rows)
    second = first if columns == NONE else _number(columns)
    return (ANY if first is None else first, ANY if second is None else second)


def _fill(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    dims = arguments.get("dims", UNKNOWN)
    return indexing.given(dims, elements(dims) if not isinstance(dims, Tensor) else None)


def _like(parameter: str) -> Callable[[Arguments, Elements, Converted], Shape]:
    return lambda arguments, elements, converted: converted(arguments.get(parameter, UNKNOWN)).shape


def _unknown(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    return None


def _add_n(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    parts = _parts(arguments.get("inputs"), elements, converted)
    return None if parts is None else tuple(_merged([part[p] for part in parts]) for p in range(len(parts[0])))


def _trace(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    shape = converted(arguments.get("x", UNKNOWN)).shape
    return None if shape is None or len(shape) < 2 else shape[:-2]


def _tensordot(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
    a, b = (converted(arguments.get(name, UNKNOWN)).shape for name in ("a", "b"))
    axes = _number(arguments.get("axes"))
    if a is None or b is None or axes is None or not 0 <= axes <= min(len(a), len(b)):
        return None
    return (*a[: len(a) - axes], *b[axes:])


def _convolution(rank: int) -> Callable[[Arguments, Elements, Converted], Shape]:
    def shape(arguments: Arguments, elements: Elements, converted: Converted) -> Shape:
        plain = not {"data_format", "dilations"} & set(arguments) and arguments.get("padding") == Constant("SAME")
        steps = arguments.get("stride", arguments.get("strides", UNKNOWN))
        images, kernel = (converted(arguments.get(name, UNKNOWN)).shape for name in ("input", "filters"))
        if not plain or images is None or kernel is None or len(images) != rank or len(kernel) != rank:
            return None
        ones = all(_number(step) == 1 for step in elements(steps) or (steps,))
        middle = images[1:-1] if ones else (ANY,) * (rank - 2)
        return (images[0], *middle, kernel[-1])

    return shape


SHAPES: dict[str, Callable[[Arguments, Elements, Converted], Shape]] = {
    "concat": _concat,
    "stack": _stack,
    "expand_dims": _expand_dims,
    "squeeze": _squeeze,
    "transpose": _transpose,
    "boolean_mask": _boolean_mask,
    "gather": _gather,
    "ensure_shape": _ensure_shape,
    "eye": _eye,
    "fill": _fill,
    "add_n": _add_n,
    "linalg.trace": _trace,
    "math.polyval": _unknown,
    "searchsorted": _like("values"),
    "strings.join": _unknown,
    "tensor_scatter_nd_add": _like("tensor"),
    "tensor_scatter_nd_update": _like("tensor"),
    "linalg.inv": _like("input"),
    "tensordot": _tensordot,
    "nn.conv1d": _convolution(3),
    "nn.conv2d": _convolution(4),
}
"""By a function's name in the table."""
