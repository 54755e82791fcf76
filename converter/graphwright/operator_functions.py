"""Finds the functions in generated code that were made for operators, and what the operators carry for them."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, cast

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
CONSTRUCTS = frozenset({"if_", "while_", "for_", "rest_of_for", "rest_of_while", "or_else"})
_OVER_ITEMS = ("for_", "rest_of_for")


class OperatorState(NamedTuple):
    """What an operator gives to a function that was made for it."""

    places: frozenset[str]
    """The places that it carries, by how they are written."""
    item: bool
    """Whether the first parameter is the item of a loop. All others are state."""


def carried_by_functions(call: ast.Call, known: dict[str, ast.AST], alias: str) -> dict[ast.AST, OperatorState]:
    """The functions that a call gives to an operator, and what the operator carries for each.

    `known` are the functions by their names that are defined before the call.
    """
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in CONSTRUCTS:
        return {}
    if function.attr != "or_else" and not (isinstance(function.value, ast.Name) and function.value.id == alias):
        return {}
    carried = _places_of(call)
    turn = call.args[1] if function.attr in _OVER_ITEMS else None
    found: dict[ast.AST, OperatorState] = {}
    for argument in (*call.args[:3], *(keyword.value for keyword in call.keywords)):
        meant = known.get(argument.id) if isinstance(argument, ast.Name) else argument
        if isinstance(meant, FunctionNode):
            found[meant] = OperatorState(carried, argument is turn)
    return found


def _places_of(call: ast.Call) -> frozenset[str]:
    """How the places are written that an operator's call carries."""
    places = next((keyword.value for keyword in call.keywords if keyword.arg == "places"), None)
    if not isinstance(places, ast.Lambda) or not isinstance(places.body, ast.List):
        return frozenset()
    texts: list[str] = []
    for place in cast("list[Any]", places.body.elts):
        owner, name = place.args[0], place.args[1].value
        texts.append(name if isinstance(owner, ast.Lambda) else f"{ast.unparse(owner)}.{name}")
    return frozenset(texts)
