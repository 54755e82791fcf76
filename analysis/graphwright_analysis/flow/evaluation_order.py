"""The names that an expression sets by a walrus before it reads them, as in `(n := size) + n`.

Parts are followed in the order in which Python evaluates them. Which parts a statement has is known in `activity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from graphwright_analysis.flow.tree import COMPREHENSIONS, children, kind_of, nodes_in, walk


def set_before_read(parts: Sequence[Any]) -> frozenset[str]:
    """The names that parts of a statement, evaluated in this order, surely set before any of them reads them."""
    order = _Order()
    order.all(parts, set())
    return frozenset(order.named - order.exposed)


class _Order:
    """The names that a walrus sets, and those that are read where nothing before them has surely set them."""

    def __init__(self) -> None:
        self.named: set[str] = set()
        self.exposed: set[str] = set()

    def all(self, parts: Sequence[Any], known: set[str]) -> None:
        """Follow what is evaluated one after the other; `known` has what is set by then, and grows."""
        for part in parts:
            self.one(part, known)

    def one(self, node: Any, known: set[str]) -> None:
        kind = kind_of(node)
        if kind == "Name":
            if kind_of(node.ctx) != "Store" and node.id not in known:
                self.exposed.add(node.id)
        elif kind == "NamedExpr":
            self.one(node.value, known)
            self.named.add(node.target.id)
            known.add(node.target.id)
        elif kind in ("BoolOp", "Compare"):
            operands = node.values if kind == "BoolOp" else [node.left, *node.comparators]
            sure = 1 if kind == "BoolOp" else 2
            self.all(operands[:sure], known)
            self.all(operands[sure:], set(known))
        elif kind == "AugAssign":
            self.exposed.update(_names_in(node.target))
            self.one(node.value, known)
        elif kind == "IfExp":
            self._either(node, known)
        elif kind == "Dict":
            self.all([part for pair in zip(node.keys, node.values, strict=True) for part in nodes_in(pair)], known)
        elif isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
            # A lambda runs later, and a comprehension perhaps never: they set nothing for sure.
            self.exposed.update(_names_in(node))
        else:
            self.all(children(node), known)

    def _either(self, node: Any, known: set[str]) -> None:
        self.one(node.test, known)
        first, second = set(known), set(known)
        self.one(node.body, first)
        self.one(node.orelse, second)
        known |= first & second


def _names_in(node: Any) -> list[str]:
    names: list[Any] = [part for part in walk(node) if kind_of(part) == "Name"]
    return [name.id for name in names]
