"""Static shapes as TensorFlow keeps them: a tuple of sizes with None for an unknown one, or None for unknown rank.

Only what can be known without running; sizes are never symbolic.
"""

from __future__ import annotations

Shape = tuple["int | None", ...] | None


def joined(left: Shape, right: Shape) -> Shape:
    """The most specific shape that both fit, as a staged branch relaxes them."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else None for a, b in zip(left, right, strict=True))


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
    sizes = ["None" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _one(a: int | None, b: int | None) -> int | None:
    if a == 1:
        return b
    if b == 1 or a == b:
        return a
    return a if b is None and a is not None else b if a is None else None
