"""What Keras' own layers give for tensors of known dtype and shape, by the settings that they were made with.

Only what Keras surely does is said; a layer that isn't listed gives an unknown value.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Constant,
    Items,
    KerasObject,
    Tensor,
    Tuple,
    Value,
    dtype_of,
    shape_of,
)
from graphwright_analysis.values.shapes import ANY, Shape
from graphwright_analysis.values.tensorflow import indexing

from . import layer_settings, layer_windows
from .layer_settings import Layer, Settings


def given(run: Run, kind: str, settings: Settings, value: Value) -> Value | None:
    """What a layer of this kind gives for a value, or None where it isn't listed."""
    layer = _LAYERS.get(kind)
    if layer is None:
        return None
    return layer(run, settings, value if kind in _SEVERAL else held_values.as_tensor(run, value))


def is_listed(kind: str) -> bool:
    return kind in _LAYERS


def is_recurrent(kind: str) -> bool:
    """Whether a layer may give its states as well."""
    return kind in _RECURRENT


def parameters(kind: str) -> tuple[str, ...]:
    """The parameters of a layer that may be given by their places."""
    return _PARAMETERS.get(kind, ())


def is_cell(kind: str) -> bool:
    return kind in _CELLS


def stepped(run: Run, kind: str, settings: Settings, value: Value, states: Value) -> Value:
    """What a cell gives for one step: its output and its new states, in a list where a list or tuple came in."""
    output = _cell(run, settings, held_values.as_tensor(run, value))
    if isinstance(states, Tensor) and kind != "LSTMCell":
        return Tuple((output, output))
    number = len(held_values.elements_of(run, states) or ())
    if number != (2 if kind == "LSTMCell" else 1):
        return UNKNOWN
    made = run.allocate("list")
    run.state.set_content(made.id, Items((output,) * number))
    return Tuple((output, made))


def attended(run: Run, settings: Settings, query: Tensor, value: Tensor, *, scores: bool) -> Value:
    """What `MultiHeadAttention` gives: a tensor like the query, and the scores where they are asked for."""
    dtype = layer_settings.own_dtype(run, settings)
    shape = query.shape if query.shape is not None and len(query.shape) == 3 else None
    if settings.get("output_shape", NONE) != NONE:
        shape = None if shape is None else (*shape[:-1], ANY)
    if not scores:
        return Tensor(dtype, shape)
    heads = layer_settings.number(settings, "num_heads")
    lengths = (shape[1], value.shape[1]) if shape and value.shape is not None and len(value.shape) == 3 else None
    return Tuple(
        (Tensor(dtype, shape), Tensor(dtype, None if lengths is None or shape is None else (shape[0], heads, *lengths)))
    )


def _same(run: Run, settings: Settings, value: Value) -> Value:
    return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), shape_of(value))


def _normalized(run: Run, settings: Settings, value: Value) -> Value:
    floats = dtype_of(value) in dtypes.FLOATS
    return Tensor(layer_settings.own_dtype(run, settings) if floats else None, shape_of(value))


def _dense(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    made = None if not shape else (*shape[:-1], layer_settings.number(settings, "units"))
    return Tensor(layer_settings.own_dtype(run, settings), made)


def _embedding(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    return Tensor(
        layer_settings.own_dtype(run, settings),
        None if shape is None else (*shape, layer_settings.number(settings, "output_dim")),
    )


def _flatten(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    if not shape:
        return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)))
    rest = [size for size in shape[1:] if size is not None]
    size = ANY if ANY in rest else math.prod(rest) if len(rest) == len(shape) - 1 else None
    return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), (shape[0], size))


def _reshape(run: Run, settings: Settings, value: Value) -> Value:
    shape, target = shape_of(value), settings.get("target_shape")
    inner = indexing.given(UNKNOWN, target.items) if isinstance(target, Tuple) else None
    known = None if inner is None or not shape else (shape[0], *inner)
    return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), known)


def _recurrent(states: int) -> Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        dtype, shape, units = (
            layer_settings.own_dtype(run, settings),
            shape_of(value),
            layer_settings.number(settings, "units"),
        )
        whole, stateful = (
            layer_settings.is_true(settings, "return_sequences"),
            layer_settings.is_true(settings, "return_state"),
        )
        if stateful is None:
            return UNKNOWN
        last: Shape = None if shape is None or len(shape) != 3 else (shape[0], units)
        every: Shape = None if shape is None or len(shape) != 3 else (*shape[:2], units)
        result = Tensor(dtype, None if whole is None else every if whole else last)
        return Tuple((result, *(Tensor(dtype, last),) * states)) if stateful else result

    return layer


