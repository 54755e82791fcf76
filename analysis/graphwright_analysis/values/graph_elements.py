"""Which values one list of a graph can hold together, and which the graph can choose from, under Graphwright.

Lists and dicts are laid open before. Lists that Python alone changes and reads may hold anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from graphwright_analysis.immutability import immutable

from . import structures
from .converters import Converter
from .domain import NONE, UNKNOWN, Api, Value, Variable, dtype_of

MixtureKind = Literal["dtype", "structure", "object"]


@immutable
class Mixture:
    """What can't be in one list of the graph, in words: values that don't fit each other, or one that no graph has."""

    kind: MixtureKind
    words: str

    @property
    def in_list(self) -> str:
        """What is wrong with a list of the graph that holds it, and what to write."""
        changes = "is a list that the graph makes longer or shorter, and"
        if self.kind == "object":
            cure = "Use tensors, numbers, or tuples, dicts and dataclasses of them"
            return f"{changes} can't hold {self.words}. {cure}."
        cure = "Cast one of them" if self.kind == "dtype" else "Use the same structure for all, or several lists"
        return f"{changes} holds {self.words}: Graphwright needs elements of one {self.kind}. {cure}."


def mixture(values: Sequence[Value]) -> Mixture | None:
    """What keeps the values from being the elements of a list that the graph makes longer or shorter, if surely so."""
    for value in values:
        for part in structures.flat(value):
            what = "None" if part == NONE else structures.unsupported(part)
            class_ = structures.own_class(part)
            if what is not None and not (class_ is not None and class_.dataclass):
                return Mixture("object", what)
    return _clash(values, Converter.AUTOGRAPH)


def choice_mixture(values: Sequence[Value]) -> Mixture | None:
    """What keeps the graph from choosing one of the values with an index, if surely so.

    It may choose objects of one class, lists of different lengths, and what can be called.
    """
    if all(map(structures.can_be_called, values)):
        return None
    for value in values:
        what = "None" if value == NONE else structures.unsupported(value, Converter.GRAPHWRIGHT)
        what = "a function" if isinstance(value, Api) else what
        if what is not None and not isinstance(value, Variable):
            return Mixture("object", what)
    classes = dict.fromkeys(map(structures.own_class, values))
    if len(classes) > 1 and None not in classes:
        names = (f"a `{class_.node.name}` object" for class_ in classes if class_ is not None)
        return Mixture("object", " and ".join(list(names)[:2]))
    return _clash(values, Converter.GRAPHWRIGHT)


def refused_choice(sides: tuple[Value, Value], converter: Converter) -> tuple[str, int] | None:
    """What keeps the graph from choosing one of two values, and which of them it is in.

    Graphwright passes on what is the same in both, objects of one class, and what can be called.
    """
    converts = converter is not Converter.AUTOGRAPH
    pairs = [pair for pair in structures.leaves(*sides) if not _is_passed_on(*pair)] if converts else [sides]
    for pair in pairs:
        classes = [structures.own_class(side) for side in pair]
        if converts and None not in classes and classes[0] != classes[1]:
            first, second = (class_.node.name for class_ in classes if class_ is not None)
            return f"an object of `{first}` or of `{second}`", 0
        for side, value in enumerate(pair):
            for part in structures.flat(value):
                what = structures.unsupported(part, converter)
                if what is not None:
                    return what, side
    return None


def _is_passed_on(one: Value, other: Value) -> bool:
    """Whether two values are the same, or callables, as far as they are known."""
    return one == other or all(side == UNKNOWN or structures.can_be_called(side) for side in (one, other))


def _clash(values: Sequence[Value], lengths_of: Converter) -> Mixture | None:
    """In what a value differs from the first one."""
    for value in values[1:]:
        differing = structures.difference(values[0], value, lengths_of)
        if differing is not None:
            return Mixture("structure", " and ".join(differing))
        for first, second in structures.leaves(values[0], value):
            dtypes = dtype_of(first), dtype_of(second)
            alike = None in dtypes or dtypes[0] == dtypes[1]
            if not alike and not structures.adapts(Converter.GRAPHWRIGHT, first, second):
                return Mixture("dtype", f"{dtypes[0]} and {dtypes[1]}")
    return None
