"""What a dict that fills itself gives for a key that it doesn't have.

What makes such dicts is in `library.containers`.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from graphwright_analysis.tracing.machine import allocation, journal, marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT
from graphwright_analysis.values.domain import (
    UNDEFINED,
    Api,
    Constant,
    Entries,
    Function,
    Object,
    Scalar,
    Value,
    python_kind,
)

from . import calls


def made(run: Run, frame: Frame, owner: Value, key: Value, node: gast.Subscript) -> Value | None:
    """What a dict gives for a key that it doesn't have and makes by itself; None where that isn't known."""
    if not isinstance(owner, Object) or not isinstance(key, Constant):
        return None
    factory, entries = run.state.value(owner.id, marks.DEFAULT_FACTORY), run.state.entries(owner.id)
    if factory is UNDEFINED or entries is None or any(name == key.value for name, _ in entries.known):
        return None
    if factory in (Api("int"), Api("float")):
        return Scalar(int if factory == Api("int") else float)
    if not entries.closed:
        return None
    if factory == Api("list"):
        made: Value = allocation.new_list(run, frame, (), node)
    elif factory == Api("dict"):
        made = allocation.new_dict(run, Entries())
    elif isinstance(factory, Function):
        made = calls.call_value(run, factory, Call(frame, node=node))
    else:
        return None
    kind = python_kind(made)
    if kind is not None:
        run.state.set_content(owner.id, Entries(entries.known, closed=False))
        return Scalar(kind)
    if not isinstance(made, Object):
        return made
    # It is the dict's, wherever it is made.
    made = replace(made, born=owner.born)
    journal.stored(run, frame, (owner.id, CONTENT, key.value), node, made)
    run.state.set_content(owner.id, entries.with_entry(key.value, made))
    return made
