"""What the names of a function are by what is assigned to them: functions of ours, lists, other containers, objects."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


@dataclass
class NameKinds:
    """The names of each kind; one that is assigned more than once may be of several."""

    functions: set[str] = field(default_factory=set[str])
    lists: set[str] = field(default_factory=set[str])
    containers: set[str] = field(default_factory=set[str])
    tuples: set[str] = field(default_factory=set[str])
    objects: set[str] = field(default_factory=set[str])
    defaults: set[str] = field(default_factory=set[str])
    """Those with a `defaultdict`, which are among the others as well."""
    others: set[str] = field(default_factory=set[str])

    def only_functions(self) -> frozenset[str]:
        """The names that are functions of ours wherever they are used."""
        return frozenset(self.functions - self.others - self.lists - self.containers - self.tuples - self.objects)

    def add(self, name: str, value: gast.AST | None) -> None:
        """A value is assigned to a name."""
        self._set_of(value).add(name)
        if "defaultdict" in _called(value) or (isinstance(value, gast.Name) and value.id in self.defaults):
            self.defaults.add(name)

    def _set_of(self, value: gast.AST | None) -> set[str]:
        called, method = _called(value)
        if _is_list(value) or called == "list":
            return self.lists
        if isinstance(value, (gast.Dict, gast.DictComp, gast.Set, gast.SetComp)) or called in ("dict", "set"):
            return self.containers
        if "deque" in (called, method):
            return self.containers
        if isinstance(value, gast.Tuple):
            return self.tuples
        if isinstance(value, gast.Lambda):
            return self.functions
        return self.objects if called.lstrip("_")[:1].isupper() else self.others


def kinds_of_names(statements: Iterable[Any], parameters: Iterable[str], written: Container[Any]) -> NameKinds:
    """The kinds of the names that a function's statements assign; nodes with text of their own say nothing."""
    kinds = NameKinds(others=set(parameters))
    for part in statements:
        if isinstance(part, FUNCTIONS):
            (kinds.others if part.decorator_list else kinds.functions).add(part.name)
        elif isinstance(part, (gast.Assign, gast.AnnAssign)):
            for target in part.targets if isinstance(part, gast.Assign) else [part.target]:
                for name, value in _pairs(target, part.value):
                    if value in written:
                        kinds.others.add(name)
                    else:
                        kinds.add(name, value)
    return kinds


def _pairs(target: gast.AST, value: gast.AST | None) -> list[tuple[str, Any]]:
    """The names that are assigned, each with its value."""
    if isinstance(target, gast.Name):
        return [(target.id, value)]
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple) or len(target.elts) != len(value.elts):
        return []
    return [pair for one, two in zip(target.elts, value.elts, strict=True) for pair in _pairs(one, two)]


def _called(value: gast.AST | None) -> tuple[str, str]:
    """The function that gives a value, and the one of something that does; "" for none."""
    function: Any = value.func if isinstance(value, gast.Call) else None
    return str(getattr(function, "id", "")), str(getattr(function, "attr", ""))


def _is_list(value: gast.AST | None) -> bool:
    """Whether an expression surely gives a list: `[0] * n`, `[x] + rest`."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Mult)):
        return _is_list(value.left) or _is_list(value.right)
    return isinstance(value, (gast.List, gast.ListComp))


def set_places(parts: Iterable[Any]) -> frozenset[str]:
    """The attributes that are set somewhere."""
    stored = [part for part in parts if isinstance(part, gast.Attribute) and not isinstance(part.ctx, gast.Load)]
    return frozenset(str(symbol) for part in stored if (symbol := symbol_of(part)) is not None)


def filled_dicts(facts: Facts) -> frozenset[Any]:
    """The dicts that get keys in branches and loops."""
    return frozenset(symbol_of(part.value) for part in _in_constructs(facts) if _fills(part))


def filled_defaults(facts: Facts) -> frozenset[str]:
    """The names of each `defaultdict`, if branches or loops may set keys of one, as who reads an item does."""
    is_in_one = any(isinstance(part, gast.Name) and part.id in facts.defaults for part in _in_constructs(facts))
    return facts.defaults if is_in_one else frozenset()


def _in_constructs(facts: Facts) -> list[Any]:
    constructs = [part for part in facts.statements if isinstance(part, (gast.For, gast.If, gast.While))]
    return [part for construct in constructs for part in walk(construct)]


def _fills(node: Any) -> bool:
    if isinstance(node, gast.Attribute):
        return node.attr in ("setdefault", "update")
    is_set = isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
    return is_set and isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str)
