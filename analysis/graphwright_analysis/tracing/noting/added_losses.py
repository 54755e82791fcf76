"""Losses that layers add while a graph is made inside of another one, and who reads them outside of it.

Keras keeps each as a tensor until the layer is called again, so that it has to be read in the graph it belongs to. The
losses of weights are computed anew by whoever reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.tracing.facts import TensorLeaked
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values.domain import NONE, UNDEFINED, KerasObject, Object, Tuple, Value

from . import lazy_variables

_ADDED = "*loss in "
"""In front of the names of a layer's cells that say in which graphs it has added losses."""
_GRAPHS = (ConstructKind.BRANCH, ConstructKind.LOOP, ConstructKind.MAPPED_FUNCTION)
_DEPTH = 6
"""How deep layers are looked for in each other."""


def note_called(run: Run, layer: Value) -> None:
    """From here on a layer has the losses of this call alone, one of its output where it regularizes that."""
    for key in _keys(run, layer) if _are_some(run) else ():
        for name in run.state.owned(key):
            if name.startswith(_ADDED):
                run.state.delete(key, name)
    regularizer = dict(layer.settings).get("activity_regularizer", NONE) if isinstance(layer, KerasObject) else NONE
    if regularizer != NONE:
        note_added(run, layer)


def note_added(run: Run, layer: Value) -> None:
    """A layer adds a loss to its own."""
    graphs, key = _graphs(run), lazy_variables.identity(layer)
    if key is not None and graphs and (place := call_place(run)) is not None:
        run.state.set(key, f"{_ADDED}{graphs[-1]}", NONE, place)
        run.state.set(run.flow.memory.frame.id, _ADDED, NONE)


def note_read(run: Run, layer: Value, read: Place | None) -> None:
    """Note the losses of a layer, and of those in it, that belong to a graph which isn't around their reader."""
    graphs = {f"{_ADDED}{graph}" for graph in _graphs(run)}
    for key in _keys(run, layer) if read is not None and _are_some(run) else ():
        for name in run.state.owned(key):
            added = run.state.place((key, name)) if name.startswith(_ADDED) and name not in graphs else None
            if added is not None:
                text = added.block.text[added.range.start : added.range.end].partition("(")[0]
                doubted = run.context.uncertain > 0
                run.note(TensorLeaked(added, text, "add_loss", UNDEFINED, read, False, None, doubted=doubted))
                return


def _are_some(run: Run) -> bool:
    """Whether any loss has been added that may be read outside of its graph."""
    return run.state.value(run.flow.memory.frame.id, _ADDED) is not UNDEFINED


def call_place(run: Run) -> Place | None:
    """The innermost call that is under way, by which code of Keras' runs."""
    if not run.context.sites:
        return None
    block, node = run.context.sites[-1]
    return Place(block, block.range_of(node))


def _graphs(run: Run) -> list[int]:
    """What tells the graphs that are being made around the code from each other, the outermost first."""
    if not run.context.graph:
        return []
    entry = run.context.entry
    traced = [entry.called.traced.id] if entry is not None and entry.called is not None else []
    staged = [construct.id for construct in run.context.constructs if construct.kind in _GRAPHS]
    return [*traced, *run.context.functions, *staged]


def _keys(run: Run, value: Value, depth: int = _DEPTH) -> Iterator[int]:
    """Yield what a layer, and each that it holds, is known by."""
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
