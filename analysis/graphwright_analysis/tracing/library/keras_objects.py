"""Keras layers, losses and metrics: what making and calling one gives, and what Keras hands to a user's methods.

Only what Keras surely does is said; a layer that isn't listed gives an unknown value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import gast

from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases, held_values, nested_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    ASSUMED,
    NONE,
    STATIC,
    UNKNOWN,
    ApiInstance,
    Array,
    Class,
    Constant,
    Entries,
    Function,
    Items,
    KerasObject,
    KerasTensor,
    Object,
    Tensor,
    Tuple,
    Unknown,
    Value,
    dtype_of,
    shape_of,
)
from graphwright_analysis.values.shapes import ANY, Shape
from graphwright_analysis.values.tensorflow import functions, indexing

from . import structures

Named = dict[str, Value]
Settings = Mapping[str, Value]


def made(run: Run, name: str, positional: list[Value], named: Named) -> Value:
    """What calling a Keras class gives: an object that remembers how it was made."""
    kind = name.rpartition(".")[2]
    parameters = _PARAMETERS.get(kind, ())
    if len(positional) > len(parameters) and kind != "Sequential":
        return ApiInstance(name)
    names = ("layers",) if kind == "Sequential" else parameters
    given = {**dict(zip(names, positional, strict=False)), **named}
    settings = tuple((key, nested_values.laid_open(run, value)) for key, value in given.items())
    return KerasObject(name, settings=settings, made=run.fresh())


def called(run: Run, callee: ApiInstance, positional: list[Value], named: Named) -> Value:
    """What calling a layer or loss gives."""
    if positional and isinstance(positional[0], KerasTensor):
        return _symbolic(run, callee)
    if callee.name.startswith("tf.keras.losses."):
        return _loss(run, callee)
    if not isinstance(callee, KerasObject):
        return UNKNOWN
    settings = dict(callee.settings)
    kind = callee.name.rpartition(".")[2]
    if kind == "Sequential":
        return _sequential(run, settings, positional)
    if kind in _CELLS and positional:
        states = positional[1] if len(positional) > 1 else named.get("states", UNKNOWN)
        return _stepped(run, kind, _cell(run, settings, held_values.as_tensor(run, positional[0])), states)
    layer = _LAYERS.get(kind)
    if layer is None or not positional:
        return UNKNOWN
    value = positional[0] if kind in _MERGING else held_values.as_tensor(run, positional[0])
    return layer(run, settings, value)


def _symbolic(run: Run, callee: ApiInstance) -> Value:
    """What a layer gives for a symbolic tensor: one, or a tuple of them where it gives its states as well."""
    kind = callee.name.rpartition(".")[2]
    layer = _LAYERS.get(kind)
    if layer is None or (kind in _RECURRENT and not isinstance(callee, KerasObject)):
        return UNKNOWN
    given = layer(run, dict(callee.settings), Tensor()) if isinstance(callee, KerasObject) else Tensor()
    if isinstance(given, Tuple):
        return Tuple((KerasTensor(),) * len(given.items))
    return UNKNOWN if isinstance(given, Unknown) else KerasTensor()


def autocast(run: Run, value: Value) -> Value:
    """An argument as Keras hands it to `call`: floats in the layer's own dtype, lists and dicts made anew."""
    if isinstance(value, Object) and (items := run.state.items(value.id)) is not None:
        known = None if items.known is None else tuple(autocast(run, item) for item in items.known)
        made = run.allocate(value.kind)
        run.state.set_content(made.id, Items(known, items.element))
        return made
    if isinstance(value, Object) and (entries := run.state.entries(value.id)) is not None:
        rows = tuple((key, autocast(run, held)) for key, held in entries.known)
        return allocation.new_dict(run, Entries(rows, entries.closed))
    if isinstance(value, Tuple):
        return Tuple(tuple(autocast(run, item) for item in value.items), value.fields)
    if isinstance(value, (Tensor, Array)) and value.dtype in dtypes.FLOATS:
        return Tensor("float32" if value.dtype == run.keras_dtype else None, value.shape)
    return value


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


