"""What a symbol, a name with the attributes and items after it, is in a state.

An attribute may be a property, which is run.
"""

from __future__ import annotations

from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.reading import held_values, name_lookup
from graphwright_analysis.values.domain import UNDEFINED, Value

from . import expressions


def read(run: Run, frame: Frame, symbol: Symbol, state: State) -> Value:
    """What a symbol is in a state; `UNDEFINED` only where that is sure."""
    kept, run.state = run.state, state
    try:
        owner = name_lookup.enclosing(frame, symbol.root) or name_lookup.owner_of(run, frame, symbol.root)
        value = state.value(owner.id, symbol.root)
        for step in symbol.path:
            if value is UNDEFINED:
                return UNDEFINED
            if step.startswith("."):
                value = expressions.attribute(run, frame, value, step[1:], missing=UNDEFINED)
            else:
                value = held_values.item(run, value, held_values.constant_key(step), missing=UNDEFINED)
        return value
    finally:
        run.state = kept
