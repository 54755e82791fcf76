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
    if shape is None:
        return "<unknown>"
    sizes = ["?" if size == ANY else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _one(a: int | None, b: int | None) -> int | None:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    known = [size for size in (a, b) if size is not None and size != ANY]
    return known[0] if known else ANY
