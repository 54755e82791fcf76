"""Tensors put into text: f-strings, `str`, `%` and `format`.

A symbolic tensor shows as `Tensor("x:0", ...)` there, and can't be formatted as a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import gast

from graphwright_analysis.values.domain import Composite, Constant, Scalar, Tensor, Tuple, Value, Variable

from . import expressions
from .facts import TensorFormatted
from .run import Frame, Run, place_of

_NUMBER = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGc]")
_FIELD = re.compile(r"\{(\d*)(?::([^{}]+))?\}")
_ANY_FIELD = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]")


_LONGEST = 4096
"""How many characters a text has that is remembered."""


def shows_tensor(value: Value) -> bool:
    """Whether showing the value shows a tensor's name where its number is wanted."""
    if isinstance(value, Tuple):
        return any(map(shows_tensor, value.items))
    return isinstance(value, (Tensor, Variable, Composite)) or (isinstance(value, Scalar) and value.holds_tensor)


def joined_string(run: Run, frame: Frame, node: gast.AST) -> Value:
    """An f-string."""
    holds, turn = False, 0
    plain = _plain_text(run, frame, node)
    if plain is not None:
        return Constant(plain)
    for child in gast.iter_child_nodes(node):
        if not isinstance(child, gast.FormattedValue):
            continue
        value = expressions.evaluate(run, frame, child.value)
        specified = child.format_spec is not None and child.conversion in (-1, None)
        if run.graph and isinstance(value, (Tensor, Variable)) and specified and _text(child.format_spec):
            _note(run, frame, node, "an f-string")
        elif run.graph and shows_tensor(value):
            holds = True
        turn = value.turn if isinstance(value, Scalar) else turn
    return Scalar(str, turn, holds)


def _plain_text(run: Run, frame: Frame, node: gast.AST) -> str | None:
    """The text of an f-string that is made of known texts and whole numbers alone."""
    parts: list[str] = []
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.FormattedValue):
            if child.format_spec is not None or child.conversion != -1 or not isinstance(child.value, gast.Name):
                return None
            child = child.value
        value = expressions.evaluate(run, frame, child)
        if not isinstance(value, Constant) or type(value.value) not in (str, int):
            return None
        parts.append(value.value if isinstance(value.value, str) else _digits(value.value))
        if sum(map(len, parts)) > _LONGEST:
            return None
    return "".join(parts)


def _digits(number: int) -> str:
    """A whole number as text; Python itself refuses to write very long ones."""
    return str(number) if number.bit_length() <= _LONGEST else "0" * (_LONGEST + 1)


def percent(run: Run, frame: Frame, node: gast.AST, text: str, operand: Value) -> Value:
    """`text % operand`."""
    values = operand.items if isinstance(operand, Tuple) else (operand,)
    fields = _ANY_FIELD.findall(text.replace("%%", ""))
    if run.graph and len(fields) == len(values):
        for field, value in zip(fields, values, strict=True):
            if isinstance(value, Tensor) and _NUMBER.fullmatch(field):
                _note(run, frame, node, f"`{field}`")
                return Scalar(str)
    return Scalar(str, holds_tensor=run.graph and any(map(shows_tensor, values)))


def format_(run: Run, frame: Frame, node: gast.AST | None, text: str, values: Iterable[Value]) -> Value:
    """`text.format(*values)`."""
    given = list(values)
    for at, match in enumerate(_FIELD.finditer(text.replace("{{", "").replace("}}", ""))):
        index = int(match.group(1)) if match.group(1) else at
        value = given[index] if index < len(given) else None
        if match.group(2) and run.graph and node is not None and isinstance(value, Tensor):
            _note(run, frame, node, f"`{match.group(0)}`")
            return Scalar(str)
    return Scalar(str, holds_tensor=run.graph and any(map(shows_tensor, given)))


def _text(spec: gast.AST | None) -> bool:
    return any(isinstance(child, gast.Constant) and child.value for child in gast.walk(spec)) if spec else False


def _note(run: Run, frame: Frame, node: gast.AST, how: str) -> None:
    if not run.attempts:
        run.note(TensorFormatted(place_of(frame, node), how))


def shown(value: Value) -> Value:
    """`str(value)` and `repr(value)`."""
    return Scalar(str, holds_tensor=shows_tensor(value)) if not isinstance(value, Constant) else Scalar(str)
