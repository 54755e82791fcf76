"""Tensors that a graph of Keras' own leaves outside of itself.

A later eager call of a model may put others in their place, so that from then on nothing is said of them.
"""

from __future__ import annotations

from dataclasses import replace

from graphwright_analysis.tracing.facts import TensorLeaked
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT, Content, State
from graphwright_analysis.tracing.machine.surroundings import Past
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    Constant,
    Entries,
    Items,
    Leaked,
    Object,
    Scalar,
    Tuple,
    Unknown,
    Value,
    python_kind,
)


def keep(run: Run, past: Past, inside: State) -> None:
    """Keep the tensors that a graph has left behind; of numbers no more than the kind is known, of others nothing."""
    for cell, _, after in past.left:
        kept = _kept(run, after, inside)
        run.state.put(cell, kept)
        written = inside.written.get(cell)
        if written is not None:
            run.state.written[cell] = written
        if not isinstance(kept, (Unknown, Scalar)) and _left(run) is UNDEFINED:
            run.state.set(run.flow.memory.frame.id, marks.LEFT_BY_KERAS, NONE)


def _left(run: Run) -> Value:
    return run.state.value(run.flow.memory.frame.id, marks.LEFT_BY_KERAS)


def _kept(run: Run, content: Content, inside: State) -> Content:
    match content:
        case Leaked(origin=TensorLeaked() as origin):
            return Leaked(replace(origin, by_keras=True))
        case Tuple():
            parts = [_kept(run, item, inside) for item in content.items]
            return Tuple(tuple(part if isinstance(part, Value) else UNKNOWN for part in parts), content.fields)
        case Items():
            # As many as there were traces.
            elements = [_kept(run, item, inside) for item in content.known or (content.element,)]
            leaked = elements and all(isinstance(element, Leaked) for element in elements)
            return Items(None, elements[0] if leaked and isinstance(elements[0], Leaked) else UNKNOWN)
        case Entries():
            held = [(key, _kept(run, value, inside)) for key, value in content.known]
            return Entries(tuple((key, part) for key, part in held if isinstance(part, Value)), closed=False)
        case Object() if (inner := inside.items(content.id) or inside.entries(content.id)) is not None:
            if run.state.content((content.id, CONTENT)) is UNDEFINED:
                run.state.put((content.id, CONTENT), _kept(run, inner, inside))
            return content
        case Constant() | Scalar() if (kind := python_kind(content)) in (int, float):
            return Scalar(kind)
        case _:
            return UNKNOWN


def doubt(run: Run) -> None:
    """From here on a model has been called eagerly, or code that isn't followed may have done so."""
    if not run.context.graph and _left(run) == NONE:
        run.state.set(run.flow.memory.frame.id, marks.LEFT_BY_KERAS, UNKNOWN)


def are_replaced(run: Run, before: State) -> bool:
    """Whether something that was left is surely or perhaps no longer there, as it was in a state before."""
    if _left(run) == UNKNOWN:
        return True
    changed = [cell for cell, content in run.state.cells.items() if content is not before.cells.get(cell)]
    return any(isinstance(before.content(cell), Leaked) for cell in changed)


def is_told(run: Run, leak: TensorLeaked) -> bool:
    """Whether a tensor that is met is surely the one that was left: a later trace may have set it before."""
    if not leak.by_keras:
        return True
    return not run.context.graph and _left(run) == NONE
