"""Whose the names of a generated function are: its own, of somebody who called it, or of a function around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, cast

from .operator_functions import CONSTRUCTS
from .syntax_trees import walk

CHANGING = frozenset(
    {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "set_item", "sort", "update_item"}
)
"""The operators that change their first argument and give it back."""


@dataclass(frozen=True)
class OwnedNames:
    """One function: what it binds, and which of that may have come from elsewhere."""

    bound: frozenset[str]
    foreign: frozenset[str]
    generated: bool
    around: OwnedNames | None
    passed: frozenset[str]
    """The names that are arguments of calls."""
    covered: frozenset[str]
    """What the operators around carry, by how it is written."""
    carried: frozenset[str] = frozenset()
    """The state that a generated function is given: whose it is, the function around says."""

    def owner_of(self, name: str, called: bool) -> str:
        """Whose a name is: "own", "foreign" (own, but what it holds may come from elsewhere), "outer".

        `called` says whether somebody may have called the outermost function who has to know what it changes.
        """
        scope: OwnedNames | None = self
        while scope is not None:
            around = scope.around
            if name in scope.carried and around is not None and name in around.bound:
                if not called and around.around is None:
                    return "own"
            elif name in scope.bound:
                return "foreign" if name in scope.foreign else "own"
            elif not scope.generated:
                return "outer"
            scope = around
        return "outer"


def given_names(statement: ast.Assign) -> set[str]:
    """The names whose lists and dicts may come from elsewhere; those of a construct's state were there before."""
    names, value = set(stored_names(*statement.targets)), statement.value
    if _is_construct(value):
        return names - {argument.id for argument in cast(ast.Call, value).args if isinstance(argument, ast.Name)}
    return set() if _is_fresh(value) else names


def _is_construct(value: ast.AST) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in CONSTRUCTS


def _is_fresh(value: ast.AST) -> bool:
    if isinstance(value, (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.Constant, ast.Tuple)):
        return True
    if not isinstance(value, ast.Call):
        return isinstance(value, (ast.BinOp, ast.Compare))
    function = value.func
    if isinstance(function, ast.Attribute):
        return function.attr in CHANGING
    return isinstance(function, ast.Name) and function.id in ("list", "dict", "sorted")


def stored_names(*targets: ast.AST) -> list[str]:
    return [part.id for part in walk(*targets) if isinstance(part, ast.Name) and is_stored(part)]


def is_stored(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def targets_of(statement: Any) -> list[Any]:
    """What a statement sets or deletes, without those of statements in it."""
    kind = cast(Any, type(statement))
    if kind in (ast.Assign, ast.Delete):
        targets = list(statement.targets)
    elif kind in (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor):
        targets = [statement.target] if getattr(statement, "value", True) is not None else []
    else:
        targets = [item.optional_vars for item in getattr(statement, "items", []) if item.optional_vars]
    flat: list[Any] = []
    while targets:
        target = targets.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            targets += target.elts
        else:
            flat.append(target.value if isinstance(target, ast.Starred) else target)
    return flat
