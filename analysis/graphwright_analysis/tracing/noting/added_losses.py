"""Records losses that layers add in a graph inside another one, and code that reads them outside of it.

Keras stores each as a tensor until the layer is called again, so it must be read in its own graph. Losses of weights
are computed on each read.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.tracing.facts import TensorLeaked
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values.domain import NONE, UNDEFINED, KerasObject, Object, Tuple, Value

from . import lazy_variables

"""The prefix of a layer's cells with the graphs in which it added losses."""
_GRAPHS = (ConstructKind.BRANCH, ConstructKind.LOOP, ConstructKind.MAPPED_FUNCTION)
_DEPTH = 6
"""The maximum nesting of layers to search."""


def note_called(run: Run, layer: Value) -> None:
    """Reset the losses of a layer to those of this call: one for its output, if it regularizes that."""
    for key in _keys(run, layer) if _are_some(run) else ():
        for name in run.state.owned(key):
            if name.startswith(marks.LOSS_ADDED):
                run.state.delete(key, name)
    regularizer = dict(layer.settings).get("activity_regularizer", NONE) if isinstance(layer, KerasObject) else NONE
    if regularizer != NONE:
        note_added(run, layer)


def note_added(run: Run, layer: Value) -> None:
    """Record that a layer adds a loss to its own."""
    graphs, key = _graphs(run), lazy_variables.identity(layer)
    if key is not None and graphs and (place := call_place(run)) is not None:
        run.state.set(key, f"{marks.LOSS_ADDED}{graphs[-1]}", NONE, place)
        run.state.set(run.flow.memory.frame.id, marks.LOSS_ADDED, NONE)


def note_read(run: Run, layer: Value, read: Place | None) -> None:
    """Record losses of a layer, and of those in it, that are read outside of their graph."""
    graphs = {f"{marks.LOSS_ADDED}{graph}" for graph in _graphs(run)}
    for key in _keys(run, layer) if read is not None and _are_some(run) else ():
        for name in run.state.owned(key):
            added = run.state.place((key, name)) if name.startswith(marks.LOSS_ADDED) and name not in graphs else None
            if added is not None:
                text = added.block.text[added.range.start : added.range.end].partition("(")[0]
                doubted = run.context.uncertain > 0
                run.note(TensorLeaked(added, text, "add_loss", UNDEFINED, read, False, None, doubted=doubted))
                return


def _are_some(run: Run) -> bool:
    """True if any loss was added that may be read outside of its graph."""
    return run.state.value(run.flow.memory.frame.id, marks.LOSS_ADDED) is not UNDEFINED


def call_place(run: Run) -> Place | None:
    """The innermost active call in which Keras code runs."""
    if not run.context.sites:
        return None
    block, node = run.context.sites[-1]
    return Place(block, block.range_of(node))


def _graphs(run: Run) -> list[int]:
    """An identity for each graph around the code, outermost first."""
    if not run.context.graph:
        return []
    entry = run.context.entry
    traced = [entry.called.traced.id] if entry is not None and entry.called is not None else []
    staged = [construct.id for construct in run.context.constructs if construct.kind in _GRAPHS]
    return [*traced, *run.context.functions, *staged]


def _keys(run: Run, value: Value, depth: int = _DEPTH) -> Iterator[int]:
    """The identities of a layer and of each that it contains."""
    if depth and isinstance(value, (Tuple, Object)) and not _is_layer(value):
        for part in held_values.elements_of(run, value) or ():
            yield from _keys(run, part, depth - 1)
    key = lazy_variables.identity(value) if _is_layer(value) else None
    if key is None or not depth:
        return
    yield key
    parts = run.state.owned(key, (Object, KerasObject, Tuple)).values() if isinstance(value, Object) else ()
    settings = dict(value.settings) if isinstance(value, KerasObject) else {}
    for part in (*parts, settings.get("layers", settings.get("added", NONE))):
        if isinstance(part, Value):
            yield from _keys(run, part, depth - 1)


def _is_layer(value: Value) -> bool:
    if isinstance(value, Object):
        return value.kind == "instance" and value.type is not None and class_bases.is_keras(value.type)
    return isinstance(value, KerasObject)
