"""Where a tensor's static shape is lost or told by hand: `tf.py_function`, `tf.numpy_function` and `set_shape`."""

from __future__ import annotations

import gast

from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    ShapelessTensor,
    StaticShape,
    Tensor,
    Value,
)
from graphwright_analysis.values.shapes import Shape
from graphwright_analysis.values.tensorflow import functions, indexing

from . import displays, escapes, expressions, statements, structures
from .run import Frame, Run


def py_function(
    run: Run, frame: Frame, positional: list[Value], named: dict[str, Value], node: gast.AST | None
) -> Value:
    """What `tf.py_function(func, inp, Tout)` gives: tensors of which only the dtype is known while tracing."""
    given = {**dict(zip(("func", "inp", "Tout"), positional, strict=False)), **named}
    escapes.forget(run, given.get("func", UNKNOWN))
    escapes.lose(run, *given.values())
    wanted = given.get("Tout", UNKNOWN)
    elements = expressions.elements_of(run, wanted)
    if elements is None:
        return _result(run, wanted)
    results = tuple(_result(run, element) for element in elements)
    return displays.new_list(run, frame, results, node or frame.node)


def _result(run: Run, wanted: Value) -> Value:
    dtype = functions.named_dtype(wanted)
    return UNKNOWN if dtype is None else ShapelessTensor(dtype, None, id=run.fresh()) if run.graph else Tensor(dtype)


def ensure_shape(
    run: Run, frame: Frame, positional: list[Value], named: dict[str, Value], node: gast.AST | None
) -> Value:
    """What `tf.ensure_shape(x, shape)` gives: the tensor with what the shape adds."""
    given = {**dict(zip(("x", "shape"), positional, strict=False)), **named}
    made = expressions.as_tensor(run, given.get("x", UNKNOWN))
    return Tensor(made.dtype, _merged(made.shape, _shape(run, given.get("shape", UNKNOWN))))


def set_shape(run: Run, frame: Frame, tensor: Tensor, arguments: list[Value], node: gast.AST | None) -> Value:
    """`tensor.set_shape(shape)`: the same tensor, of which more is known from here on."""
    given = _shape(run, arguments[0] if arguments else UNKNOWN)
    holder = node.func.value if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else None
    if isinstance(holder, gast.Name) and not isinstance(tensor, ShapelessTensor):
        made = Tensor(tensor.dtype, _merged(tensor.shape, given))
        statements.bind_name(run, frame, holder.id, made, node or holder)
        return NONE
    # Every other name of the tensor, and every collection that holds it, has the shape as well.
    structures.replace(run, tensor, Tensor(tensor.dtype, _merged(shapes.known_eagerly(tensor.shape), given)))
    return NONE


def _shape(run: Run, value: Value) -> Shape:
    elements = expressions.elements_of(run, value)
    static = value.shape if isinstance(value, StaticShape) else None
    return indexing.given(value, elements) if elements is not None else static


def _merged(shape: Shape, given: Shape) -> Shape:
    if shape is None or given is None or len(shape) != len(given):
        return given if given is not None else shapes.known_eagerly(shape)
    return tuple(b if a is None or a == shapes.ANY else a for a, b in zip(shape, given, strict=True))
