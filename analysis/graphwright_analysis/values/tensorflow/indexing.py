"""Shapes of subscripts, of matrix products and of einsum, from the shapes of what goes in alone."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import NONE, Array, Constant, Scalar, Tensor, Value, Variable
from graphwright_analysis.values.shapes import ANY, Shape, broadcast, merged_size


@immutable
class Slice:
    lower: Value | None
    upper: Value | None
    step: Value | None


Index = Value | Slice


def sliced(owner: Tensor | Variable | Array, index: tuple[Index, ...]) -> Tensor | Array:
    """What `owner[index]` is."""
    make = Array if isinstance(owner, Array) else Tensor
    return make(owner.dtype, _shape(owner.shape, index))


def _shape(shape: Shape, index: tuple[Index, ...]) -> Shape:
    if shape is None:
        return None
    ellipsis = Constant(Ellipsis)
    consumed = sum(1 for entry in index if entry not in (NONE, ellipsis))
    rest = len(shape) - consumed
    if rest < 0:
        return None
    result: list[int | None] = []
    position = 0
    for entry in index:
        if entry == ellipsis:
            result += shape[position : position + rest]
            position += rest
            rest = 0
        elif entry == NONE:
            result.append(1)
        elif isinstance(entry, Slice):
            result.append(_length(shape[position], entry))
            position += 1
        elif _is_scalar(entry):
            position += 1
        else:
            return None
    return (*result, *shape[position:])


def _is_scalar(entry: Value) -> bool:
    if isinstance(entry, (Constant, Scalar)):
        return True
    return isinstance(entry, (Tensor, Variable, Array)) and entry.shape == ()


def _length(size: int | None, entry: Slice) -> int | None:
    bounds = [None if part is None or part == NONE else part for part in (entry.lower, entry.upper, entry.step)]
    if all(part is None for part in bounds):
        return size
    if size is None or size == ANY or not all(part is None or isinstance(part, Constant) for part in bounds):
        return ANY
    values = [part.value if isinstance(part, Constant) else None for part in bounds]
    try:
        return len(range(size)[slice(*values)])
    except (TypeError, ValueError, OverflowError):
        return ANY


def multiplied(left: Shape, right: Shape) -> Shape:
    """The shape of `left @ right`."""
    if left is None or right is None or len(left) < 2 or len(right) < 2:
        return None
    head = broadcast(left[:-2], right[:-2])
    return None if head is None else (*head, left[-2], right[-1])


def einsum(equation: str, operands: Sequence[Shape]) -> Shape:
    """The shape that an equation such as `...ij,jk->...ik` gives."""
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        return None
    sizes: dict[str, int | None] = {}
    batch: Shape = ()
    for term, shape in zip(terms, operands, strict=True):
        head, dots, tail = term.partition("...")
        if shape is None or len(shape) < len(head + tail) or (not dots and len(shape) != len(term)):
            return None
        middle = shape[len(head) : len(shape) - len(tail)]
        batch = broadcast(batch, middle)
        for label, size in (*zip(head, shape, strict=False), *zip(tail, shape[len(shape) - len(tail) :], strict=True)):
            sizes[label] = merged_size(sizes[label], size) if label in sizes else size
    if not arrow:
        once = sorted(label for label in sizes if inputs.count(label) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    head, dots, tail = output.partition("...")
    if batch is None or not set(head + tail) <= set(sizes):
        return None
    return (*(sizes[label] for label in head), *(batch if dots else ()), *(sizes[label] for label in tail))


def _size(element: Value) -> int | None:
    if isinstance(element, Constant) and (element.value is None or isinstance(element.value, int)):
        return ANY if element.value is not None and element.value < 0 else element.value
    return ANY


def given(value: Value, elements: tuple[Value, ...] | None) -> Shape:
    """The shape that a shape argument such as `[2, n]` or `5` describes."""
    if elements is not None:
        return tuple(_size(element) for element in elements)
    if isinstance(value, Constant) and isinstance(value.value, int):
        return (value.value,)
    if isinstance(value, (Tensor, Array)) and value.shape and value.shape[0] not in (None, ANY):
        return (ANY,) * value.shape[0]
    return None
