"""Items of lists and dicts in attributes that a branch assigns: the branch assigns a name, and the item follows it.

Before:

    for i in range(len(self.weights)):
        if self.weights[i] > limit:
            self.weights[i] = limit

After:

    for i in range(len(self.weights)):
        weights_item = self.weights[i]
        if weights_item > limit:
            weights_item = limit
        self.weights[i] = weights_item

Only where nothing in the branch could see the list meanwhile. Which branches need it is decided in `shared_values`.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS

from graphwright.eject.flags import FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, free_name
from graphwright.passes.calls import dotted
from graphwright.passes.jumps import jumps_out
from graphwright.passes.unit import walk


def with_names(text: str, function: Any, place: tuple[int, int]) -> FlaggedText | None:
    """The text of a function with names for the items that the branch at a place assigns; None where that can't be."""
    branches = (
        part for part in walk(function) if isinstance(part, gast.If) and (part.lineno, part.col_offset) == place
    )
    try:
        return next((_Naming(text, function, branch).result() for branch in branches), None)
    except Unsuited:
        return None


def assigned_in(branch: Any) -> list[Any]:
    """The items of attributes that a branch assigns."""
    return [part for part in walk(branch) if is_item(part) and isinstance(part.ctx, gast.Store)]


def is_item(node: Any) -> bool:
    """Whether a node is an item of an attribute, under a name or constant: `self.weights[i]`."""
    is_plain = (
        isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute) and dotted(node.value) is not None
    )
    return is_plain and isinstance(node.slice, (gast.Name, gast.Constant))


def is_same(first: Any, second: Any) -> bool:
    """Whether two items are the same by their texts."""
    keys = [getattr(node.slice, "id", None) or repr(node.slice.value) for node in (first, second)]
    return dotted(first.value) == dotted(second.value) and keys[0] == keys[1]


class _Naming(SourceEdits):
    """One branch, and the names of the items that it assigns."""

    def __init__(self, text: str, function: Any, branch: Any) -> None:
        super().__init__(text, function)
        self.branch: Any = branch
        start, column = self.starts[int(branch.lineno) - 1], int(branch.col_offset)
        self.indent = text[start : start + column]
        taken = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        self.items: list[tuple[Any, str]] = []
        for item in assigned_in(branch):
            if not any(is_same(item, known) for known, _ in self.items):
                name = free_name(f"{item.value.attr.strip('_')}_item", taken)
                taken.add(name)
                self.items.append((item, name))
        if self.indent.strip() or not self.items or jumps_out([branch]) or not self._has_all():
            raise Unsuited

    def _has_all(self) -> bool:
        """Whether all that the branch does with the lists or dicts is to read and assign these items."""
        inside = walk(self.branch)
        owners = {dotted(item.value) for item, _ in self.items}
        bound = {part.id for part in inside if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)}
        keys = {part.id for item, _ in self.items for part in walk(item) if isinstance(part, gast.Name)}
        held = [part for part in inside if isinstance(part, gast.Attribute) and dotted(part) in owners]
        plain = all(self._name_of(self.parents[part]) for part in held)
        makes = any(isinstance(part, (*FUNCTIONS, gast.ListComp, gast.GeneratorExp)) for part in inside)
        return plain and not keys & bound and not makes

    def _name_of(self, node: Any) -> str | None:
        return next((name for item, name in self.items if is_item(node) and is_same(node, item)), None)

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """The lines around the branch, besides what is written in it."""
        if node is not self.branch:
            return super().edits(node)
        start, end = self.span(node)
        texts = [(self.text[slice(*self.span(item))], name) for item, name in self.items]
        before = "".join(f"{name} = {text}\n{self.indent}" for text, name in texts)
        after = "".join(f"\n{self.indent}{text} = {name}" for text, name in texts)
        return [(start, start, before), *super().edits(node), (end, end, after)]

    def replaced(self, node: Any) -> str | None:
        """The name of an item in the branch."""
        return self._name_of(node) if node in walk(self.branch) else None