def outgrown(run: Run, frame: Frame, model: KerasObject, layer: Value | None, node: gast.AST | None) -> None:
    """`model.add(...)`: from here on nothing is known of what a Sequential model gives, but for its layers."""
    settings = dict(model.settings)
    before = settings.get("layers", settings.get("added", Tuple(())))
    more = (layer,) if layer is not None and isinstance(before, Tuple) else ()
    known = (*before.items, *more) if isinstance(before, Tuple) else ()
    unknown = KerasObject(model.name, settings=(("added", Tuple(known)),), made=model.made)
    structures.replace(run, model, unknown)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        run.interpreter.bind(run, frame, node.func.value, unknown)


def result_of(receiver: ApiInstance, name: str) -> Value:
    """What a method of a metric gives."""
    kind = receiver.name.rpartition(".")[2]
    scalar = kind in ("Mean", "Sum", "MeanSquaredError", "MeanAbsoluteError") or kind.endswith("Accuracy")
    if receiver.name.startswith("tf.keras.metrics.") and scalar and name == "result":
        return Tensor(None, ())
    return UNKNOWN


_PYTHON_PARAMETERS = frozenset({"training", "mask"})


# Layers


def _own_dtype(run: Run, settings: Settings, of: str | None = "float32") -> str | None:
    """The dtype of what a layer computes: its own where that is told, the policy's where its input is of floats."""
    told = settings.get("dtype", NONE)
    if told != NONE:
        name = functions.named_dtype(told)
        return name if name in dtypes.FLOATS else None
    if of is None:
        return None
    return run.keras_dtype if of in dtypes.FLOATS else of


def _number(settings: Settings, name: str, default: int | None = None) -> int | None:
    """A setting that is a whole number; `ANY` where it isn't known."""
    value = settings.get(name)
    if value is None or value == NONE:
        return ANY if default is None else default
    return value.value if isinstance(value, Constant) and type(value.value) is int else ANY


def _is_true(settings: Settings, name: str) -> bool | None:
    value = settings.get(name, Constant(False))
    return bool(value.value) if isinstance(value, Constant) else None


def _same(run: Run, settings: Settings, value: Value) -> Value:
    return Tensor(_own_dtype(run, settings, dtype_of(value)), shape_of(value))


def _normalized(run: Run, settings: Settings, value: Value) -> Value:
    floats = dtype_of(value) in dtypes.FLOATS
    return Tensor(_own_dtype(run, settings) if floats else None, shape_of(value))


