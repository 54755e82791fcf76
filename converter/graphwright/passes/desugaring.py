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
from graphwright_analysis.flow.tree import FUNCTIONS

from graphwright.passes import patterns
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.logic import belongs_here, binds
from graphwright.passes.splitting import split
from graphwright.passes.synthesis import assignment, choice, constant, name, negated, synthetic
from graphwright.passes.unit import Unit


def desugared(unit: Unit, node: gast.AST) -> Any:
    """The node, or a copy of it in which some statements are written more simply."""
    return _with_blocks(node, lambda statements: _block(unit, statements))


def _with_blocks(node: gast.AST, change: Callable[[list[Any]], list[Any]]) -> Any:
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


def _block(unit: Unit, statements: list[Any]) -> list[Any]:
    found: list[Any] = []
    for statement in statements:
        found += _statement(unit, _with_blocks(statement, lambda inner: _block(unit, inner)))
    return found


def _statement(unit: Unit, node: gast.AST) -> list[Any]:
    if isinstance(node, gast.Match) and not unit.style.keeps_match:
        return _flat_chain(unit, patterns.as_choices(unit, node))
    if (
        isinstance(node, gast.If)
        and isinstance(node.test, gast.BoolOp)
        and any(belongs_here(value) for value in node.test.values[1:])
    ):
        return _in_steps(unit, node)
    several = split(unit, node)
    if several:
        return several
    # The `break` of a test that is turned around isn't one that an `else` looks for.
    found = _without_else(unit, node) if isinstance(node, (gast.For, gast.While)) and node.orelse else [node]
    found = [
        _without_walrus(unit, part) if isinstance(part, gast.While) and binds(part.test) else part for part in found
    ]
    return _flat_chain(unit, found) if len(found) == 1 else found


def _flat_chain(unit: Unit, statements: list[gast.stmt]) -> list[Any]:
    """A chain of `elif` that is too long to be nested, cut: what leaves needs no `else`, the rest has a flag."""
    node = statements[-1]
    if not isinstance(node, gast.If):
        return statements
    chain = [node]
    while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], gast.If):
        chain.append(chain[-1].orelse[0])
    if len(chain) <= _LONGEST_CHAIN:
        return statements
    found: list[Any] = []
    while isinstance(node, gast.If) and node.orelse and not completes(node.body, unit.library):
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


def _like(unit: Unit, node: gast.AST) -> Any:
    made = copy.copy(node)
    if node in unit.templates:
        unit.templates[made] = unit.templates[node]
    return made


def _in_steps(unit: Unit, node: Any) -> list[Any]:
    """An `if` on `and` or `or` whose later operands bind names: each operand is tested once, inside of the last."""
    held = unit.fresh("held")
    unit.names.add(held)
    is_and = isinstance(node.test.op, gast.And)
    inner = [assignment(unit, node.test, held, constant(unit, node.test, is_and))]
    for value in reversed(node.test.values):
        inner = [choice(unit, value, value if is_and else negated(unit, value, value), inner, [])]
    result = copy.copy(node)
    result.test = name(unit, node.test, held)
    return [assignment(unit, node.test, held, constant(unit, node.test, not is_and)), *_block(unit, [*inner, result])]


def _without_walrus(unit: Unit, loop: gast.While) -> Any:
    stop = synthetic(unit, loop.test, gast.Break(), "break")
    leave = choice(unit, loop.test, negated(unit, loop.test, loop.test), [stop], [])
    if isinstance(loop.test, gast.BoolOp) and any(binds(value) for value in loop.test.values[1:]):
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


def _without_else(unit: Unit, loop: gast.For | gast.While) -> list[Any]:
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


def _marking_breaks(unit: Unit, statements: Iterable[gast.stmt], broken: str) -> list[Any]:
    found: list[Any] = []
    for statement in statements:
        if isinstance(statement, gast.Break):
            found.append(assignment(unit, statement, broken, constant(unit, statement, True)))
        if not isinstance(statement, (gast.For, gast.While, gast.ClassDef, *FUNCTIONS)):
            statement = _with_blocks(statement, lambda inner: _marking_breaks(unit, inner, broken))
        found.append(statement)
    return found


_LONGEST_CHAIN = 16
