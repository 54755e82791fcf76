"""Text for types: `float32[8, ?, 3]`, as the editor shows them. It reads values and changes none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def type_text(dtype: Any, shape: Any) -> str:
    """Return `float32[8, ?, 3]`, or `float32[...]` if the rank is unknown; a shape is a tuple or a TensorShape."""
    return f"{dtype.name}{shape_text(shape)}"


def shape_text(shape: Any) -> str:
    """Return a shape as `[8, ?, 3]`."""
    if shape is None or getattr(shape, "rank", 0) is None:
        return "[...]"
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def article(word: str) -> str:
    return "an" if word[:1].lower() in ("a", "e", "i", "o") else "a"


def container_text(kind: str, parts: Sequence[str], most: int = 3) -> str:
    """Return a container by the text of its parts: `[int32[], int32[], int32[], 17 more]`."""
    shown = ", ".join([*parts[:most], *([f"{len(parts) - most} more"] if len(parts) > most else [])])
    if kind in _BRACKETS:
        opening, closing = _BRACKETS[kind]
        return f"{opening}{shown}{',' if kind == 'tuple' and len(parts) == 1 else ''}{closing}"
    return f"{kind}({shown})"


_BRACKETS = {"list": "[]", "tuple": "()", "dict": "{}"}
