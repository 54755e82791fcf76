"""Symbols: what a program can write to or read from by a fixed name, such as `x`, `self.x` or `d['k']`.

Which scope a name belongs to isn't decided here; `flow.scopes` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast


class Symbol(NamedTuple):
    """A name, or a path of attributes and constant keys that starts at a name.

    The elements of `path` are source text: `.x`, `['k']`, `[0]`.
    """

    root: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.root + "".join(self.path)

    @property
    def is_composite(self) -> bool:
        return bool(self.path)

    def parents(self) -> tuple[Symbol, ...]:
        """All proper prefixes, the shortest first: `a` and `a.b` for `a.b.c`."""
        return tuple(Symbol(self.root, self.path[:length]) for length in range(len(self.path)))


def symbol_of(node: gast.AST | None) -> Symbol | None:
    """The symbol that an expression denotes, None for anything but names and constant paths on them."""
    path: list[str] = []
    current: Any = node
    while current is not None:
        kind = type(current).__name__
        if kind == "Name":
            return Symbol(current.id, tuple(reversed(path)))
        element = path_element(current)
        if element is None:
            return None
        path.append(element)
        current = current.value
    return None


def path_element(node: gast.AST) -> str | None:
    """What an attribute or a subscript adds to a path, None where the key isn't a constant str or int."""
    kind = type(node).__name__
    known: Any = node
    if kind == "Attribute":
        return f".{known.attr}"
    if kind != "Subscript":
        return None
    key = _constant_key(known.slice)
    return None if key is None else f"[{key!r}]"


def chain(node: gast.AST) -> Iterator[gast.AST]:
    """The node itself, then what its attributes and subscripts are taken of, down to the first other node."""
    current: Any = node
    yield current
    while type(current).__name__ in ("Attribute", "Subscript"):
        current = current.value
        yield current


def _constant_key(node: Any) -> str | int | None:
    kind = type(node).__name__
    if kind == "Constant":
        # True and False are ints that nobody means as a position.
        return node.value if isinstance(node.value, str | int) and not isinstance(node.value, bool) else None
    if kind == "UnaryOp" and type(node.op).__name__ == "USub":
        value = _constant_key(node.operand) if type(node.operand).__name__ == "Constant" else None
        return -value if isinstance(value, int) else None
    return None
