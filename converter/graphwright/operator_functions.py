"""Finds the functions in generated code that were made for operators, and what the operators carry for them."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, cast

from .syntax_trees import children_of

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
CONSTRUCTS = frozenset({"if_", "while_", "for_", "rest_of_for", "rest_of_while", "or_else"})
_OVER_ITEMS = ("for_", "rest_of_for")


class OperatorState(NamedTuple):
    """What an operator gives to a function that was made for it."""

    places: frozenset[str]
    """The places that it carries, by how they are written."""
    item: bool
    """Whether the first parameter is the item of a loop. All others are state."""


def carried_by_functions(root: Any, alias: str) -> dict[ast.AST, OperatorState]:
    """The functions that were made for operators, and what the operator carries for each."""
    found: dict[ast.AST, OperatorState] = {}
    body = [root.body] if isinstance(root, ast.Lambda) else root.body
    _find_carried(body, {}, alias, found)
    return found


def _find_carried(body: Any, known: dict[str, ast.AST], alias: str, found: dict[ast.AST, OperatorState]) -> None:
    """`known` are the functions by their names, so far as they are defined before what is looked at."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            known[node.name] = node
            _find_carried(node.body, {}, alias, found)
            continue
        if isinstance(node, ast.Call):
            carried = _carried_by(node, alias)
            if carried is not None:
                turn = node.args[1] if cast(ast.Attribute, node.func).attr in _OVER_ITEMS else None
                for argument in (*node.args[:3], *(keyword.value for keyword in node.keywords)):
                    function = known.get(argument.id) if isinstance(argument, ast.Name) else argument
                    if isinstance(function, FunctionNode):
                        found[function] = OperatorState(carried, argument is turn)
        _find_carried(children_of(node), known, alias, found)


def _carried_by(call: ast.Call, alias: str) -> frozenset[str] | None:
    """How the places are written that an operator's call carries; None if it isn't one with functions."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in CONSTRUCTS:
        return None
    if function.attr != "or_else" and not (isinstance(function.value, ast.Name) and function.value.id == alias):
        return None
    places = next((keyword.value for keyword in call.keywords if keyword.arg == "places"), None)
    if not isinstance(places, ast.Lambda) or not isinstance(places.body, ast.List):
        return frozenset()
    texts: list[str] = []
    for place in cast("list[Any]", places.body.elts):
        owner, name = place.args[0], place.args[1].value
        texts.append(name if isinstance(owner, ast.Lambda) else f"{ast.unparse(owner)}.{name}")
    return frozenset(texts)
