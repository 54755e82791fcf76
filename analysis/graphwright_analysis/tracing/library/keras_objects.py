"""Keras layers, losses and metrics: what making and calling one gives, and what Keras hands to a user's methods.

Only what Keras surely does is said; a layer that isn't listed gives an unknown value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import gast

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases, held_values, nested_values
from graphwright_analysis.values.domain import (
    ASSUMED,
    NONE,
    STATIC,
    UNKNOWN,
    ApiInstance,
    Class,
    Constant,
    Function,
    Items,
    KerasObject,
    KerasTensor,
    Object,
    Tensor,
    Tuple,
    Unknown,
    Value,
    shape_of,
)
from graphwright_analysis.values.shapes import ANY
from graphwright_analysis.values.tensorflow import functions, indexing

from . import keras_arguments, keras_layers, structures

Settings = Mapping[str, Value]


def made(run: Run, name: str, call: Call) -> Value:
    """What calling a Keras class gives: an object that remembers how it was made."""
    kind = name.rpartition(".")[2]
    parameters = keras_layers.parameters(kind)
    if len(call.positional) > len(parameters) and kind != "Sequential":
        return ApiInstance(name)
    names = ("layers",) if kind == "Sequential" else parameters
    given = call.by_name(*names)
    if isinstance(outputs := given.get("outputs"), Object) and run.state.items(outputs.id) is None:
        # Names of outputs aren't followed.
        given["outputs"] = UNKNOWN
    settings = tuple((key, nested_values.laid_open(run, value)) for key, value in given.items())
    return KerasObject(name, settings=settings, made=run.fresh())


def entered(run: Run, call: Call) -> KerasTensor:
    """What `keras.Input` gives."""
    given = call.by_name("shape", "batch_size", "dtype")
    if not given.keys() <= {"shape", "batch_size", "dtype", "name"}:
        return KerasTensor()
    rows = given.get("batch_size", NONE)
    batch = None if rows == NONE else rows.value if isinstance(rows, Constant) and type(rows.value) is int else ANY
    told = given.get("shape", UNKNOWN)
    inner = indexing.given(UNKNOWN, held_values.elements_of(run, told)) if isinstance(told, (Tuple, Object)) else None
    asked = given.get("dtype", NONE)
    dtype = "float32" if asked == NONE else functions.named_dtype(asked)
    return KerasTensor(dtype, None if inner is None else (batch, *inner))


def called(run: Run, callee: ApiInstance, call: Call) -> Value:
    """What calling a layer or loss gives."""
    if callee.name.startswith("tf.keras.losses."):
        return _loss(run, callee)
    if keras_arguments.has_placeholder(run, *call.values):
        tensors = call.map_arguments(partial(keras_arguments.as_tensors, run))
        inside = dict(callee.settings).get("outputs", NONE) if isinstance(callee, KerasObject) else NONE
        layers = keras_arguments.layers_of(run, *call.values, inside)
        return keras_arguments.as_placeholders(run, _given(run, callee, tensors), layers)
    return _given(run, callee, call)


def _given(run: Run, callee: ApiInstance, call: Call) -> Value:
    kind = callee.name.rpartition(".")[2]
    if not isinstance(callee, KerasObject):
        return Tensor() if keras_layers.is_listed(kind) and not keras_layers.is_recurrent(kind) else UNKNOWN
    settings = dict(callee.settings)
    if not call.positional:
        return UNKNOWN
    if kind == "Sequential":
        return _sequential(run, settings, call)
    if kind in ("Model", "Functional"):
        return _functional(run, settings, call.positional[0])
    if keras_layers.is_cell(kind):
        states = call.argument(1, "states")
        return keras_layers.stepped(run, kind, settings, call.positional[0], states)
    if kind == "MultiHeadAttention":
        value = call.argument(1, "value")
        query, key = (held_values.as_tensor(run, each) for each in (call.positional[0], value))
        scores = call.named.get("return_attention_scores", Constant(False))
        known = isinstance(scores, Constant)
        return keras_layers.attended(run, settings, query, key, scores=bool(scores.value)) if known else UNKNOWN
    found = keras_layers.given(run, kind, settings, call.positional[0])
    return UNKNOWN if found is None else found


def _functional(run: Run, settings: Settings, value: Value) -> Value:
    """What a model made of inputs and outputs gives: its outputs, for as many rows as come in."""
    outputs, first = settings.get("outputs", UNKNOWN), value
    while (inside := held_values.elements_of(run, first)) and not isinstance(first, Tensor):
        first = inside[0]
    batch = (shape_of(first) or (ANY,))[0]
    if isinstance(outputs, KerasTensor):
        return _for_rows(outputs, batch)
    if not isinstance(outputs, Tuple) or not all(isinstance(each, KerasTensor) for each in outputs.items):
        return UNKNOWN
    made = run.allocate("list")
    known = tuple(_for_rows(each, batch) for each in outputs.items if isinstance(each, KerasTensor))
    run.state.set_content(made.id, Items(known))
    return made


def _for_rows(output: KerasTensor, batch: int | None) -> Tensor:
    sizes = tuple(ANY if size is None else size for size in (output.shape or ())[1:])
    return Tensor(output.dtype, (batch, *sizes) if output.shape else None)


def assumed(function: Function, name: str) -> Value:
    """What a parameter of a method that Keras calls holds: most likely a tensor, if anything can be said."""
    owner = function.owner
    if not isinstance(owner, Class) or not class_bases.is_keras(owner):
        return UNKNOWN
    method = getattr(function.node, "name", "")
    parameters = [argument.id for argument in function.node.args.args]
    if method == "call" and name == "training":
        return STATIC
    inputs = method == "call" and parameters[1:2] == [name] and name not in _PYTHON_PARAMETERS
    compared = name in ("y_true", "y_pred") and method in ("call", "update_state", "compute_loss")
    return ASSUMED if inputs or compared else UNKNOWN


def outgrown(run: Run, model: KerasObject, layer: Value | None, call: Call) -> None:
    """`model.add(...)`: one layer more; what else changes a Sequential model leaves nothing known of what it gives."""
    settings = dict(model.settings)
    before = settings.get("layers", settings.get("added", Tuple(())))
    more = UNKNOWN if layer is None else nested_values.laid_open(run, layer)
    known = (*before.items, more) if isinstance(before, Tuple) else (UNKNOWN,)
    unknown = KerasObject(model.name, settings=(("added", Tuple(known)),), made=model.made)
    structures.replace(run, model, unknown)
    node = call.node
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        run.interpreter.bind(run, call.frame, node.func.value, unknown)


def result_of(receiver: ApiInstance, name: str) -> Value:
    """What a method of a metric gives."""
    kind = receiver.name.rpartition(".")[2]
    scalar = kind in ("Mean", "Sum", "MeanSquaredError", "MeanAbsoluteError") or kind.endswith("Accuracy")
    if receiver.name.startswith("tf.keras.metrics.") and scalar and name == "result":
        return Tensor(None, ())
    return UNKNOWN


_PYTHON_PARAMETERS = frozenset({"training", "mask"})


def _sequential(run: Run, settings: Settings, call: Call) -> Value:
    layers = settings.get("layers", settings.get("added"))
    if not isinstance(layers, Tuple) or not layers.items or not call.positional:
        return UNKNOWN
    value = call.positional[0]
    for layer in layers.items:
        if is_input(layer):
            value = let_in(layer, value)
            continue
        if not isinstance(layer, ApiInstance) or isinstance(value, Unknown):
            return UNKNOWN
        value = called(run, layer, call.with_arguments([value]))
    return value


def is_input(layer: Value) -> bool:
    """Whether it is the input of a Sequential model, in the place of its first layer."""
    return isinstance(layer, KerasTensor) or (isinstance(layer, ApiInstance) and layer.name.endswith("InputLayer"))


def let_in(layer: Value, value: Value) -> Value:
    """What an input passes on: the tensor in its own dtype, and with as many axes as it has."""
    if not isinstance(layer, KerasTensor) or not isinstance(value, Tensor):
        return value
    known = layer.shape is not None and value.shape is not None and len(layer.shape) == len(value.shape)
    return value if known and layer.dtype == value.dtype else Tensor(layer.dtype, value.shape if known else None)


def _loss(run: Run, callee: ApiInstance) -> Value:
    plain = isinstance(callee, KerasObject) and not {"reduction", "dtype"} & {key for key, _ in callee.settings}
    return Tensor(run.keras_dtype, ()) if plain else Tensor()
