"""Notes what Keras surely refuses when a model is fitted or evaluated: data without rank, losses that are no tensors.

What the steps of a model run of the project's code is followed in `library`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import gast

from graphwright_analysis.flow.tree import parameters_of
from graphwright_analysis.tracing.facts import GradientEnded, LossGiven, ShapeMissing, StatesChanged
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import gradient_cuts, held_values
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Bound, Class, Dataset, Function, Object, Tensor, Tuple, Unknown, Value
from graphwright_analysis.values.lost_shapes import ShapelessTensor
from graphwright_analysis.values.shapes import ANY

from . import added_losses, refused_operations

_COMPILED = frozenset({"fit", "evaluate"})
"""The methods in which Keras asks the data for their shapes before it runs a step of its own."""


def note_data(run: Run, name: str, data: Value) -> None:
    """Note that a compiled model gets a Dataset with tensors of which TensorFlow doesn't know the rank."""
    if run.keras_converts or run.keras_is_foreign or name not in _COMPILED or not isinstance(data, Dataset):
        return
    element = data.element
    parts = element.items[:2] if isinstance(element, Tuple) else (element,)
    for lost in _shapeless(run, parts):
        if isinstance(lost.made, Place) and (fitted := added_losses.call_place(run)) is not None:
            refused_operations.note(run, ShapeMissing(lost.made, lost.maker, name, fitted))
            return


def _shapeless(run: Run, parts: tuple[Value, ...]) -> Iterator[ShapelessTensor]:
    for part in parts:
        if isinstance(part, ShapelessTensor):
            yield part
        elif isinstance(part, Tuple) and (inside := held_values.elements_of(run, part)) is not None:
            yield from _shapeless(run, inside)


def note_result(run: Run, judge: Value, given: Value, *, trains: bool) -> None:
    """Note what a loss or metric gives that isn't a tensor of floats, and is surely not a structure of some."""
    function, used = judge.target if isinstance(judge, Bound) else judge, added_losses.call_place(run)
    structured = isinstance(given, Tuple) or (isinstance(given, Object) and given.kind != "instance")
    if not isinstance(function, Function) or used is None or run.keras_is_foreign:
        return
    if structured:
        return
    is_float = isinstance(given, Tensor) and (given.dtype is None or given.dtype in dtypes.FLOATS)
    if is_float or isinstance(given, Unknown):
        if trains:
            names = [parameter.id for parameter in parameters_of(function.node)][isinstance(judge, Bound) :]
            ways = dict(zip(names[:2], (gradient_cuts.CONSTANT, gradient_cuts.PASSES), strict=False))
            _note_cut(run, function, ways, used)
        return
    name = getattr(function.node, "name", "lambda")
    place = Place(function.block, function.block.range_of(_given_at(function.node)))
    refused_operations.note(run, LossGiven(place, name, given, trains, used))


def note_cut_in_model(run: Run, forward: Bound) -> None:
    """Note that the gradient surely ends in the `call` of the model, or layer at its end, that Keras trains."""
    function, used = forward.target, added_losses.call_place(run)
    if isinstance(function, Function) and used is not None and not run.keras_is_foreign:
        _note_cut(run, function, {}, used)


def _note_cut(run: Run, function: Function, given: Mapping[str, gradient_cuts.Way], used: Place) -> None:
    """Note that the gradient of what a function returns surely ends, by what its parameters are."""
    cut = gradient_cuts.of_function(run, function, given)
    if cut is not None:
        refused_operations.note(run, GradientEnded(cut.place, cut.operation, cut.result, used))


def note_states(run: Run, forward: Bound, new: Sequence[Tensor], sizes: Sequence[int], *, in_loop: bool) -> None:
    """Note a cell that gives more or fewer states than it gets, or in a loop of the graph wider or narrower ones."""
    function = forward.target
    if not isinstance(function, Function) or run.keras_is_foreign:
        return
    place = Place(function.block, function.block.range_of(_given_at(function.node)))
    name = getattr(function.owner.node, "name", "") if isinstance(function.owner, Class) else ""
    if len(new) != len(sizes):
        refused_operations.note(run, StatesChanged(place, name, len(new), len(sizes)))
    for state, size in zip(new, sizes, strict=False) if in_loop else ():
        width = state.shape[-1] if state.shape is not None and len(state.shape) == 2 else None
        if width not in (None, ANY, size):
            refused_operations.note(run, StatesChanged(place, name, width, size, of_sizes=True))
            return


def _given_at(node: gast.AST) -> gast.AST:
    """The expression that a function returns, or its last statement."""
    if isinstance(node, gast.Lambda):
        return node.body
    returned = [each.value for each in gast.walk(node) if isinstance(each, gast.Return) and each.value is not None]
    body = node.body if isinstance(node, gast.FunctionDef) else [node]
    return returned[-1] if returned else body[-1]
