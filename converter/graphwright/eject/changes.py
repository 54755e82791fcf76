"""What a called function of the user's changes in place of what it is given: attributes, items, the length of lists.

Attributes and items are state of the loop or branch around the call; a changed length is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.syntax.names import Symbol, symbol_of
from graphwright_analysis.values.domain import UNKNOWN, Value

from graphwright.eject.assuming import parameter_names
from graphwright.eject.observations import CalledFunction, FunctionObservations, Observations
from graphwright.passes.effects import CONTAINER_METHODS, LIST_METHODS
from graphwright.passes.unit import walk

CHANGED_IN_PLACE = "changes its arguments or variables around it in place"
"""What is said of a call that does so."""
CHANGING = LIST_METHODS | CONTAINER_METHODS


@dataclass(frozen=True, slots=True)
class ArgumentChange:
    """A change of what a parameter leads to: by `path`, or where there is no `parameter`, of something else.

    `how` is "set" for an attribute, "item" for an item, "length" for what a method changes.
    """

    parameter: int | None
    path: tuple[str, ...]
    how: str


def changes_of(
    observations: Observations, callee: CalledFunction, around: tuple[Any, ...] = ()
) -> set[ArgumentChange] | None:
    """What a function changes of its arguments and of what is around it; None if it wasn't seen."""
    code = callee.function.__code__
    seen = observations.functions.get(code)
    if seen is None:
        return None
    if code in around:
        return set()
    names = parameter_names(seen.source.node)
    own = _stored(seen) - set(names)
    found: set[ArgumentChange] = set()
    for symbol, how in [*_direct(seen), *_by_calls(observations, seen, (*around, code))]:
        if symbol is None or symbol.root not in own:
            index = names.index(symbol.root) if symbol is not None and symbol.root in names else None
            found.add(ArgumentChange(index, symbol.path if symbol is not None else (), how))
    return found


def changed_symbols(
    observations: Observations, node: gast.AST, callee: CalledFunction
) -> list[tuple[Symbol | None, ArgumentChange]] | None:
    """For a call: what each change is a change of, in the caller's words; None for what has no name there."""
    changes = changes_of(observations, callee)
    if changes is None:
        return None
    seen = observations.functions[callee.function.__code__]
    given = arguments_of(seen, node, callee)
    found: list[tuple[Symbol | None, ArgumentChange]] = []
    for change in changes:
        expression = given.get(change.parameter) if change.parameter is not None else None
        if change.parameter is not None and expression is None:
            continue
        symbol = symbol_of(expression) if expression is not None else None
        whole = None if symbol is None else Symbol(symbol.root, (*symbol.path, *change.path))
        found.append((whole, change))
    return found


def given_to(observations: Observations, function: Any, parameter: str) -> list[Value]:
    """What the calls that were seen give a parameter of a function."""
    seen = observations.functions.get(function.__code__)
    names = parameter_names(seen.source.node) if seen is not None else []
    if seen is None or parameter not in names:
        return []
    number, found = names.index(parameter), list[Value]()
    for caller, call, callee in calls_of(observations, seen):
        given = arguments_of(seen, call, callee).get(number)
        found.append(UNKNOWN if given is None else caller.values.get(given, UNKNOWN))
    return found


def calls_of(
    observations: Observations, seen: FunctionObservations
) -> Iterator[tuple[FunctionObservations, Any, CalledFunction]]:
    """The calls of a function that were seen, each with the function that it is in."""
    for caller in observations.functions.values():
        for call in walk(caller.source.node):
            for callee in caller.callees.get(call.func, ()) if isinstance(call, gast.Call) else ():
                if callee.function.__code__ is seen.function.__code__:
                    yield caller, call, callee


def arguments_of(seen: FunctionObservations, node: Any, callee: CalledFunction) -> dict[int | None, Any]:
    """The expressions for the parameters, by their number."""
    first: list[Any] = []
    if callee.receiver is not None:
        first = [node.func.value if callee.by_attribute and isinstance(node.func, gast.Attribute) else node.func]
    given: dict[int | None, Any] = dict(enumerate([*first, *node.args]))
    names = parameter_names(seen.source.node)
    for keyword in node.keywords:
        if keyword.arg in names:
            given[names.index(keyword.arg)] = keyword.value
    return given


def _stored(seen: FunctionObservations) -> set[str]:
    parts = walk(seen.source.node)
    return {part.id for part in parts if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)}


def _direct(seen: FunctionObservations) -> Iterator[tuple[Symbol | None, str]]:
    for part in walk(seen.source.node):
        if isinstance(part, gast.Global):
            yield None, "set"
        if isinstance(part, gast.Attribute) and isinstance(part.ctx, gast.Store):
            yield symbol_of(part), "set"
        elif isinstance(part, gast.Subscript) and isinstance(part.ctx, gast.Store):
            # What has no constant key is a change of the whole container.
            yield symbol_of(part) or symbol_of(part.value), "item"
        elif isinstance(part, gast.Call):
            method = part.func
            if isinstance(method, gast.Attribute) and method.attr in CHANGING and method not in seen.callees:
                yield symbol_of(method.value), "length"


def _by_calls(
    observations: Observations, seen: FunctionObservations, around: tuple[Any, ...]
) -> Iterator[tuple[Symbol | None, str]]:
    for part in walk(seen.source.node):
        if not isinstance(part, gast.Call):
            continue
        for callee in seen.callees.get(part.func, ()):
            if callee.function.__code__ in around:
                continue
            for symbol, change in changed_symbols(observations, part, callee) or ():
                yield symbol, change.how
