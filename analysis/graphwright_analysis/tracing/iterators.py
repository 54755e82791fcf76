"""Python iterators that are advanced while tracing."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.values.domain import EACH_TURN, UNKNOWN, Scalar, Tensor, Value, Variable
from graphwright_analysis.values.domain import Sequence as Elements

from . import escapes, expressions, statements
from .facts import IteratorAdvanced
from .run import Frame, Run, place_of


def made(run: Run, name: str, arguments: Sequence[Value]) -> Value:
    """What `itertools` makes: iterators of which at most the elements are known."""
    if name == "itertools.count" and not any(isinstance(value, (Tensor, Variable)) for value in arguments):
        return Elements(Scalar(int, EACH_TURN))
    if name == "itertools.cycle" and arguments:
        return Elements(expressions.element_of(run, arguments[0]))
    escapes.forget(run, *arguments)
    return UNKNOWN


def note_next(run: Run, frame: Frame, given: Sequence[tuple[Value, gast.AST, str | None]], node: gast.Call) -> None:
    """Note `next(...)` of a Python iterator that comes from outside of the function."""
    if not given or not isinstance(given[0][0], Elements):
        return
    source = given[0][1]
    if isinstance(source, gast.Name):
        around = (
            statements.module_frame(frame)
            if source.id in frame.scope.globals
            else expressions.enclosing(frame, source.id)
        )
        if around is None or around is frame:
            return
        run.note(IteratorAdvanced(place_of(frame, node), source.id, run.state.place((around.id, source.id))))
    elif isinstance(source, gast.Attribute):
        run.note(IteratorAdvanced(place_of(frame, node), gast.unparse(source), None))
