"""Lists and dicts that a function changes and returns, and that all its calls assign to the names that they came from.

With `history = log(history, loss)`, and `return history` in `log`, nobody sees whether `log` changes the list or makes
a new one. How the list is written isn't decided here.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, kind_of

from graphwright.eject import seeds
from graphwright.eject.assuming import parameter_names
from graphwright.eject.bindings import returns_of
from graphwright.eject.changes import ArgumentChange, arguments_of, calls_of
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.passes.jumps import completes
from graphwright.passes.unit import ancestors, parents_in, walk


def is_given_back(observations: Observations | None, function: Any, parameter: str) -> bool:
    """Whether what a parameter holds goes back to where it came from, whenever the function is called."""
    return observations is not None and _is_given_back(observations, function.__code__, parameter, ())


def is_assigned_back(style: Any, call: Any, change: ArgumentChange) -> bool:
    """Whether a call assigns the argument that it changes to the name that this has come from."""
    found: Any = style.known.seen.callees.get(call.func, ()) if style.known.seen is not None else ()
    if change.parameter is None or style.observations is None:
        return False
    for callee in found:
        seen = style.observations.functions.get(callee.function.__code__)
        names = parameter_names(seen.source.node) if seen is not None else []
        if not names or not is_given_back(style.observations, callee.function, names[change.parameter]):
            return False
    return bool(found)


def _is_given_back(observations: Observations, code: Any, parameter: str, around: tuple[Any, ...]) -> bool:
    seen = observations.functions.get(code)
    if seen is None or (code, parameter) in around:
        return seen is not None
    position = _position_in_results(seen.source.node, parameter)
    names = parameter_names(seen.source.node)
    if position is None or parameter not in names or not is_sole_name(seen, parameter):
        return False
    calls = list(calls_of(observations, seen))
    for caller, call, callee in calls:
        given = arguments_of(seen, call, callee).get(names.index(parameter))
        if not isinstance(given, gast.Name) or given.id != _target_of(caller, call, position):
            return False
        is_given = given.id in parameter_names(caller.source.node)
        rest = (*around, (code, parameter))
        if is_given and not _is_given_back(observations, caller.function.__code__, given.id, rest):
            return False
        if not is_sole_name(caller, given.id):
            return False
    return bool(calls)


def _position_in_results(function: Any, parameter: str) -> int | None:
    """Which part of what the function returns the parameter is, from the end, 0 for the whole; None if it isn't any."""
    values = [part.value for part in returns_of(function)] if isinstance(function, gast.FunctionDef) else []
    if not values or completes(function.body, ()):
        return None
    found = {_position_in(value, parameter) for value in values}
    return found.pop() if len(found) == 1 else None


def parts_of(value: Any) -> list[Any]:
    """The expressions for what a function returns."""
    return list(value.elts) if isinstance(value, gast.Tuple) else [value]


def _position_in(value: Any, name: str) -> int | None:
    parts = parts_of(value)
    places = [number - len(parts) for number, part in enumerate(parts) if getattr(part, "id", "") == name]
    return None if len(places) != 1 else places[0] if isinstance(value, gast.Tuple) else 0


def _target_of(seen: FunctionObservations, call: Any, position: int) -> str:
    """The name that gets a part of the result of a call; empty where it's used otherwise."""
    for part in walk(seen.source.node):
        if isinstance(part, gast.Assign) and part.value is call and len(part.targets) == 1:
            target: Any = part.targets[0]
            if position < 0:
                target = target.elts[position] if len(getattr(target, "elts", ())) >= -position else None
            return str(getattr(target, "id", ""))
    return ""


def is_sole_name(seen: FunctionObservations, name: str) -> bool:
    """Whether a list or dict has this name alone in a function, and comes to it from nowhere else."""
    parents = parents_in(seen.source.node)
    uses = [part for part in walk(seen.source.node) if isinstance(part, gast.Name) and part.id == name]
    uses = [use for use in uses if not isinstance(use.ctx, gast.Param)]
    return all(_is_plain(use, list(ancestors(use, parents))) for use in uses)


def _is_plain(use: Any, around: list[Any]) -> bool:
    parent: Any = around[0]
    if any(isinstance(each, (gast.Lambda, *COMPREHENSIONS)) for each in around):
        return not isinstance(use.ctx, gast.Store)
    if any(isinstance(each, FUNCTIONS) for each in around[:-1]):
        return False
    if isinstance(use.ctx, gast.Store):
        statement: Any = next(each for each in around if isinstance(each, gast.stmt))
        given = [value for target, value in seeds.assigned_pairs(statement) if target is use]
        # A call that gives several values is asked about where its function is.
        given = given or [value for _, value in seeds.assigned_pairs(statement)]
        return bool(given) and all(isinstance(value, _MAKING) for value in given)
    if isinstance(parent, gast.Tuple):
        return isinstance(around[1], gast.Return)
    return kind_of(parent) in _READING


_MAKING = (gast.BinOp, gast.Call, gast.List, gast.Dict, gast.ListComp, gast.DictComp)
_READING = frozenset(
    {"Attribute", "AugAssign", "Call", "Compare", "Expr", "For", "FormattedValue", "If", "Return", "Subscript", "While"}
)
"""What a name may be in for its list to have no other name after that."""
