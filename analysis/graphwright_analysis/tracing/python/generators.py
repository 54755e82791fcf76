"""The project's own generators: what they yield, and what whoever iterates one gets."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import EACH_TURN, NONE, UNKNOWN, Items, Scalar, Value
from graphwright_analysis.values.domain import Sequence as Elements

from . import expressions


def yield_(run: Run, frame: Frame, node: gast.Yield) -> Value:
    value = NONE if node.value is None else expressions.evaluate(run, frame, node.value)
    _add(run, frame, [value], exact=True)
    return UNKNOWN


def yield_from(run: Run, frame: Frame, node: gast.YieldFrom) -> Value:
    iterated = expressions.evaluate(run, frame, node.value)
    elements = held_values.elements_of(run, iterated)
    _add(run, frame, elements or [held_values.element_of(run, iterated)], exact=elements is not None)
    return UNKNOWN


def _add(run: Run, frame: Frame, values: Sequence[Value], exact: bool) -> None:
    around = run.context
    frame.yielded += values
    frame.yields_more |= not exact or around.widening > 0 or around.conditions > 0 or not around.is_sure


def given(frame: Frame) -> Value:
    """What a generator that has been run gives to whoever iterates it."""
    values = tuple(frame.yielded)
    kinds = {value.kind if isinstance(value, Scalar) else None for value in values}
    turns = {value.turn for value in values if isinstance(value, Scalar)} - {0}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is not None and len(turns) == len(values) > 1:
        return Elements(Scalar(kind, EACH_TURN))
    if frame.yields_more:
        return Elements(common(Items(values)))
    return Elements(common(Items(values)), len(values), values)
