"""What layers give that work on places: convolutions and pooling, and what makes images larger or smaller."""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import NONE, UNKNOWN, Constant, Tensor, Tuple, Value, dtype_of, shape_of
from graphwright_analysis.values.shapes import ANY, Shape

from . import layer_settings
from .layer_settings import Layer, Settings


def convolution(axes: int) -> Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        inner = _windowed(shape_of(value), axes, settings, settings.get("strides", Constant(1)))
        return Tensor(
            layer_settings.own_dtype(run, settings),
            None if inner is None else (*inner, layer_settings.number(settings, "filters")),
        )

    return layer


def by_channel(axes: int) -> Layer:
    """A convolution of each channel by itself."""

    def layer(run: Run, settings: Settings, value: Value) -> Value:
        shape = shape_of(value)
        inner = _windowed(shape, axes, settings, settings.get("strides", Constant(1)))
        times = layer_settings.number(settings, "depth_multiplier", 1)
        made = None if inner is None or shape is None else (*inner, shapes.times(shape[-1], times))
        return Tensor(layer_settings.own_dtype(run, settings), made)

    return layer


def transposed(axes: int) -> Layer:
    """A convolution that makes more of each place."""

    def layer(run: Run, settings: Settings, value: Value) -> Value:
        shape, dtype = shape_of(value), layer_settings.own_dtype(run, settings)
        plain = {"data_format", "output_padding", "dilation_rate"}.isdisjoint(settings)
        if shape is None or len(shape) != axes + 2 or not plain:
            return Tensor(dtype)
        steps = layer_settings.each(settings.get("strides", Constant(1)), axes)
        kernels = layer_settings.each(settings.get("kernel_size", UNKNOWN), axes)
        padding = settings.get("padding", Constant("valid"))
        sizes = [_widened(*each, padding) for each in zip(shape[1:-1], kernels, steps, strict=True)]
        return Tensor(dtype, (shape[0], *sizes, layer_settings.number(settings, "filters")))

    return layer


def _widened(size: int | None, kernel: Value, stride: Value, padding: Value) -> int | None:
    if size is None or size == ANY:
        return size
    step, width = layer_settings.whole(stride), layer_settings.whole(kernel)
    if step is None or padding not in (Constant("valid"), Constant("same")):
        return ANY
    if padding == Constant("same"):
        return size * step
    return ANY if width is None else size * step + max(width - step, 0)


def pooling(axes: int) -> Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        size, stride, shape = settings.get("pool_size", Constant(2)), settings.get("strides", NONE), shape_of(value)
        inner = _windowed(shape, axes, {**settings, "kernel_size": size}, size if stride == NONE else stride)
        made = None if inner is None or shape is None else (*inner, shape[-1])
        return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), made)

    return layer


def _windowed(shape: Shape, axes: int, settings: Settings, stride: Value) -> Shape:
    """The batch and spatial axes after windows of this size and stride."""
    if shape is None or len(shape) != axes + 2 or "data_format" in settings:
        return None
    padding = settings.get("padding", Constant("valid"))
    kernels, strides = (
        layer_settings.each(settings.get("kernel_size", UNKNOWN), axes),
        layer_settings.each(stride, axes),
    )
    spread = layer_settings.each(settings.get("dilation_rate", Constant(1)), axes)
    rows = zip(shape[1:-1], kernels, strides, spread, strict=True)
    return (shape[0], *(_window(*row, padding) for row in rows))


def _window(size: int | None, kernel: Value, stride: Value, spread: Value, padding: Value) -> int | None:
    if size is None or size == ANY:
        return size
    step, width, apart = layer_settings.whole(stride), layer_settings.whole(kernel), layer_settings.whole(spread)
    if step is None or padding not in (Constant("valid"), Constant("same"), Constant("causal")):
        return ANY
    if padding != Constant("valid"):
        return -(-size // step)
    whole = None if width is None or apart is None else (width - 1) * apart + 1
    return (size - whole) // step + 1 if whole is not None and whole <= size else ANY


def global_pooling(axes: int) -> Layer:
    def layer(run: Run, settings: Settings, value: Value) -> Value:
        shape, keep = shape_of(value), layer_settings.is_true(settings, "keepdims")
        plain = "data_format" not in settings and shape is not None and len(shape) == axes + 2 and keep is not None
        middle = (1,) * axes if keep else ()
        known = (shape[0], *middle, shape[-1]) if plain and shape is not None else None
        return Tensor(layer_settings.own_dtype(run, settings, dtype_of(value)), known)

    return layer


def resized_by(axes: int, setting: str, default: Value, change: Callable[[int, int, int], int]) -> Layer:
    """A layer that makes each spatial axis larger or smaller by a pair of numbers, or one number for both."""

    def layer(run: Run, settings: Settings, value: Value) -> Value:
        shape, dtype = shape_of(value), layer_settings.own_dtype(run, settings, dtype_of(value))
        if shape is None or len(shape) != axes + 2 or "data_format" in settings:
            return Tensor(dtype)
        told = settings.get(setting, default)
        # Of one axis the pair itself is what is told.
        pairs = (told,) if axes == 1 and isinstance(told, Tuple) else layer_settings.each(told, axes)
        sizes = [_changed(size, pair, change) for size, pair in zip(shape[1:-1], pairs, strict=True)]
        return Tensor(dtype, (shape[0], *sizes, shape[-1]))

    return layer


def _changed(size: int | None, pair: Value, change: Callable[[int, int, int], int]) -> int | None:
    ends = [part.value if isinstance(part, Constant) else None for part in layer_settings.each(pair, 2)]
    if size is None or size == ANY:
        return size
    first, last = ends
    return max(change(size, first, last), 0) if type(first) is int and type(last) is int else ANY
