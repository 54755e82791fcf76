"""Statements that become several, so that each side of a choice, or each item, is changed by a statement of its own.

x = xs.pop() if test else b          (a if test else b).append(x)       xs[i], xs[j] = xs[j], xs[i]

if test:                             if test:                           item = xs[j]
    x = xs.pop()                         a.append(x)                    item_ = xs[i]
else:                                else:                              xs[i] = item
    x = b                                b.append(x)                    xs[j] = item_
"""

from __future__ import annotations

import copy
from typing import Any

import gast
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes.effects import CONTAINER_METHODS, LIST_METHODS
from graphwright.passes.logic import belongs_here, binds
from graphwright.passes.synthesis import assignment, choice, name, synthetic
from graphwright.passes.unit import Unit, walk


def split(unit: Unit, node: gast.AST) -> list[Any]:
    """The statements for one; none if it stays as it is."""
    value = node.value if isinstance(node, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)) else None
    sides = (value.body, value.orelse) if isinstance(value, gast.IfExp) else ()
    if any(belongs_here(side) or _changes(side) for side in sides):
        return [_by_statements(unit, node)]
    if isinstance(node, gast.Assign) and _is_swap(node) and not (unit.style.keeps_swaps and is_exchange(node)):
        return _one_by_one(unit, node)
    if isinstance(node, gast.Expr) and _is_call_of_a_choice(node.value):
        return [_call_of_each(unit, node)]
    return []


def _by_statements(unit: Unit, node: Any) -> Any:
    """`x = (y := a) if test else b`, `x = xs.pop() if test else b`: an `if` with such a statement on each side."""
    start, end = unit.span(node)
    value_start, value_end = unit.span(node.value)
    if unit.text[value_end:end].strip(" )") or "\n" in unit.text[start:end]:
        return node
    sides: list[Any] = []
    head = unit.text[start:value_start].replace("{", "{{").replace("}", "}}")
    for value in (node.value.body, node.value.orelse):
        side = copy.copy(node)
        side.value = value
        bare = not isinstance(value, gast.NamedExpr) or head.rstrip().endswith("(")
        shown = "{value}" if bare else "({value})"
        sides.append(synthetic(unit, value, side, head + shown + unit.text[value_end:end], value=value))
    return choice(unit, node, node.value.test, sides[:1], sides[1:])


def _changes(node: gast.AST) -> bool:
    """Whether evaluating an expression changes a list or dict that has a name."""
    calls = (
        child for child in walk(node, lambda child: not isinstance(child, gast.Lambda)) if isinstance(child, gast.Call)
    )
    methods = (call.func for call in calls if isinstance(call.func, gast.Attribute))
    changing = (method for method in methods if method.attr in LIST_METHODS | CONTAINER_METHODS)
    return any(symbol_of(method.value) is not None for method in changing)


def _is_swap(node: Any) -> bool:
    """Whether it is like `xs[i], xs[j] = xs[j], xs[i]`, of which the graph sets each item by itself."""
    target = node.targets[0]
    both = len(node.targets) == 1 and isinstance(target, gast.Tuple) and isinstance(node.value, gast.Tuple)
    if not both or len(target.elts) != len(node.value.elts):
        return False
    parts = (*target.elts, *node.value.elts)
    items = [
        part for part in target.elts if isinstance(part, gast.Subscript) and not isinstance(part.slice, gast.Constant)
    ]
    return bool(items) and all(not isinstance(part, gast.Starred) and not binds(part) for part in parts)


def is_exchange(node: gast.Assign) -> bool:
    """Whether an assignment only exchanges two items of one name, like `xs[i], xs[j] = xs[j], xs[i]`."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple):
        return False
    items = [each for each in (*target.elts, *value.elts) if isinstance(each, gast.Subscript)]
    names = {each.value.id if isinstance(each.value, gast.Name) else None for each in items}
    keys = [gast.dump(each.slice) for each in items]
    is_pair = len(target.elts) == len(value.elts) == 2 and len(items) == 4
    return is_pair and len(names) == 1 and None not in names and keys[:2] == keys[:1:-1]


def _one_by_one(unit: Unit, node: Any) -> list[Any]:
    held: list[str] = []
    for _ in node.value.elts:
        held.append(unit.fresh("item"))
        unit.names.add(held[-1])
    before = [assignment(unit, value, one, value) for one, value in zip(held, node.value.elts, strict=True)]
    after: list[Any] = []
    for one, target in zip(held, node.targets[0].elts, strict=True):
        value = name(unit, target, one)
        made = gast.Assign([target], value, None)
        after.append(synthetic(unit, target, made, f"{{target}} = {one}", target=target, value=value))
    return [*before, *after]


def _is_call_of_a_choice(call: gast.AST) -> bool:
    """Whether a call is like `(a if test else b).append(x)`, which changes one of the two."""
    method = call.func if isinstance(call, gast.Call) else None
    return isinstance(method, gast.Attribute) and isinstance(method.value, gast.IfExp) and not binds(call)


def _call_of_each(unit: Unit, node: Any) -> Any:
    """`(a if test else b).append(x)`: an `if` with a call on each side, so that the one that is meant changes."""
    chosen, sides = node.value.func.value, list[Any]()
    for value in (chosen.body, chosen.orelse):
        side, call, method = copy.copy(node), copy.copy(node.value), copy.copy(node.value.func)
        side.value, call.func, method.value = call, method, value
        shown = "{value}" if isinstance(value, (gast.Name, gast.Attribute, gast.Subscript, gast.Call)) else "({value})"
        synthetic(unit, node.value.func, method, f"{shown}.{method.attr}", value=value)
        sides.append(side)
    return choice(unit, node, chosen.test, sides[:1], sides[1:])
