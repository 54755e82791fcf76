"""Storing values under names and attributes, entered in the journal of the trace.

Targets that have to be evaluated first are bound in `python`.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import journal
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases, name_lookup
from graphwright_analysis.values.domain import Object, Partial, Unknown, Value

from . import escapes


def bind_name(run: Run, frame: Frame, name: str, value: Value, node: gast.AST, source: gast.AST | None = None) -> None:
    owner = name_lookup.owner_of(run, frame, name)
    if owner is not frame:
        journal.stored(run, frame, (owner.id, name, None), node, value)
    run.state.set(owner.id, name, value, place_of(frame, node, source))


def store_attribute(
    run: Run,
    frame: Frame,
    owner: Object,
    name: str,
    value: Value,
    place: Place | None = None,
    node: gast.AST | None = None,
) -> None:
    """`owner.name = value`; a property or the like in the class takes the value instead."""
    found = class_bases.declared(run, owner.type, name) if owner.type is not None else None
    if isinstance(found, (Partial, Unknown)):
        escapes.forget(run, owner, value)
        return
    if node is not None:
        journal.stored(run, frame, (owner.id, name, None), node, value)
    run.state.set(owner.id, name, value, place)