def _cell(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    return Tensor(
        layer_settings.own_dtype(run, settings), (shape[0], layer_settings.number(settings, "units")) if shape else None
    )


def _permuted(run: Run, settings: Settings, value: Value) -> Value:
    shape, order, dtype = (
        shape_of(value),
        settings.get("dims"),
        layer_settings.own_dtype(run, settings, dtype_of(value)),
    )
    places = [layer_settings.whole(part) for part in order.items] if isinstance(order, Tuple) else []
    if not shape or len(places) != len(shape) - 1 or any(place is None or place >= len(shape) for place in places):
        return Tensor(dtype)
    return Tensor(dtype, (shape[0], *(shape[place] for place in places if place is not None)))


def _repeated(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    known = (
        (shape[0], layer_settings.number(settings, "n"), shape[1]) if shape is not None and len(shape) == 2 else None
    )
    return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), known)


def _bidirectional(run: Run, settings: Settings, value: Value) -> Value:
    inner, merging = settings.get("layer"), settings.get("merge_mode", Constant("concat"))
    result = _inside(run, inner, value)
    outputs = result.items if isinstance(result, Tuple) else (result,)
    first = outputs[0]
    if not isinstance(first, Tensor) or merging == NONE:
        return UNKNOWN
    shape = first.shape
    if merging == Constant("concat"):
        shape = None if shape is None else (*shape[:-1], shapes.times(shape[-1], 2))
    elif not isinstance(merging, Constant):
        shape = None
    both = Tensor(first.dtype, shape)
    return Tuple((both, *outputs[1:], *outputs[1:])) if isinstance(result, Tuple) else both


def _of_each_step(run: Run, settings: Settings, value: Value) -> Value:
    """A layer that is given each part of the second axis by itself."""
    shape = shape_of(value)
    if shape is None or len(shape) < 3:
        return UNKNOWN
    result = _inside(run, settings.get("layer"), Tensor(dtype_of(value), (shape[0], *shape[2:])))
    if not isinstance(result, Tensor):
        return UNKNOWN
    return Tensor(result.dtype, None if not result.shape else (shape[0], shape[1], *result.shape[1:]))


def _with_cells(run: Run, settings: Settings, value: Value) -> Value:
    """`RNN` with one of Keras' cells."""
    cell = settings.get("cell")
    kind = cell.name.rpartition(".")[2] if isinstance(cell, KerasObject) else ""
    if not isinstance(cell, KerasObject) or not is_cell(kind):
        return UNKNOWN
    outer = {name: part for name, part in settings.items() if name in ("return_sequences", "return_state")}
    return _recurrent(2 if kind == "LSTMCell" else 1)(run, {**dict(cell.settings), **outer}, value)


def _inside(run: Run, layer: Value | None, value: Value) -> Value:
    if not isinstance(layer, KerasObject):
        return UNKNOWN
    return given(run, layer.name.rpartition(".")[2], dict(layer.settings), value) or UNKNOWN


def _attending(run: Run, settings: Settings, value: Value) -> Value:
    """`Attention` and its like: of the query's length, and the value's width."""
    parts = [held_values.as_tensor(run, part) for part in held_values.elements_of(run, value) or ()]
    known = [part.shape for part in parts if part.shape is not None and len(part.shape) == 3]
    shape = (*known[0][:2], known[1][2]) if len(known) == len(parts) >= 2 else None
    return Tensor(layer_settings.own_dtype(run, settings), shape)


def _resized(run: Run, settings: Settings, value: Value) -> Value:
    shape = shape_of(value)
    sizes = (layer_settings.number(settings, "height"), layer_settings.number(settings, "width"))
    plain = shape is not None and len(shape) in (3, 4) and "data_format" not in settings
    return Tensor(
        layer_settings.own_dtype(run, settings),
        (*shape[:-3], *sizes, shape[-1]) if plain and shape is not None else None,
    )


def _of_floats(run: Run, settings: Settings, value: Value) -> Value:
    return Tensor(layer_settings.own_dtype(run, settings), shape_of(value))


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
    shape, dtype = parts[0].shape, _of_all(run, settings, parts)
    at = shapes.position_of(layer_settings.number(settings, "axis", -1) or 0, len(shape)) if shape else None
    if shape is None or at is None or not all(p.shape is not None and len(p.shape) == len(shape) for p in parts):
        return Tensor(dtype)
    joint: Shape = shape
    for part in parts[1:]:
        joint = shapes.merged(
            joint, part.shape and (*part.shape[:at], joint[at] if joint else ANY, *part.shape[at + 1 :])
        )
    sizes = [part.shape[at] for part in parts if part.shape]
    whole = functools.reduce(shapes.plus, sizes)
    return Tensor(dtype, None if joint is None else (*joint[:at], whole, *joint[at + 1 :]))


def _of_all(run: Run, settings: Settings, parts: list[Tensor]) -> str | None:
    kinds = {part.dtype for part in parts}
    return layer_settings.own_dtype(run, settings, kinds.pop()) if len(kinds) == 1 else None


def _more(size: int, first: int, last: int) -> int:
    return size + first + last


def _less(size: int, first: int, last: int) -> int:
    return size - first - last


def _times(size: int, times: int, _: int) -> int:
    return size * times


