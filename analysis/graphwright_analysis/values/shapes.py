"""Static shapes as TensorFlow keeps them: a tuple of sizes, or None for unknown rank.

A size is a number, None where TensorFlow itself doesn't know it while tracing, or `ANY` where the analysis doesn't
know which of the two it is.
"""

from __future__ import annotations

Shape = tuple["int | None", ...] | None

ANY = -1
"""A size of which nothing is known here; TensorFlow may well know it."""


def joined(left: Shape, right: Shape) -> Shape:
    """What is known when either may be the shape."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else ANY for a, b in zip(left, right, strict=True))


def relaxed(left: Shape, right: Shape) -> Shape:
    """The most specific shape that both fit, as a staged branch relaxes them."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else ANY if ANY in (a, b) else None for a, b in zip(left, right, strict=True))


def merged(left: Shape, right: Shape) -> Shape:
    """The shape of two tensors that must have the same one, as where they are stacked: each tells of the other."""
    if left is None or right is None:
        return left if right is None else right
    if len(left) != len(right):
        return None
    return tuple(merged_size(a, b) for a, b in zip(left, right, strict=True))


def merged_size(a: int | None, b: int | None) -> int | None:
    """A size of which two things are known; nothing is where they contradict each other."""
    if a == b:
        return a
    if is_number(a) and is_number(b):
        return ANY
    return a if is_number(a) else b if is_number(b) else ANY


def plus(a: int | None, b: int | None) -> int | None:
    """The sum of two sizes; TensorFlow doesn't know it where it doesn't know one of them.

    Less than nothing isn't added: -1 is `ANY`. To take away is `minus`.
    """
    if a is None or b is None:
        return None
    return ANY if ANY in (a, b) else a + b


def minus(size: int | None, count: int) -> int | None:
    """The size with so much less."""
    return size if not is_number(size) else ANY if count < 0 else max((size or 0) - count, 0)


def times(a: int | None, b: int | None) -> int | None:
    """The product of two sizes."""
    if is_number(a) and is_number(b):
        return (a or 0) * (b or 0)
    if 1 in (a, b):
        return b if a == 1 else a
    return ANY if ANY in (a, b) or 0 in (a, b) else None


def is_number(size: int | None) -> bool:
    return size is not None and size != ANY


def unequal(a: int | None, b: int | None) -> bool:
    """Whether two sizes surely differ."""
    return is_number(a) and is_number(b) and a != b


def position_of(axis: int, rank: int) -> int | None:
    """The place of an axis counted from either end, or None where there is no such axis."""
    if not -rank <= axis < rank:
        return None
    return axis + rank if axis < 0 else axis


def conforms(shape: Shape, wanted: Shape) -> bool:
    """Whether the shape may be at least as specific as the wanted one; False only where it surely isn't."""
    if shape is None or wanted is None:
        return True
    if len(shape) != len(wanted):
        return False
    pairs = zip(shape, wanted, strict=True)
    return all(b is None or ANY in (a, b) or a == b for a, b in pairs)


def known_eagerly(shape: Shape) -> Shape:
    """The shape of an eager tensor: there each size is a number, though here it may be unknown which."""
    return None if shape is None else tuple(ANY if size is None else size for size in shape)


def broadcast(left: Shape, right: Shape) -> Shape:
    """The shape of an elementwise operation."""
    if left is None or right is None:
        return None
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    head = longer[: len(longer) - len(shorter)]
    return (*head, *(_one(a, b) for a, b in zip(longer[len(head) :], shorter, strict=True)))


def text(shape: Shape) -> str:
    """Return a shape as a message writes it: `[8, ?, 3]`."""
    return "[...]" if shape is None else f"[{', '.join('?' if size in (None, ANY) else str(size) for size in shape)}]"


def _one(a: int | None, b: int | None) -> int | None:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    known = [size for size in (a, b) if size is not None and size != ANY]
    # A size of nought against one that isn't known stays unknown, as that one may be 1.
    return known[0] if len(known) == 1 and known[0] else ANY if ANY in (a, b) or known else None
