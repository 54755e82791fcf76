"""`and`, `or`, `not`, chains of comparisons, `in`, `is None`, conditional expressions.

Before:

    y = a if x > 0 and not done else b

After:

    y = gw.if_(gw.and_(x > 0, lambda: gw.not_(done)), lambda: a, lambda: b)

What is surely Python's own (`isinstance`, `is None`, constants) stays as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, kind_of

from graphwright.passes.names import asks_for_names
from graphwright.passes.surely_python import is_sure
from graphwright.passes.unit import as_operand, line_end, walk

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def boolean(read: Any, node: gast.BoolOp) -> str | None:
    if is_sure(node, read.facts) or any(belongs_here(value) for value in node.values[1:]):
        return None
    first, *others = operands_of(node)
    kind, later = kind_of(node.op), read.later()
    texts = [_on_its_line(node, first, read(first)), *(_on_its_line(node, each, later(each)) for each in others)]
    text = texts[-1]
    for earlier in reversed(texts[:-1]):
        text = f"{read.gw}.{_operator(read, node, kind)}({earlier}, lambda: {text})"
    return text


def operands_of(node: Any) -> list[Any]:
    """The operands of a row of `and`, or of `or`: `(a and b) and c` has three."""
    found: list[Any] = []
    for value in node.values:
        alike = isinstance(value, gast.BoolOp) and kind_of(value.op) == kind_of(node.op)
        found += operands_of(value) if alike else [value]
    return found


def _operator(read: ExpressionRenderer, node: gast.AST, kind: str) -> str:
    """What joins operands: Python asks each for its truth once, and so does what runs."""
    if read.unit.pairs and node in read.unit.tests:
        return "both" if kind == "And" else "either"
    return "and_" if kind == "And" else "or_"


def tests_in(node: gast.AST) -> frozenset[gast.AST]:
    """The expressions in a function that are only asked for their truth."""
    found: set[gast.AST] = set()
    for part in walk(node):
        if isinstance(part, (gast.If, gast.While, gast.IfExp, gast.Assert)):
            _add_test(part.test, found)
        elif isinstance(part, gast.comprehension):
            for test in part.ifs:
                _add_test(test, found)
        elif isinstance(part, gast.BoolOp):
            # What is false in `(a and b) or c` isn't its value.
            for value in operands_of(part)[:-1]:
                _add_test(value, found, only="BoolOp")
    return frozenset(found)


def _add_test(node: gast.AST, found: set[gast.AST], only: str = "") -> None:
    kind = kind_of(node)
    if only and kind != only:
        return
    found.add(node)
    if isinstance(node, gast.BoolOp):
        inside = node.values
    else:
        inside = (
            [node.operand] if isinstance(node, gast.UnaryOp) else [node.body] if isinstance(node, gast.Lambda) else []
        )
    for value in inside:
        _add_test(value, found)


def negation(read: Any, node: gast.UnaryOp) -> str | None:
    if not isinstance(node.op, gast.Not) or is_sure(node, read.facts):
        return None
    return f"{read.gw}.not_({read(node.operand)})"


def comparison(read: Any, node: gast.Compare) -> str | None:
    if is_sure(node, read.facts):
        return None
    operands = [node.left, *node.comparators]
    operators = [kind_of(operator) for operator in node.ops]
    if len(operators) == 1 and operators[0] not in _REWRITTEN:
        return _of_sequences(read, node)
    if operators == ["Is"] or operators == ["IsNot"]:
        return _identity(read, node)
    if any(map(binds, operands[2:])):
        return None
    bare = len(operators) == 1 and operators[0] in ("In", "NotIn")
    reads = [read, read, *[read.later() for _ in operands[2:]]]
    texts = [
        rendered if bare else as_operand(rendered, operand)
        for operand, rendered in ((operand, reading(operand)) for reading, operand in zip(reads, operands, strict=True))
    ]
    links: list[str] = []
    kept = read.unit.fresh("middle")
    for number, operator in enumerate(operators):
        left, right = texts[number], texts[number + 1]
        if 0 < number + 1 < len(operators) and not isinstance(operands[number + 1], (gast.Name, gast.Constant)):
            while any(re.search(rf"\b{kept}\b", text) for text in texts):
                kept += "_"
            right, texts[number + 1] = f"({kept} := {right})", kept
        links.append(_link(read.gw, left, operator, right))
    text = links[-1]
    for link in reversed(links[:-1]):
        text = f"{read.gw}.{_operator(read, node, 'And')}({link}, lambda: {text})"
    return text


def _of_sequences(read: Any, node: gast.Compare) -> str | None:
    """`(x, y) == (1, 2)`: Python would ask for the truth of each comparison."""
    operands = (node.left, *node.comparators)
    if not any(_is_sequence(operand, read) for operand in operands):
        return None
    left, right = map(read, operands)
    return f'{read.gw}.compared({left}, "{_SIGNS[kind_of(node.ops[0])]}", {right})'


def _is_sequence(node: gast.AST, read: ExpressionRenderer) -> bool:
    if isinstance(node, gast.Name):
        return node.id in read.facts.sequences and node.id not in read.hidden
    return isinstance(node, (gast.Tuple, gast.List, gast.ListComp))


def conditional(read: Any, node: gast.IfExp) -> str | None:
    if is_sure(node.test, read.facts) or belongs_here(node.body) or belongs_here(node.orelse):
        return None
    test = _on_its_line(node, node.test, read(node.test))
    body, orelse = [_on_its_line(node, part, read.later()(part)) for part in (node.body, node.orelse)]
    return f"{read.gw}.if_({test}, lambda: {body}, lambda: {orelse})"


def _on_its_line(node: gast.expr, part: gast.expr, text: str) -> str:
    """The text of a part, on a line of its own if it stood on another than the whole."""
    return text if part.lineno == node.lineno else line_end(part.lineno, 4) + text


def _identity(read: Any, node: gast.Compare) -> str | None:
    """`x is None`, `x is Color.RED`, `x is other`, `x is True`."""
    operand = node.comparators[0]
    if isinstance(operand, gast.Constant) and operand.value is None:
        left = node.left.id if isinstance(node.left, gast.Name) else read(node.left)
        text = f"{read.gw}.is_none({left})"
    elif isinstance(operand, (gast.Attribute, gast.Name, gast.Subscript)) or _is_bool(operand):
        text = f"{read.gw}.is_({read(node.left)}, {read(operand)})"
    else:
        return None
    return text if isinstance(node.ops[0], gast.Is) else f"{read.gw}.not_({text})"


def _is_bool(operand: gast.AST) -> bool:
    return isinstance(operand, gast.Constant) and isinstance(operand.value, bool)


def _link(gw: str, left: str, operator: str, right: str) -> str:
    if operator in ("In", "NotIn"):
        return f"{gw}.{'in_' if operator == 'In' else 'not_in'}({left}, {right})"
    return f"{left} {_SIGNS[operator]} {right}"


def binds(node: gast.AST) -> bool:
    """Whether evaluating an expression binds a name by a walrus, or leaves the function for a while."""
    return any(isinstance(child, _BINDS) for child in walk(node, lambda child: not isinstance(child, gast.Lambda)))


def belongs_here(node: gast.AST) -> bool:
    """Whether evaluating an expression in a function of its own would do something else; `locals()` would."""
    return binds(node) or any(map(_reads_names, walk(node, lambda child: not isinstance(child, _OWN_NAMES))))


def _reads_names(node: gast.AST) -> bool:
    if not isinstance(node, gast.Call):
        return False
    return asks_for_names(node) or (isinstance(node.func, gast.Name) and node.func.id in ("eval", "exec"))


_OWN_NAMES = (*COMPREHENSIONS, gast.Lambda)
_BINDS = (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
_REWRITTEN = frozenset({"In", "NotIn", "Is", "IsNot"})
_SIGNS = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
}
