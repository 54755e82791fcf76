"""Constructs that are written with simpler ones before anything else looks at the code.

Before:

    while (n := next(source)) > 0:
        ...
    for x in xs:
        if x == wanted:
            break
    else:
        found = False

After:

    while True:
        if not (n := next(source)) > 0:
            break
        ...
    broken = False
    for x in xs:
        if x == wanted:
            broken = True
            break
    if not broken:
        found = False

The tree that came in isn't changed.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes import patterns
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.logic import binds
from graphwright.passes.slots import CONTAINER_METHODS, LIST_METHODS
from graphwright.passes.synthesis import assignment, choice, constant, name, negated, synthetic
from graphwright.passes.unit import Unit, walk


def desugared(unit: Unit, node: Any) -> Any:
    """The node, or a copy of it in which some statements are written more simply."""
    return _with_blocks(node, lambda statements: _block(unit, statements))


def _with_blocks(node: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    """A statement with its blocks changed, itself if none did."""
    new: dict[str, Any] = {}
    for field in ("body", "orelse", "finalbody"):
        block: list[Any] | None = getattr(node, field, None)
        if block is not None:
            changed = change(block)
            if [id(part) for part in changed] != [id(part) for part in block]:
                new[field] = changed
    for field in ("handlers", "cases"):
        parts: list[Any] = getattr(node, field, None) or []
        changed = [_with_blocks(part, change) for part in parts]
        if [id(part) for part in changed] != [id(part) for part in parts]:
            new[field] = changed
    if not new:
        return node
    result = copy.copy(node)
    for field, value in new.items():
        setattr(result, field, value)
    return result


IN_PLACE = LIST_METHODS | CONTAINER_METHODS
"""The methods that change a list, dict or set."""


def _block(unit: Unit, statements: list[Any]) -> list[Any]:
    found: list[Any] = []
    for statement in statements:
        found += _statement(unit, _with_blocks(statement, lambda inner: _block(unit, inner)))
    return found


def _statement(unit: Unit, node: Any) -> list[Any]:
    kind = kind_of(node)
    if kind == "Match" and not unit.style.keeps_match:
        return _flat_chain(unit, patterns.as_choices(unit, node))
    if kind == "If" and kind_of(node.test) == "BoolOp" and any(binds(value) for value in node.test.values[1:]):
        return _in_steps(unit, node)
    is_choice = kind in ("Assign", "AugAssign", "Expr", "Return") and kind_of(node.value) == "IfExp"
    if is_choice and any(binds(side) or _changes(side) for side in (node.value.body, node.value.orelse)):
        return [_by_statements(unit, node)]
    if kind == "Assign" and _is_swap(node):
        return _one_by_one(unit, node)
    if kind == "Expr" and _is_call_of_a_choice(node.value):
        return [_call_of_each(unit, node)]
    # The `break` of a test that is turned around isn't one that an `else` looks for.
    found = _without_else(unit, node) if kind in ("For", "While") and node.orelse else [node]
    found = [_without_walrus(unit, part) if kind_of(part) == "While" and binds(part.test) else part for part in found]
    return _flat_chain(unit, found) if len(found) == 1 else found


def _flat_chain(unit: Unit, statements: list[Any]) -> list[Any]:
    """A chain of `elif` that is too long to be nested, cut: what leaves needs no `else`, the rest has a flag."""
    node = statements[-1]
    if kind_of(node) != "If":
        return statements
    chain = [node]
    while len(chain[-1].orelse) == 1 and kind_of(chain[-1].orelse[0]) == "If":
        chain.append(chain[-1].orelse[0])
    if len(chain) <= _LONGEST_CHAIN:
        return statements
    found: list[Any] = []
    while kind_of(node) == "If" and node.orelse and not completes(node.body, unit.library):
        alone = _like(unit, node)
        alone.orelse = []
        found.append(alone)
        if len(node.orelse) != 1:
            return [*statements[:-1], *found, *node.orelse]
        node = node.orelse[0]
    if found:
        return [*statements[:-1], *found, *_flat_chain(unit, [node])]
    other = unit.fresh("other")
    unit.names.add(other)
    copies = [_like(unit, link) for link in chain[:_LONGEST_CHAIN]]
    for outer, inner in itertools.pairwise(copies):
        outer.orelse = [inner]
    links = chain[_LONGEST_CHAIN]
    copies[-1].orelse = [assignment(unit, links, other, constant(unit, links, True))]
    before = assignment(unit, node, other, constant(unit, node, False))
    rest = choice(unit, links, name(unit, links, other), _flat_chain(unit, [links]), [])
    return [*statements[:-1], before, copies[0], rest]


def _like(unit: Unit, node: Any) -> Any:
    made = copy.copy(node)
    if node in unit.templates:
        unit.templates[made] = unit.templates[node]
    return made


def _in_steps(unit: Unit, node: Any) -> list[Any]:
    """An `if` on `and` or `or` whose later operands bind names: one operand after the other."""
    held = unit.fresh("held")
    unit.names.add(held)
    first, *others = node.test.values
    found = [assignment(unit, node.test, held, first)]
    for value in others:
        known = name(unit, value, held)
        test = known if kind_of(node.test.op) == "And" else negated(unit, value, known)
        found.append(choice(unit, value, test, [assignment(unit, value, held, value)], []))
    result = copy.copy(node)
    result.test = name(unit, node.test, held)
    return [*found, *_block(unit, [result])]


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
        bare = kind_of(value) != "NamedExpr" or head.rstrip().endswith("(")
        shown = "{value}" if bare else "({value})"
        sides.append(synthetic(unit, value, side, head + shown + unit.text[value_end:end], value=value))
    return choice(unit, node, node.value.test, sides[:1], sides[1:])


def _changes(node: Any) -> bool:
    """Whether evaluating an expression changes a list or dict that has a name."""
    calls = (child for child in walk(node, lambda child: kind_of(child) != "Lambda") if kind_of(child) == "Call")
    methods = (call.func for call in calls if kind_of(call.func) == "Attribute")
    return any(method.attr in IN_PLACE and symbol_of(method.value) is not None for method in methods)


def _is_swap(node: Any) -> bool:
    """Whether it is like `xs[i], xs[j] = xs[j], xs[i]`, of which the graph sets each item by itself."""
    target = node.targets[0]
    both = len(node.targets) == 1 and kind_of(target) == "Tuple" and kind_of(node.value) == "Tuple"
    if not both or len(target.elts) != len(node.value.elts):
        return False
    parts = (*target.elts, *node.value.elts)
    items = [part for part in target.elts if kind_of(part) == "Subscript" and kind_of(part.slice) != "Constant"]
    return bool(items) and all(kind_of(part) != "Starred" and not binds(part) for part in parts)


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


def _is_call_of_a_choice(call: Any) -> bool:
    """Whether a call is like `(a if test else b).append(x)`, which changes one of the two."""
    method = kind_of(call) == "Call" and kind_of(call.func) == "Attribute"
    return method and kind_of(call.func.value) == "IfExp" and not binds(call)


def _call_of_each(unit: Unit, node: Any) -> Any:
    """`(a if test else b).append(x)`: an `if` with a call on each side, so that the one that is meant changes."""
    chosen, sides = node.value.func.value, list[Any]()
    for value in (chosen.body, chosen.orelse):
        side, call, method = copy.copy(node), copy.copy(node.value), copy.copy(node.value.func)
        side.value, call.func, method.value = call, method, value
        shown = "{value}" if kind_of(value) in ("Name", "Attribute", "Subscript", "Call") else "({value})"
        synthetic(unit, node.value.func, method, f"{shown}.{method.attr}", value=value)
        sides.append(side)
    return choice(unit, node, chosen.test, sides[:1], sides[1:])


def _without_walrus(unit: Unit, loop: Any) -> Any:
    stop = synthetic(unit, loop.test, gast.Break(), "break")
    leave = choice(unit, loop.test, negated(unit, loop.test, loop.test), [stop], [])
    if kind_of(loop.test) == "BoolOp" and any(binds(value) for value in loop.test.values[1:]):
        nothing = synthetic(unit, loop.test, gast.Pass(), "pass")
        steps = _in_steps(unit, choice(unit, loop.test, loop.test, [nothing], []))
        held = steps[-1].test
        steps[-1] = choice(unit, loop.test, negated(unit, loop.test, held), [stop], [])
        result = copy.copy(loop)
        result.test = constant(unit, loop.test, True)
        result.body = [*steps, *loop.body]
        return result
    result = copy.copy(loop)
    result.test = constant(unit, loop.test, True)
    result.body = [leave, *loop.body]
    return result


def _without_else(unit: Unit, loop: Any) -> list[Any]:
    result = copy.copy(loop)
    result.orelse = []
    if "break" not in jumps_out(loop.body):
        return [result, *loop.orelse]
    broken = unit.fresh("broken")
    unit.names.add(broken)
    result.body = _marking_breaks(unit, loop.body, broken)
    test = negated(unit, loop.orelse[0], name(unit, loop.orelse[0], broken))
    before = assignment(unit, loop, broken, constant(unit, loop, False))
    return [before, result, choice(unit, loop.orelse[0], test, loop.orelse, [])]


def _marking_breaks(unit: Unit, statements: Iterable[Any], broken: str) -> list[Any]:
    found: list[Any] = []
    for statement in statements:
        kind = kind_of(statement)
        if kind == "Break":
            found.append(assignment(unit, statement, broken, constant(unit, statement, True)))
        if kind not in ("For", "While", "ClassDef", *FUNCTIONS):
            statement = _with_blocks(statement, lambda inner: _marking_breaks(unit, inner, broken))
        found.append(statement)
    return found


_LONGEST_CHAIN = 16
