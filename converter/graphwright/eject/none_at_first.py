"""Finds the names that staged code carries and that are None at first; with a flag each, they can be a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Value

from graphwright.eject import bindings, flags, none_arguments, seeds
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def find(style: TensorFlow, facts: Facts) -> None:
    """Raise Flagged if such names are known well enough."""
    if style.known.seen is None or facts.outer is not None or isinstance(facts.node, gast.Lambda):
        return
    bound: dict[str, list[tuple[Any, Any]]] = {}
    for part in facts.statements:
        is_name = isinstance(part, gast.Name) and part.id in facts.own and part.id not in facts.parameters
        if is_name and isinstance(part.ctx, gast.Store) and part.id not in bound:
            bound[part.id] = bindings.bindings_of(facts.statements, part.id)
    unset = {name: pairs for name, pairs in bound.items() if any(bindings.is_none(value) for _, value in pairs)}
    if not unset:
        return
    staged = {part for construct in facts.constructs() for part in walk(construct)}
    given: dict[str, list[Value]] = {}
    copies: dict[str, set[str]] = {}
    for name, pairs in unset.items():
        sides = [side for _, value in pairs for side in bindings.sides_of(value) if not bindings.is_none(side)]
        copies[name] = {side.id for side in sides if getattr(side, "id", "") in unset}
        given[name] = [seeds.value_of(style, side) for side in sides if getattr(side, "id", "") not in unset]
    starts: dict[str, str] = {}
    for name, values in bindings.with_copied(given, copies).items():
        is_staged = any(statement in staged for statement, value in unset[name] if not bindings.is_none(value))
        start = seeds.zero_of(style, values) if values and is_staged else None
        if start is not None:
            starts[name] = start
    if starts:
        first = next(iter(starts))
        seen, observations = style.known.seen, style.observations
        if observations is not None and any(
            none_arguments.is_asked(observations, seen.function, name) for name in starts
        ):
            raise seeds.none_at_first(first, unset[first][0][0].lineno)
        raise flags.Flagged(starts, seeds.none_at_first(first, unset[first][0][0].lineno))
