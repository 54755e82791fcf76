"""Models that Keras itself puts together of layers: what of the project's code runs when they are called or fitted.

Models that are classes of the project are in `keras_code`; what a layer gives is in `keras_objects`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import added_losses, keras_leaks, refused_fits
from graphwright_analysis.tracing.reading import class_bases, nested_values
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Bound,
    Constant,
    Function,
    KerasObject,
    KerasTensor,
    Object,
    Tensor,
    Tuple,
    Value,
)

from . import keras_arguments, keras_callbacks, keras_cells, keras_code, keras_objects, structures

Named = dict[str, Value]
_OPTIONS = ("optimizer", "loss", "metrics", "run_eagerly")
_FUNCTIONS = ("activation", "function")
_OF_WEIGHTS = tuple(
    f"{weights}_{judge}"
    for judge in ("regularizer", "constraint")
    for weights in ("kernel", "bias", "activity", "embeddings")
)


def method(run: Run, model: KerasObject, name: str, call: Call) -> bool:
    """Follow what a method of a model calls back; True if that is all it does with its arguments."""
    if not model.name.endswith((".Sequential", ".Model")):
        return False
    settings = dict(model.settings)
    if name == "compile":
        given = call.by_name("optimizer", "loss")
        settings |= {f"compile:{o}": nested_values.laid_open(run, given.get(o, NONE)) for o in _OPTIONS}
        structures.replace(run, model, replace(model, settings=tuple(settings.items())))
    elif name in keras_code.STEPS and not run.context.graph:
        in_graph = settings.get("compile:run_eagerly", NONE) in (NONE, Constant(False))
        if in_graph and not run.is_untraced:
            _step(run, model, name, call)
            keras_callbacks.follow(run, call.frame, model, name, call.named.get("callbacks", NONE))
        else:
            built(run, call.frame, model, [])
    elif name in ("call", "__call__"):
        keras_leaks.doubt(run)
    return name == "compile"


def set_attribute(run: Run, model: KerasObject, name: str, value: Value) -> None:
    """`model.run_eagerly = True`: from here on its steps aren't traced; of other attributes nothing is known."""
    if name == "run_eagerly":
        settings = {**dict(model.settings), "compile:run_eagerly": value}
        structures.replace(run, model, replace(model, settings=tuple(settings.items())))


def is_model(value: Value) -> bool:
    """Whether it is a model, or nobody knows what object of Keras'."""
    return isinstance(value, ApiInstance) and value.name.endswith(("Sequential", "Model", "Functional", "load_model"))


def holds_code(run: Run, model: Value) -> bool:
    """Whether calling the model runs code of the project."""
    if isinstance(model, (Object, Function)):
        return True
    settings = dict(model.settings) if isinstance(model, KerasObject) else {}
    given = (settings.get(name) for name in _FUNCTIONS)
    if any(isinstance(value, Function) for value in given) or any(holds_code(run, each) for each in _layers(settings)):
        return True
    return bool(keras_arguments.layers_of(run, settings.get("outputs", NONE)))


def built(run: Run, frame: Frame, model: Value, given: Sequence[Value]) -> None:
    """Before its first call, even an eager one, a Sequential model gives symbolic tensors to its layers."""
    if is_model(model) and not (given and isinstance(given[0], KerasTensor)):
        keras_leaks.doubt(run)
    if given:
        added_losses.note_called(run, model)
        keras_cells.follow(run, frame, model, given[0])
    settings = dict(model.settings) if isinstance(model, KerasObject) else {}
    symbolic = [settings.get("function", NONE)] if given and isinstance(given[0], KerasTensor) else []
    for layer in (*_layers(settings), *symbolic):
        with keras_code.graph(run):
            if isinstance(layer, Object):
                through(run, frame, layer, Tensor(), {})
            elif isinstance(layer, Function):
                keras_code.run_by_keras(run, layer, Call(frame, [Tensor()]))


def through(run: Run, frame: Frame, model: Value, value: Value, named: Mapping[str, Value]) -> Value:
    """What a layer or model of the graph gives, with the project's code in it followed."""
    if isinstance(model, Object):
        forward = run.interpreter.attribute(run, frame, model, "call", UNDEFINED)
        if not isinstance(forward, Bound) or not class_bases.is_keras(model.type or UNKNOWN):
            return Tensor()
        return keras_code.call_layer(run, forward, Call(frame, [value], named))
    if not isinstance(model, KerasObject):
        return Tensor()
    added_losses.note_called(run, model)
    keras_cells.follow(run, frame, model, value)
    settings = dict(model.settings)
    layers = _layers(settings)
    for layer in layers:
        is_input = keras_objects.is_input(layer)
        value = keras_objects.let_in(layer, value) if is_input else through(run, frame, layer, value, named)
        value = value if isinstance(value, Tensor) else Tensor()
    if layers:
        return value
    for each in keras_arguments.layers_of(run, settings.get("outputs", NONE)):
        forward = run.interpreter.attribute(run, frame, each.layer, "call", UNDEFINED)
        if isinstance(forward, Bound):
            keras_code.call_layer(run, forward, Call(frame, each.positional, {**dict(each.named), **named}))
    result = keras_objects.called(run, model, Call(frame, [value]))
    for given in (settings.get(name) for name in _FUNCTIONS):
        if isinstance(given, Function):
            into = result if isinstance(result, Tensor) else value
            result = keras_code.run_layer(run, given, Call(frame, [into]))
    return result


def _layers(settings: Named) -> Sequence[Value]:
    layers = settings.get("layers", settings.get("added"))
    return layers.items if isinstance(layers, Tuple) else ()


def _step(run: Run, model: KerasObject, name: str, call: Call) -> None:
    settings = dict(model.settings)
    keras_code.note_data(run, name, call)
    x, y = keras_code.batches(run, name, call)
    # Keras may give single numbers an axis of their own.
    x = x if not isinstance(x, Tensor) or (x.shape is not None and len(x.shape) > 1) else Tensor(x.dtype)
    training = keras_code.STEPS[name] == "train_step"
    with keras_code.traced(run):
        predicted = through(run, call.frame, model, x, {"training": Constant(training)})
        if name.startswith("predict"):
            return
        added_losses.note_read(run, model, added_losses.call_place(run))
        last = _layers(settings)[-1:]
        if training and last and isinstance(last[0], Object):
            forward = run.interpreter.attribute(run, call.frame, last[0], "call", UNDEFINED)
            if isinstance(forward, Bound):
                refused_fits.note_cut_in_model(run, forward)
        keras_code.compared(run, call.frame, settings.get("compile:loss", NONE), "call", y, predicted, trains=training)
        for judge in (value for layer in _layers(settings) for value in _of_weights(layer)):
            keras_code.run_by_keras(run, judge, Call(call.frame, [Tensor("float32")]))
        metrics = settings.get("compile:metrics", NONE)
        for metric in metrics.items if isinstance(metrics, Tuple) else ():
            keras_code.compared(run, call.frame, metric, "update_state", y, predicted)
        optimizer = settings.get("compile:optimizer", NONE)
        if training and isinstance(optimizer, ApiInstance):
            keras_code.apply(run, call.frame, optimizer)


def _of_weights(layer: Value) -> Sequence[Value]:
    settings = dict(layer.settings) if isinstance(layer, KerasObject) else {}
    return [settings[name] for name in _OF_WEIGHTS if name in settings]