_BY_AXES: dict[str, Callable[[int], Layer]] = {
    "Conv Convolution SeparableConv": layer_windows.convolution,
    "DepthwiseConv": layer_windows.by_channel,
    "MaxPooling MaxPool AveragePooling AvgPool": layer_windows.pooling,
    "GlobalAveragePooling GlobalAvgPool GlobalMaxPooling GlobalMaxPool": layer_windows.global_pooling,
    "ZeroPadding": lambda axes: layer_windows.resized_by(axes, "padding", Constant(1), _more),
    "Cropping": lambda axes: layer_windows.resized_by(axes, "cropping", Constant(0 if axes == 2 else 1), _less),
    "UpSampling": lambda axes: layer_windows.resized_by(axes, "size", Constant(2), _times),
    "SpatialDropout": lambda _: _same,
}
"""The layers that there are for one, two and three axes."""
_LAYERS: dict[str, Layer] = {
    **{
        f"{name}{axes}D": make(axes)
        for names, make in _BY_AXES.items()
        for name in names.split()
        for axes in (1, 2, 3)
    },
    **{f"Conv{axes}DTranspose": layer_windows.transposed(axes) for axes in (1, 2, 3)},
    "Dense": _dense, "Embedding": _embedding, "Flatten": _flatten, "Reshape": _reshape,
    "LSTM": _recurrent(2), "GRU": _recurrent(1), "SimpleRNN": _recurrent(1), "RNN": _with_cells,
    "Bidirectional": _bidirectional, "TimeDistributed": _of_each_step,
    "Attention": _attending, "AdditiveAttention": _attending,
    "Dropout": _same, "GaussianNoise": _same, "GaussianDropout": _same, "AlphaDropout": _same,
    "ActivityRegularization": _same, "Activation": _same, "ReLU": _same, "LeakyReLU": _same, "ELU": _same,
    "PReLU": _same, "Softmax": _same, "Masking": _same, "Identity": _same,
    "BatchNormalization": _normalized, "LayerNormalization": _normalized, "UnitNormalization": _normalized,
    "GroupNormalization": _normalized, "RMSNormalization": _normalized,
    "Add": _elementwise, "Multiply": _elementwise, "Average": _elementwise, "Maximum": _elementwise,
    "Minimum": _elementwise, "Subtract": _elementwise, "Concatenate": _concatenate,
    "Permute": _permuted, "RepeatVector": _repeated, "Resizing": _resized, "CenterCrop": _resized,
    "Rescaling": _of_floats, "Normalization": _of_floats, "RandomFlip": _of_floats, "RandomRotation": _of_floats,
    "RandomZoom": _of_floats, "RandomContrast": _of_floats, "RandomTranslation": _of_floats,
    "RandomBrightness": _of_floats,
}  # fmt: skip
_RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN", "RNN", "Bidirectional"})
_CELLS = frozenset({"LSTMCell", "GRUCell", "SimpleRNNCell"})
_SEVERAL = frozenset(
    {"Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract", "Concatenate", "Attention", "AdditiveAttention"}
)


_NAMES = {
    "units": "Dense LSTM GRU SimpleRNN LSTMCell GRUCell SimpleRNNCell",
    "input_dim output_dim": "Embedding",
    "target_shape": "Reshape",
    "filters kernel_size strides padding": """Conv1D Conv2D Conv3D Convolution1D Convolution2D Convolution3D
        SeparableConv1D SeparableConv2D Conv1DTranspose Conv2DTranspose Conv3DTranspose""",
    "kernel_size strides padding depth_multiplier": "DepthwiseConv1D DepthwiseConv2D",
    "pool_size strides padding": """MaxPooling1D MaxPooling2D MaxPooling3D MaxPool1D MaxPool2D MaxPool3D
        AveragePooling1D AveragePooling2D AveragePooling3D AvgPool1D AvgPool2D AvgPool3D""",
    "padding": "ZeroPadding1D ZeroPadding2D ZeroPadding3D",
    "cropping": "Cropping1D Cropping2D Cropping3D",
    "size": "UpSampling1D UpSampling2D UpSampling3D",
    "rate": "Dropout SpatialDropout1D SpatialDropout2D SpatialDropout3D GaussianDropout AlphaDropout",
    "stddev": "GaussianNoise",
    "activation": "Activation",
    "negative_slope": "LeakyReLU",
    "axis": "BatchNormalization LayerNormalization Softmax",
    "groups": "GroupNormalization",
    "mask_value": "Masking",
    "function": "Lambda",
    "dims": "Permute",
    "n": "RepeatVector",
    "layer": "Bidirectional TimeDistributed",
    "cell return_sequences return_state": "RNN",
    "num_heads key_dim": "MultiHeadAttention",
    "height width": "Resizing CenterCrop",
    "scale offset": "Rescaling",
    "mode": "RandomFlip",
    "factor": "RandomRotation RandomContrast RandomBrightness",
    "height_factor width_factor": "RandomZoom RandomTranslation",
    "inputs outputs": "Model Functional",
}
"""The parameters that may be given by their places, and the classes that have them."""
_PARAMETERS = {kind: tuple(names.split()) for names, kinds in _NAMES.items() for kind in kinds.split()}
