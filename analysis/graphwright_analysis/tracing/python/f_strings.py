"""F-strings: their text where all of it is known, and what is noted of tensors in them.

Other ways to put tensors into text are in `noting.formatting`.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import formatting
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, Variable

from . import expressions

_LONGEST = 4096
"""How many characters a text has that is remembered."""


def joined_string(run: Run, frame: Frame, node: gast.AST) -> Value:
    """An f-string."""
    holds, turn = False, 0
    held: list[Value] = []
    plain = _plain_text(run, frame, node)
    if plain is not None:
        return Constant(plain)
    for child in gast.iter_child_nodes(node):
        if not isinstance(child, gast.FormattedValue):
            continue
        value = expressions.evaluate(run, frame, child.value)
        held.append(value)
        if formatting.written_in_graph(run, frame, (value,)) is not None:
            continue
        specified = child.format_spec is not None and child.conversion in (-1, None)
        if (
            run.context.graph
            and isinstance(value, (Tensor, Variable))
            and specified
            and _shows_something(child.format_spec)
        ):
            formatting.note(run, frame, node, "an f-string")
        elif run.context.graph and formatting.shows_tensor(value):
            holds = True
        turn = value.turn if isinstance(value, Scalar) else turn
    return formatting.written_in_graph(run, frame, held) or Scalar(str, turn, holds)


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


def _shows_something(spec: gast.AST | None) -> bool:
    return any(isinstance(child, gast.Constant) and child.value for child in gast.walk(spec)) if spec else False
