"""A call of a TensorFlow function whose operands are checked, and what is found of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import NONE, Value
from graphwright_analysis.values.shapes import Shape

from . import operands

Elements = operands.Elements
At = int | str


@immutable
class Refusal:
    """Two operands that don't fit, or one that doesn't fit the function; `*_at` says which argument each is."""

    kind: Literal["dtype", "shape"]
    first: Value
    second: Value | None
    first_at: At
    second_at: At
    words: str


@immutable
class CheckedCall:
    """A call's arguments by parameter, with where each was given."""

    arguments: Mapping[str, Value]
    at: Mapping[str, At]
    elements: Elements
    eager: bool = False
    more: Sequence[Value] = ()

    def get(self, name: str) -> Value:
        return self.arguments.get(name, NONE)

    def shape(self, name: str) -> Shape:
        value = self.get(name)
        return None if value == NONE else operands.static_shape(value, self.elements)

    def integer(self, name: str, default: int | None = None) -> int | None:
        value = self.arguments.get(name)
        if value is None:
            return default
        return operands.integer(value)

    def refusal(self, kind: Literal["dtype", "shape"], first: str, second: str | None, words: str) -> Refusal:
        other = None if second is None else self.get(second)
        behind = self.at[first] if second is None else self.at[second]
        return Refusal(kind, self.get(first), other, self.at[first], behind, words)


Check = Callable[[CheckedCall], "Refusal | None"]
