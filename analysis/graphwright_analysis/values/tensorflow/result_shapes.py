"""The shapes that functions of one kind give: reductions, joins, windows and so on, by the name that the table has.

Each takes a call's arguments and the parameters whose values decide. A size is None only where TensorFlow surely
doesn't know it either; `ANY` is a size, and None a shape, of which nothing is known here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import NONE, Constant, Tensor
from graphwright_analysis.values.shapes import ANY, Shape, is_number, position_of

from . import operands, picking, products, windows
from .operands import Arguments

ResultShape = Callable[[Arguments, Sequence[str]], Shape]


def shape_by(name: str, arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """The shape that is called by this name."""
    return RESULT_SHAPES[name](arguments, deciding)


def same(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return arguments.shape(deciding[0])


def summed(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """The one shape of all tensors in a list."""
    parts = arguments.parts(deciding[0])
    found = [operands.static_shape(part, arguments.elements) for part in parts or ()]
    return functools.reduce(shapes.merged, found) if found else None


def broadcast(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    parts = [arguments.shape(name) for name in deciding if arguments.has(name)]
    return functools.reduce(shapes.broadcast, parts) if parts else None


def added(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """What Keras adds as a bias tells no sizes but those of the first; so where the second might be one."""
    first, second = (arguments.shape(name) for name in deciding[:2])
    if first is None or second is None:
        return None
    return first if first == second or not second or second == first[-1:] else None


def joined_strings(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """The one shape of all strings in a list, among which scalars fit anything."""
    parts = arguments.parts(deciding[0])
    found = [operands.static_shape(part, arguments.elements) for part in parts or ()]
    rows = [shape for shape in found if shape != ()]
    return functools.reduce(shapes.merged, rows) if rows else () if found else None


def scalar(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return ()


def vector(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return (ANY,)


def reduced(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """A reduction over `axis` or `axes`: one, several, or all where it is None."""
    shape, axis = arguments.shape(deciding[0]), arguments.first("axis", "axes")
    keep = arguments.flag("keepdims")
    if keep is None:
        return None
    if axis == NONE:
        return () if not keep else None if shape is None else (1,) * len(shape)
    if shape is None or isinstance(axis, Tensor):
        return (ANY,) * len(shape) if shape is not None and keep else None
    axes = operands.integers(axis, arguments.elements)
    if axes is None or None in axes:
        return (ANY,) * len(shape) if keep else None
    places = {position_of(each, len(shape)) for each in axes if each is not None}
    if None in places:
        return None
    return tuple(1 if at in places else size for at, size in enumerate(shape) if keep or at not in places)


def kept(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """A reduction that keeps its axes, as of the norm that `normalize` gives."""
    return reduced(arguments.having("keepdims", Constant(True)), deciding)


def arg_reduced(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """A reduction over one axis, the first unless it is given."""
    shape = arguments.shape(deciding[0])
    if arguments.get("axis") != NONE:
        return reduced(arguments, deciding)
    return None if shape is None else shape[1:]


def by_argument(parameter: str) -> ResultShape:
    """The shape that an argument says."""

    def given(arguments: Arguments, deciding: Sequence[str]) -> Shape:
        return arguments.given_shape(parameter)

    return given


# Joining and parting


def concat(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    name = deciding[0]
    parts, axis = arguments.parts(name), arguments.integer("axis", -1 if "keras" in name else None)
    if parts is None:
        return arguments.shape(name) if isinstance(arguments.get(name), Tensor) else None
    found = [operands.static_shape(part, arguments.elements) for part in parts]
    if len(found) == 1:
        return found[0]
    known = [shape for shape in found if shape is not None]
    if not known:
        return None
    rank = len(known[0])
    at = position_of(axis, rank) if axis is not None else None
    if any(len(shape) != rank for shape in known):
        return None
    if at is None:
        return (ANY,) * rank
    joint = functools.reduce(shapes.merged, [(*shape[:at], ANY, *shape[at + 1 :]) for shape in known])
    total = functools.reduce(shapes.plus, [shape[at] for shape in known])
    total = total if len(known) == len(found) or total is None else ANY
    return None if joint is None else (*joint[:at], total, *joint[at + 1 :])


def stack(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    parts = arguments.parts(deciding[0])
    if not parts:
        return None
    found = [operands.static_shape(part, arguments.elements) for part in parts]
    # Any of them tells of the others, but where none is of known rank nothing is.
    joint = functools.reduce(shapes.merged, found)
    return None if joint is None else inserted(joint, arguments.integer("axis", 0), len(parts))


def inserted(shape: Shape, axis: int | None, size: int | None) -> Shape:
    """The shape with one more axis, where it is known which."""
    if shape is None:
        return None
    at = position_of(axis, len(shape) + 1) if axis is not None else None
    return (ANY,) * (len(shape) + 1) if at is None else (*shape[:at], size, *shape[at:])


def expanded(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return inserted(arguments.shape(deciding[0]), arguments.integer("axis", -1), 1)


def one_hot(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    axis = arguments.integer("axis", -1) if arguments.get("axis") != NONE else -1
    return inserted(arguments.shape(deciding[0]), axis, arguments.size("depth"))


def top_k(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    count = arguments.size("k") if arguments.has("k") else 1
    return (*shape[:-1], count) if shape else None


# The same elements in another form


def reshaped(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    name = "newshape" if arguments.has("newshape") else "shape"
    shape, wanted = arguments.shape(deciding[0]), arguments.given_shape(name)
    sizes = operands.integers(arguments.get(name), arguments.elements)
    if wanted is None or sizes is None or sizes.count(-1) != 1 or len(sizes) != len(wanted):
        return wanted
    at = sizes.index(-1)
    rest = [size for place, size in enumerate(wanted) if place != at]
    if shape is None or not all(map(is_number, rest)) or 0 in rest:
        return wanted
    inferred: int | None = ANY
    if all(map(is_number, shape)):
        count, product = math.prod(size or 0 for size in shape), math.prod(size or 0 for size in rest)
        inferred = count // product if count % product == 0 else ANY
    elif ANY not in shape and 0 not in shape:
        inferred = None
    return (*wanted[:at], inferred, *wanted[at + 1 :])


def squeezed(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, axis = arguments.shape(deciding[0]), arguments.get("axis")
    if shape is None:
        return None
    if axis == NONE:
        return tuple(size for size in shape if size != 1) if all(map(is_number, shape)) else None
    axes = operands.integers(axis, arguments.elements)
    if axes is None or None in axes or not axes:
        return None
    places = {position_of(each, len(shape)) for each in axes if each is not None}
    return tuple(size for at, size in enumerate(shape) if at not in places) if None not in places else None


def transposed(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, order = arguments.shape(deciding[0]), arguments.first("perm", "pattern", "axes")
    if shape is None or order == NONE:
        return None if shape is None else shape[::-1]
    places = operands.integers(order, arguments.elements)
    if places is None or None in places or len(places) != len(shape):
        return (ANY,) * len(shape)
    found = [position_of(place, len(shape)) for place in places if place is not None]
    return None if None in found else tuple(shape[place] for place in found if place is not None)


def matrix_transposed(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    return None if shape is None or len(shape) < 2 else (*shape[:-2], shape[-1], shape[-2])


def padded(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    name = "pad_width" if arguments.has("pad_width") else "paddings"
    shape, rows = arguments.shape(deciding[0]), arguments.parts(name)
    if shape is None or rows is None or len(rows) != len(shape):
        return None if shape is None else (ANY,) * len(shape)
    result: list[int | None] = []
    for size, row in zip(shape, rows, strict=True):
        more = operands.integers(row, arguments.elements)
        known = more is not None and len(more) == 2 and None not in more
        result.append(shapes.plus(size, sum(each or 0 for each in more or ())) if known else ANY)
    return tuple(result)


def tiled(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    times = operands.integers(arguments.first("multiples", "n", "repeats"), arguments.elements)
    if shape is None or times is None or len(times) != len(shape):
        # Keras makes up what is missing of either.
        return None if shape is None or arguments.has("repeats") else (ANY,) * len(shape)
    return tuple(shapes.times(size, ANY if n is None else n) for size, n in zip(shape, times, strict=True))


def repeated(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, axis, count = arguments.shape(deciding[0]), arguments.get("axis"), arguments.integer("repeats")
    if axis == NONE:
        whole = shape is not None and all(map(is_number, shape)) and count is not None
        return (math.prod(size or 0 for size in shape or ()) * (count or 0),) if whole else (ANY,)
    number = operands.integer(axis)
    at = position_of(number, len(shape)) if shape is not None and number is not None else None
    if shape is None or at is None:
        return None if shape is None else (ANY,) * len(shape)
    return (*shape[:at], ANY if count is None else shapes.times(shape[at], count), *shape[at + 1 :])


def sliced(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    begin = operands.integers(arguments.get("begin"), arguments.elements)
    sizes = operands.integers(arguments.get("size"), arguments.elements)
    if sizes is None or (shape is not None and len(sizes) != len(shape)):
        return None if shape is None else (ANY,) * len(shape)
    result: list[int | None] = []
    for at, size in enumerate(sizes):
        start = begin[at] if begin is not None and at < len(begin) else None
        whole = shape[at] if shape is not None else ANY
        rest = shapes.minus(whole, start) if start is not None else ANY
        result.append(ANY if size is None else size if size >= 0 else rest)
    return tuple(result)


# Making, losses, images


def linspace(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return inserted(arguments.shape("start"), arguments.integer("axis", 0), arguments.size("num"))


def sequence_mask(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("lengths")
    return None if shape is None else (*shape, arguments.size("maxlen"))


def one_less(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """The shape without its last axis, unless another is named."""
    shape = arguments.shape(deciding[0])
    plain = arguments.get("axis") in (NONE, Constant(-1))
    return shape[:-1] if shape and plain else None


def biased(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, bias = arguments.shape(deciding[0]), arguments.shape("bias")
    last = arguments.get("data_format") in (NONE, Constant("NHWC"))
    if not shape or not last or not bias:
        return shape if last else None if shape is None else (ANY,) * len(shape)
    return (*shape[:-1], shapes.merged_size(shape[-1], bias[0]))


def by_labels(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    """The shape of the labels, which TensorFlow takes where there is more than one axis of them."""
    labels, logits = arguments.shape("labels"), arguments.shape("logits")
    if labels is None or (len(labels) == 1 and logits is not None and len(logits) == 2):
        return shapes.merged(labels, logits[:1]) if labels is not None and logits is not None else None
    return labels


def one_more(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    return None if shape is None else (*shape, ANY)


def categorical(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("logits")
    return (ANY if not shape else shape[0], arguments.size("num_samples"))


def resized(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, size = arguments.shape("images"), arguments.given_shape("size")
    if shape is None or len(shape) not in (3, 4):
        return None
    exact = size is not None and len(size) == 2 and arguments.flag("preserve_aspect_ratio") is False
    return (*shape[:-3], *(size if exact and size is not None else (ANY, ANY)), shape[-1])


def cropped(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("image")
    if shape is None or len(shape) not in (3, 4):
        return None
    return (*shape[:-3], arguments.size("target_height"), arguments.size("target_width"), shape[-1])


def decoded(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    channels = arguments.integer("channels", 0)
    return (None, None, ANY if channels is None else channels or None)


def grayscale(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    return (*shape[:-1], 1) if shape else None


def colored(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape("images")
    return (*shape[:-1], 3) if shape else None


def ensured(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape, wanted = arguments.shape(deciding[0]), arguments.given_shape("shape")
    return shapes.merged(shape, wanted)


def unknown(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    return None


RESULT_SHAPES: dict[str, ResultShape] = {
    "same": same, "sum": summed, "bias": biased, "labels": by_labels, "broadcast": broadcast, "scalar": scalar,
    "added": added,
    "vector": vector, "reduce": reduced, "kept": kept, "arg_reduce": arg_reduced, "argument": by_argument("shape"),
    "dims": by_argument("dims"), "size": by_argument("size"), "concat": concat, "stack": stack, "expand": expanded,
    "one_hot": one_hot, "top_k": top_k, "reshape": reshaped, "squeeze": squeezed, "transpose": transposed,
    "matrix_transpose": matrix_transposed, "pad": padded, "tile": tiled, "repeat": repeated, "slice": sliced,
    "gather": picking.gathered, "gather_nd": picking.gathered_nd, "lookup": picking.looked_up,
    "mask": picking.masked, "where": picking.found_where, "segments": picking.segments, "matmul": products.matmul,
    "matvec": products.matvec, "tensordot": products.tensordot, "einsum": products.einsum,
    "diagonal": products.diagonal, "diagonal_part": products.diagonal_part, "eye": products.eye,
    "linspace": linspace, "sequence_mask": sequence_mask, "one_less": one_less, "one_more": one_more,
    "categorical": categorical, "resize": resized, "crop": cropped, "decode": decoded, "grayscale": grayscale,
    "rgb": colored,
    "ensure": ensured, "conv": windows.convolved, "depthwise": windows.depthwise, "pool": windows.pooled,
    "unknown": unknown,
}  # fmt: skip
