"""Deques that the graph changes: lists, which can become tensors.

Before:

    queue = collections.deque([start])
    while queue:
        node = queue.popleft()
        queue.append(node - 1)

After:

    queue = [start]
    while queue:
        node = queue.pop(0)
        queue.append(node - 1)

A deque with a longest length, or one that other functions receive, stays one, and is refused.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright.eject.flags import FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited
from graphwright.passes.calls import dotted


def with_list(text: str, function: Any, name: str) -> FlaggedText | None:
    """The text of a function with a list instead of a deque; None where that can't be done."""
    try:
        return _DequeEditing(text, function, name).result()
    except Unsuited:
        return None


class _DequeEditing(SourceEdits):
    """The text of one function, and what is written instead of what only deques have."""

    def __init__(self, text: str, function: Any, name: str) -> None:
        super().__init__(text, function)
        self.name = name

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node."""
        if isinstance(node, (gast.Assign, gast.AnnAssign)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            return self._assigned(node, targets) if any(map(self._is_deque, targets)) else None
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and self._is_deque(node.func.value):
            return self._called(node, node.func.attr)
        if self._is_deque(node) and not self._is_read_as_list(node, self.parents[node]):
            raise Unsuited
        return None

    def _is_deque(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == self.name

    def _assigned(self, node: Any, targets: list[Any]) -> str:
        call = node.value
        is_new = isinstance(call, gast.Call) and dotted(call.func) in ("deque", "collections.deque")
        if not is_new or len(targets) > 1 or call.keywords or len(call.args) > 1:
            raise Unsuited
        if not call.args:
            return f"{self.name} = []"
        given = self.read(call.args[0])
        return f"{self.name} = {given if isinstance(call.args[0], (gast.List, gast.ListComp)) else f'list({given})'}"

    def _called(self, node: Any, method: str) -> str | None:
        given = [self.read(each) for each in node.args]
        if node.keywords or any(isinstance(each, gast.Starred) for each in node.args):
            raise Unsuited
        if method == "popleft" and not given:
            return f"{self.name}.pop(0)"
        if method == "appendleft" and len(given) == 1:
            return f"{self.name}.insert(0, {given[0]})"
        if method not in _ALIKE:
            raise Unsuited
        return f"{self.name}.{method}({', '.join(given)})"

    def _is_read_as_list(self, node: Any, parent: Any) -> bool:
        """Whether a list does the same where the deque is read."""
        if isinstance(parent, gast.Call):
            return dotted(parent.func) in ("len", "list", "enumerate", "reversed", "sum", "max", "min", "bool")
        if isinstance(parent, gast.Subscript):
            return parent.value is node and isinstance(node.ctx, gast.Load) and not isinstance(parent.slice, gast.Slice)
        if isinstance(parent, (gast.For, gast.comprehension)):
            return parent.iter is node
        if isinstance(parent, gast.BoolOp):
            return self._is_read_as_list(parent, self.parents[parent])
        is_not = isinstance(parent, gast.UnaryOp) and isinstance(parent.op, gast.Not)
        return is_not or (isinstance(parent, (gast.If, gast.While, gast.IfExp)) and parent.test is node)


_ALIKE = frozenset({"append", "extend", "clear", "pop", "insert", "remove", "reverse"})
"""The methods that do the same to a list."""
