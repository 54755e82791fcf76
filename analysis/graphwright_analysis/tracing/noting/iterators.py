"""Python iterators that are advanced while tracing."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.facts import IteratorAdvanced
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.domain import Value


def note_next(run: Run, frame: Frame, given: Sequence[tuple[Value, gast.AST, str | None]], node: gast.Call) -> None:
    """Note `next(...)` of a Python iterator that comes from outside of the function."""
    if not given or not isinstance(given[0][0], Elements):
        return
    source = given[0][1]
    if isinstance(source, gast.Name):
        around = (
            name_lookup.module_frame(frame)
            if source.id in frame.scope.globals
            else name_lookup.enclosing(frame, source.id)
        )
        if around is None or around is frame:
            return
        run.note(IteratorAdvanced(place_of(frame, node), source.id, run.state.place((around.id, source.id))))
    elif isinstance(source, gast.Attribute):
        run.note(IteratorAdvanced(place_of(frame, node), gast.unparse(source), None))
