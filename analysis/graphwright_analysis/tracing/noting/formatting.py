"""Tensors put into text by `str`, `%` and `format`; f-strings, which are evaluated, are in `python`.

A symbolic tensor shows as `Tensor("x:0", ...)` there, and can't be formatted as a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import gast

from graphwright_analysis.tracing.facts import TensorFormatted
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.domain import Composite, Constant, Scalar, Tensor, Tuple, Value, Variable

_NUMBER = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGc]")
_FIELD = re.compile(r"\{(\d*)(?::([^{}]+))?\}")
_ANY_FIELD = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]")


def shows_tensor(value: Value) -> bool:
    """Whether showing the value shows a tensor's name where its number is wanted."""
    if isinstance(value, Tuple):
        return any(map(shows_tensor, value.items))
    return isinstance(value, (Tensor, Variable, Composite)) or (isinstance(value, Scalar) and value.holds_tensor)


def written_in_graph(run: Run, frame: Frame, values: Iterable[Value]) -> Value | None:
    """The text as a tensor, where Graphwright has the graph write what stands in it; None where it is Python's."""
    if run.context.by_graphwright and frame.converted and any(isinstance(v, (Tensor, Variable)) for v in values):
        return Tensor("string", ())
    return None


def percent(run: Run, frame: Frame, node: gast.AST, text: str, operand: Value) -> Value:
    """`text % operand`."""
    values = operand.items if isinstance(operand, Tuple) else (operand,)
    written = written_in_graph(run, frame, values)
    if written is not None:
        return written
    fields = _ANY_FIELD.findall(text.replace("%%", ""))
    if run.context.graph and len(fields) == len(values):
        for field, value in zip(fields, values, strict=True):
            if isinstance(value, Tensor) and _NUMBER.fullmatch(field):
                note(run, frame, node, f"`{field}`")
                return Scalar(str)
    return Scalar(str, holds_tensor=run.context.graph and any(map(shows_tensor, values)))


def format_(run: Run, frame: Frame, node: gast.AST | None, text: str, values: Iterable[Value]) -> Value:
    """`text.format(*values)`."""
    given = list(values)
    written = written_in_graph(run, frame, given)
    if written is not None:
        return written
    for at, match in enumerate(_FIELD.finditer(text.replace("{{", "").replace("}}", ""))):
        index = int(match.group(1)) if match.group(1) else at
        value = given[index] if index < len(given) else None
        if match.group(2) and run.context.graph and node is not None and isinstance(value, Tensor):
            note(run, frame, node, f"`{match.group(0)}`")
            return Scalar(str)
    return Scalar(str, holds_tensor=run.context.graph and any(map(shows_tensor, given)))


def note(run: Run, frame: Frame, node: gast.AST, how: str) -> None:
    if not run.context.attempts:
        run.note(TensorFormatted(place_of(frame, node), how))


def shown(value: Value) -> Value:
    """`str(value)` and `repr(value)`."""
    return Scalar(str, holds_tensor=shows_tensor(value)) if not isinstance(value, Constant) else Scalar(str)
