"""A value for a name or key that the code leaves without one, and the title of the fix that writes it.

It is the neutral element of what is computed with the name. Where there is none, the user chooses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.values.domain import Value, python_kind

from . import defaults, insertion
from .parsed import parsed
from .uses import neutral_number

CHOICE = "..."
"""Stands for a value that the user has to choose: neither Python nor TensorFlow computes with it."""


def starting_value(statement: Place, symbol: str, value: Value, tensorflow: str | None) -> str | None:
    """Return the source of what a symbol can hold where it isn't bound to `value`; None where nothing is to be chosen.

    What is known to be added or multiplied is a number, also where nothing else is known of it.
    """
    number = neutral_number(statement, symbol)
    if python_kind(value) is str and _is_loop(statement):
        # No loop in a graph carries a string of Python.
        return None
    if number is None:
        return None if defaults.neutral(value, tensorflow) is None else CHOICE
    if _is_loop(statement) and not defaults.has_known_shape(value):
        # A loop keeps the shape that a name begins with.
        return CHOICE
    return defaults.number(value, number, tensorflow) or CHOICE


def set_before(
    statement: Place, symbol: str, value: Value, tensorflow: str | None, action: str, where: str
) -> Iterator[Repair]:
    """Give a symbol a value on the line before a statement; `action` and `where` are what the fix's title says."""
    source = starting_value(statement, symbol, value, tensorflow)
    edit = None if source is None else insertion.line_before(statement, f"{symbol} = {source}")
    if source is not None and edit is not None:
        yield Repair(fix_title(action, source, where), (edit,), incomplete=source == CHOICE)


def fix_title(action: str, source: str, where: str) -> str:
    """Return "Bind `x` to 0 before the `if`", or that a value is to be chosen."""
    return choice_title(f"{action} {where}") if source == CHOICE else f"{action} to {source} {where}"


def choice_title(action: str) -> str:
    return f"{action}: choose a value for `{CHOICE}`"


def _is_loop(statement: Place) -> bool:
    tree = parsed(statement)
    return tree is not None and isinstance(tree.at(statement), (ast.For, ast.While))
