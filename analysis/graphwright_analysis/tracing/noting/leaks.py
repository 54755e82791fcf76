"""Notes uses of tensors that a trace has left outside of itself.

What leaves them there is noted by `trace_effects`, when a trace ends.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import TensorLeaked
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.domain import Leaked, Object, Value

from . import keras_leaks


def leak_read(run: Run, frame: Frame, node: gast.AST, value: Leaked) -> None:
    """Somebody outside of the trace uses its tensor."""
    fact = value.origin
    assert isinstance(fact, TensorLeaked)
    if keras_leaks.is_told(run, fact):
        run.note(replace(fact, read=place_of(frame, node)))


def leaks_read(run: Run, frame: Frame, node: gast.AST, value: Value) -> None:
    """The same for what is in a collection that is given to TensorFlow."""
    if isinstance(value, Object):
        items, entries = run.state.items(value.id), run.state.entries(value.id)
        held = (items.known or (items.element,)) if items else [v for _, v in entries.known] if entries else ()
        for leaked in held:
            if isinstance(leaked, Leaked):
                leak_read(run, frame, node, leaked)
                return