def _dense(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    made = None if not shape else (*shape[:-1], _number(settings, "units"))
    return Tensor(_own_dtype(run, settings), made)


def _embedding(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    return Tensor(_own_dtype(run, settings), None if shape is None else (*shape, _number(settings, "output_dim")))


def _flatten(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    if not shape:
        return Tensor(_own_dtype(run, settings, dtype_of(value)))
    rest = [size for size in shape[1:] if size is not None]
    size = ANY if ANY in rest else math.prod(rest) if len(rest) == len(shape) - 1 else None
    return Tensor(_own_dtype(run, settings, dtype_of(value)), (shape[0], size))


def _reshape(run: Run, settings: Settings, value: Value) -> Value:
    shape, target = shape_of(value), settings.get("target_shape")
    inner = indexing.given(UNKNOWN, target.items) if isinstance(target, Tuple) else None
    known = None if inner is None or not shape else (shape[0], *inner)
    return Tensor(_own_dtype(run, settings, dtype_of(value)), known)


def _recurrent(states: int) -> _Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        dtype, shape, units = _own_dtype(run, settings), shape_of(value), _number(settings, "units")
        whole, stateful = _is_true(settings, "return_sequences"), _is_true(settings, "return_state")
        if stateful is None:
            return UNKNOWN
        last: Shape = None if shape is None or len(shape) != 3 else (shape[0], units)
        every: Shape = None if shape is None or len(shape) != 3 else (*shape[:2], units)
        result = Tensor(dtype, None if whole is None else every if whole else last)
        return Tuple((result, *(Tensor(dtype, last),) * states)) if stateful else result

    return layer


def _cell(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    return Tensor(_own_dtype(run, settings), (shape[0], _number(settings, "units")) if shape else None)


def _stepped(run: Run, kind: str, output: Value, states: Value) -> Value:
    """What a cell gives for one step: its output and its new states, in a list where a list or tuple came in."""
    if isinstance(states, Tensor) and kind != "LSTMCell":
        return Tuple((output, output))
    number = len(held_values.elements_of(run, states) or ())
    if number != (2 if kind == "LSTMCell" else 1):
        return UNKNOWN
    made = run.allocate("list")
    run.state.set_content(made.id, Items((output,) * number))
    return Tuple((output, made))


def _convolution(axes: int) -> _Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        kernel, stride = settings.get("kernel_size", UNKNOWN), settings.get("strides", Constant(1))
        spread = settings.get("dilation_rate", Constant(1))
        plain = "data_format" not in settings and spread == Constant(1)
        inner = _windows(shape_of(value), axes, kernel, stride, settings) if plain else None
        dtype = _own_dtype(run, settings)
        return Tensor(dtype, None if inner is None else (*inner, _number(settings, "filters")))

    return layer


def _pooling(axes: int) -> _Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        size = settings.get("pool_size", Constant(2))
        stride = settings.get("strides", NONE)
        shape = shape_of(value)
        plain = "data_format" not in settings
        inner = _windows(shape, axes, size, size if stride == NONE else stride, settings) if plain else None
        made = None if inner is None or shape is None else (*inner, shape[-1])
        return Tensor(_own_dtype(run, settings, dtype_of(value)), made)

    return layer


def _windows(shape: Shape, axes: int, kernel: Value, stride: Value, settings: Settings) -> Shape:
    """The batch and spatial axes after windows of this size and stride."""
    if shape is None or len(shape) != axes + 2:
        return None
    padding = settings.get("padding", Constant("valid"))
    sizes = [
        _window(*each, padding) for each in zip(shape[1:-1], _each(kernel, axes), _each(stride, axes), strict=True)
    ]
    return (shape[0], *sizes)


def _each(value: Value, axes: int) -> tuple[Value, ...]:
    known = isinstance(value, Tuple) and len(value.items) == axes
    return value.items if isinstance(value, Tuple) and known else (value,) * axes


def _window(size: int | None, kernel: Value, stride: Value, padding: Value) -> int | None:
    if size is None or size == ANY:
        return size
    step = stride.value if isinstance(stride, Constant) else None
    if not isinstance(step, int) or step < 1 or padding not in (Constant("valid"), Constant("same")):
        return ANY
    if padding == Constant("same"):
        return -(-size // step)
    width = kernel.value if isinstance(kernel, Constant) else None
    return (size - width) // step + 1 if isinstance(width, int) and width <= size else ANY


def _global_pooling(axes: int) -> _Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        shape = shape_of(value)
        plain = not {"data_format", "keepdims"} & set(settings) and shape is not None and len(shape) == axes + 2
        known = (shape[0], shape[-1]) if plain and shape is not None else None
        return Tensor(_own_dtype(run, settings, dtype_of(value)), known)

    return layer


def _elementwise(run: Run, settings: Settings, value: Value) -> Value:
    parts = [held_values.as_tensor(run, part) for part in held_values.elements_of(run, value) or ()]
    if not parts:
        return UNKNOWN
    shape = parts[0].shape
    for part in parts[1:]:
        shape = shapes.broadcast(shape, part.shape)
    return Tensor(_of_all(run, settings, parts), shape)


def _concatenate(run: Run, settings: Settings, value: Value) -> Value:
    parts = [held_values.as_tensor(run, part) for part in held_values.elements_of(run, value) or ()]
    if not parts:
        return UNKNOWN
    shape = parts[0].shape
    axis = _number(settings, "axis", -1)
    if shape is None or axis != -1 or not all(p.shape is not None and len(p.shape) == len(shape) for p in parts):
        return Tensor(_of_all(run, settings, parts))
    last = [part.shape[-1] for part in parts if part.shape]
    whole = sum(size for size in last if size is not None) if not {None, ANY} & set(last) else ANY
    return Tensor(_of_all(run, settings, parts), (*shape[:-1], whole))


def _of_all(run: Run, settings: Settings, parts: list[Tensor]) -> str | None:
    kinds = {part.dtype for part in parts}
    return _own_dtype(run, settings, kinds.pop()) if len(kinds) == 1 else None


def _sequential(run: Run, settings: Settings, positional: list[Value]) -> Value:
    layers = settings.get("layers")
    if not isinstance(layers, Tuple) or not layers.items or not positional:
        return UNKNOWN
    value = positional[0]
    for layer in layers.items:
        if not isinstance(layer, ApiInstance) or isinstance(value, Unknown):
            return UNKNOWN
        value = called(run, layer, [value], {}) if not layer.name.endswith(("Input", "InputLayer")) else value
    return value


def _loss(run: Run, callee: ApiInstance) -> Value:
    plain = isinstance(callee, KerasObject) and not {"reduction", "dtype"} & {key for key, _ in callee.settings}
    return Tensor(run.keras_dtype, ()) if plain else Tensor()


_Layer = Callable[[Run, Settings, Value], Value]
_LAYERS: dict[str, _Layer] = {
    "Dense": _dense, "Embedding": _embedding, "Flatten": _flatten, "Reshape": _reshape,
    "LSTM": _recurrent(2), "GRU": _recurrent(1), "SimpleRNN": _recurrent(1),
    "Conv1D": _convolution(1), "Conv2D": _convolution(2), "Conv3D": _convolution(3),
    "MaxPooling1D": _pooling(1), "MaxPooling2D": _pooling(2), "MaxPool1D": _pooling(1), "MaxPool2D": _pooling(2),
    "AveragePooling1D": _pooling(1), "AveragePooling2D": _pooling(2), "AvgPool2D": _pooling(2),
    "GlobalAveragePooling1D": _global_pooling(1), "GlobalAveragePooling2D": _global_pooling(2),
    "GlobalMaxPooling1D": _global_pooling(1), "GlobalMaxPooling2D": _global_pooling(2),
    "GlobalMaxPool1D": _global_pooling(1), "GlobalMaxPool2D": _global_pooling(2),
    "Dropout": _same, "SpatialDropout1D": _same, "SpatialDropout2D": _same, "GaussianNoise": _same,
    "Activation": _same, "ReLU": _same, "LeakyReLU": _same, "ELU": _same, "Softmax": _same,
    "BatchNormalization": _normalized, "LayerNormalization": _normalized, "UnitNormalization": _normalized,
    "Add": _elementwise, "Multiply": _elementwise, "Average": _elementwise, "Maximum": _elementwise,
    "Subtract": _elementwise, "Concatenate": _concatenate,
}  # fmt: skip
_RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN"})
_CELLS = frozenset({"LSTMCell", "GRUCell", "SimpleRNNCell"})
_MERGING = frozenset({"Add", "Multiply", "Average", "Maximum", "Subtract", "Concatenate"})


_POOLING = ("pool_size", "strides", "padding")
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "Dense": ("units", "activation"),
    "Embedding": ("input_dim", "output_dim"),
    "Reshape": ("target_shape",),
    "LSTM": ("units",), "GRU": ("units",), "SimpleRNN": ("units",),
    "LSTMCell": ("units",), "GRUCell": ("units",), "SimpleRNNCell": ("units",),
    "Conv1D": ("filters", "kernel_size", "strides", "padding"),
    "Conv2D": ("filters", "kernel_size", "strides", "padding"),
    "Conv3D": ("filters", "kernel_size", "strides", "padding"),
    "MaxPooling1D": _POOLING, "MaxPooling2D": _POOLING, "MaxPool1D": _POOLING, "MaxPool2D": _POOLING,
    "AveragePooling1D": _POOLING, "AveragePooling2D": _POOLING, "AvgPool2D": _POOLING,
    "Dropout": ("rate",), "SpatialDropout1D": ("rate",), "SpatialDropout2D": ("rate",), "GaussianNoise": ("stddev",),
    "Activation": ("activation",), "LeakyReLU": ("negative_slope",), "Lambda": ("function",),
    "Model": ("inputs", "outputs"),
}  # fmt: skip
