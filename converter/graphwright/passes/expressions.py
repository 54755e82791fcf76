"""Expressions as they stand in generated code: as the user wrote them, but for what a tensor would break.

Which rewriting applies to which kind of node is decided here; the modules named below hold one each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.syntax.tree import parse_source

from graphwright.passes import calls, comprehensions, formatting, items, logic, names
from graphwright.passes.facts import Facts
from graphwright.passes.unit import Unit


@dataclass(frozen=True, slots=True)
class ExpressionRenderer:
    """Renders the expressions of one statement.

    `at` is what the flow analyses know the place by; `nested` says whether the code lands in a function that
    was made for a branch, a loop or an operand; `hidden` are the parameters of lambdas around; `deferred` says that
    it lands in a lambda that was made for an operator.
    """

    unit: Unit
    facts: Facts
    at: gast.AST | None = None
    nested: bool = False
    hidden: frozenset[str] = frozenset()
    deferred: bool = False

    def __call__(self, node: gast.AST) -> str:
        template = self.unit.templates.get(node)
        if template is not None:
            text, parts = template
            return text.format(**{name: self.inside()(part) for name, part in parts.items()})
        kind = kind_of(node)
        handler = self.unit.style.expressions.get(kind) or _HANDLERS.get(kind)
        text = handler(self, node) if handler is not None else None
        return self.unit.style.noted(self, node, self.unit.splice(node, self) if text is None else text)

    def within(self, parameters: frozenset[str]) -> ExpressionRenderer:
        """A reader for code in which parameters of a lambda hide names from around."""
        return ExpressionRenderer(self.unit, self.facts, self.at, self.nested, self.hidden | parameters)

    def inside(self) -> ExpressionRenderer:
        """A reader for code that lands in a function of its own, where `super` needs to be told the method's."""
        return replace(self, nested=True)

    def later(self) -> ExpressionRenderer:
        """A reader for what an operator is given as a lambda."""
        return replace(self.inside(), deferred=True)

    def reread(self, text: str) -> str:
        """Render an expression that is known as text alone."""
        tree: Any = parse_source(text)[0]
        around = self.unit
        names = around.free, around.library
        unit = Unit(text, tree, around.class_name, *names, around.recursive, around.style, around.pairs)
        unit.alias = self.unit.alias
        return replace(self, unit=unit)(tree.value)

    @property
    def gw(self) -> str:
        return self.unit.alias


_HANDLERS: dict[str, Callable[[Any, Any], str | None]] = {
    "BoolOp": logic.boolean,
    "UnaryOp": logic.negation,
    "Compare": logic.comparison,
    "IfExp": logic.conditional,
    "Call": calls.call,
    "JoinedStr": formatting.joined,
    "BinOp": formatting.percent,
    "GeneratorExp": comprehensions.kept,
    "ListComp": comprehensions.listed,
    "SetComp": comprehensions.unrolled,
    "DictComp": comprehensions.unrolled,
    "Starred": comprehensions.spread,
    "Lambda": names.function,
    "Name": names.name,
    "Attribute": names.attribute,
    "Subscript": items.subscript,
}
