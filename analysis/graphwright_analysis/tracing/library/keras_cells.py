"""Cells of the project that Keras's `RNN` runs for each step of a sequence."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import refused_fits
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Bound,
    Constant,
    Items,
    KerasObject,
    KerasTensor,
    Object,
    Tensor,
    Tuple,
    Value,
)
from graphwright_analysis.values.shapes import ANY

from . import keras_code


def follow(run: Run, frame: Frame, layer: Value, sequences: Value) -> None:
    """Follow one step of the cell that an `RNN` layer holds; for placeholders Keras runs none."""
    settings = dict(layer.settings) if isinstance(layer, KerasObject) and layer.name.endswith(".RNN") else {}
    cell = settings.get("cell")
    if not isinstance(cell, Object) or cell.type is None or not class_bases.is_keras(cell.type):
        return
    forward = run.interpreter.attribute(run, frame, cell, "call", UNDEFINED)
    sizes = _sizes(run, run.interpreter.attribute(run, frame, cell, "state_size", UNKNOWN))
    if not isinstance(forward, Bound) or sizes is None or isinstance(sequences, KerasTensor):
        return
    given = held_values.as_tensor(run, sequences)
    shape = given.shape if given.shape is not None and len(given.shape) > 2 else None
    step = Tensor(given.dtype, None if shape is None else (shape[0], *shape[2:]))
    with run.beside():
        states = run.allocate("list")
        rows = ANY if shape is None else shape[0]
        run.state.set_content(states.id, Items(tuple(Tensor("float32", (rows, size)) for size in sizes)))
        result = keras_code.call_layer(run, forward, Call(frame, [step, states]))
        returned = held_values.elements_of(run, result) if isinstance(result, Tuple) else None
        new = _states(run, returned[1]) if returned is not None and len(returned) == 2 else None
        if new is not None:
            unrolled = settings.get("unroll", Constant(False)) != Constant(False)
            refused_fits.note_states(run, forward, new, sizes, in_loop=run.context.graph and not unrolled)


def _sizes(run: Run, told: Value) -> Sequence[int] | None:
    """How wide each state is, if that is known."""
    sizes = held_values.elements_of(run, told) if isinstance(told, (Tuple, Object)) else (told,)
    known = [size.value for size in sizes or () if isinstance(size, Constant) and type(size.value) is int]
    return known if known and len(known) == len(sizes or ()) else None


def _states(run: Run, returned: Value) -> Sequence[Tensor] | None:
    """The states that are returned, if that is known; one may be returned by itself."""
    if isinstance(returned, Tensor):
        return (returned,)
    held = held_values.elements_of(run, returned) if isinstance(returned, (Tuple, Object)) else None
    tensors = [each for each in held or () if isinstance(each, Tensor)]
    return tensors if held is not None and len(tensors) == len(held) else None
