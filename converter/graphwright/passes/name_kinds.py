"""What the names of a function are by what is assigned to them: functions of ours, lists, other containers, objects."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any

from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes.unit import walk


@dataclass
class NameKinds:
    """The names of each kind; one that is assigned more than once may be of several."""

    functions: set[str] = field(default_factory=set[str])
    lists: set[str] = field(default_factory=set[str])
    containers: set[str] = field(default_factory=set[str])
    tuples: set[str] = field(default_factory=set[str])
    objects: set[str] = field(default_factory=set[str])
    others: set[str] = field(default_factory=set[str])

    def only_functions(self) -> frozenset[str]:
        """The names that are functions of ours wherever they are used."""
        return frozenset(self.functions - self.others - self.lists - self.containers - self.tuples - self.objects)

    def add(self, name: str, value: Any) -> None:
        """A value is assigned to a name."""
        self._set_of(value).add(name)

    def _set_of(self, value: Any) -> set[str]:
        kind = kind_of(value)
        called = value.func.id if kind == "Call" and kind_of(value.func) == "Name" else ""
        if _is_list(value) or called == "list":
            return self.lists
        if kind in ("Dict", "DictComp", "Set", "SetComp") or called in ("dict", "set"):
            return self.containers
        if kind == "Tuple":
            return self.tuples
        if kind == "Lambda":
            return self.functions
        return self.objects if called.lstrip("_")[:1].isupper() else self.others


def kinds_of_names(statements: Iterable[Any], parameters: Iterable[str], written: Container[Any]) -> NameKinds:
    """The kinds of the names that a function's statements assign; nodes with text of their own say nothing."""
    kinds = NameKinds(others=set(parameters))
    for part in statements:
        kind = kind_of(part)
        if kind in FUNCTIONS:
            (kinds.others if part.decorator_list else kinds.functions).add(part.name)
        elif kind in ("Assign", "AnnAssign"):
            for target in part.targets if kind == "Assign" else [part.target]:
                for name, value in _pairs(target, part.value):
                    if value in written:
                        kinds.others.add(name)
                    else:
                        kinds.add(name, value)
    return kinds


def _pairs(target: Any, value: Any) -> list[tuple[str, Any]]:
    """The names that are assigned, each with its value."""
    if kind_of(target) == "Name":
        return [(target.id, value)]
    if kind_of(target) != "Tuple" or kind_of(value) != "Tuple" or len(target.elts) != len(value.elts):
        return []
    return [pair for one, two in zip(target.elts, value.elts, strict=True) for pair in _pairs(one, two)]


def _is_list(value: Any) -> bool:
    """Whether an expression surely gives a list: `[0] * n`, `[x] + rest`."""
    kind = kind_of(value)
    if kind == "BinOp" and kind_of(value.op) in ("Add", "Mult"):
        return _is_list(value.left) or _is_list(value.right)
    return kind in ("List", "ListComp")


def set_places(parts: Iterable[Any]) -> frozenset[str]:
    """The attributes that are set somewhere."""
    stored = [part for part in parts if kind_of(part) == "Attribute" and kind_of(part.ctx) != "Load"]
    return frozenset(str(symbol) for part in stored if (symbol := symbol_of(part)) is not None)


def filled_dicts(facts: Any) -> frozenset[Any]:
    """The dicts that get keys in branches and loops."""
    constructs = [part for part in facts.statements if kind_of(part) in ("For", "If", "While")]
    return frozenset(symbol_of(part.value) for construct in constructs for part in walk(construct) if _fills(part))


def _fills(node: Any) -> bool:
    if kind_of(node) == "Attribute":
        return node.attr in ("setdefault", "update")
    is_set = kind_of(node) == "Subscript" and kind_of(node.ctx) != "Load"
    return is_set and kind_of(node.slice) == "Constant" and isinstance(node.slice.value, str)
