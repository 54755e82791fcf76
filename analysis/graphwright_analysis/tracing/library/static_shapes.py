"""Where a tensor's static shape is lost or told by hand: `tf.py_function`, `tf.numpy_function` and `set_shape`."""

from __future__ import annotations

from collections.abc import Callable

import gast

from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import escapes, storing
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    Array,
    Object,
    Partial,
    Tensor,
    Value,
    dtype_of,
    shape_of,
)
from graphwright_analysis.values.lost_shapes import ShapelessTensor
from graphwright_analysis.values.shapes import Shape
from graphwright_analysis.values.tensorflow import functions

from . import structures


def py_function(run: Run, name: str, call: Call) -> Value:
    """What `tf.py_function(func, inp, Tout)` gives: tensors of which only the dtype is known while tracing."""
    arguments = call.by_name("func", "inp", "Tout")
    function = arguments.get("func")
    if function is None:
        # A decorator.
        return Partial(Api(name), (), tuple(sorted(call.named.items())))
    handed = _array if name == "tf.numpy_function" else _tensor
    _run_eagerly(run, call, function, arguments.get("inp", UNKNOWN), handed)
    held_values.lose(run, *arguments.values())
    wanted = arguments.get("Tout", UNKNOWN)
    elements = held_values.elements_of(run, wanted)
    made = None if call.node is None else call.place
    if elements is None:
        return _result(run, wanted, name, made)
    results = tuple(_result(run, element, name, made) for element in elements)
    return allocation.new_list(run, call.frame, results, call.anchor)


def _run_eagerly(run: Run, call: Call, function: Value, given: Value, handed: Callable[[Value], Value]) -> None:
    """What is called when the graph runs has numbers; what it changes is known no longer."""
    elements = held_values.elements_of(run, given) if isinstance(given, Object) else (given,)
    eagerly = run.within(graph=False, entry=None, journal=None, constructs=(), doubted=True)
    with run.beside(), eagerly:
        if elements is not None:
            run.interpreter.call_value(run, function, call.with_arguments([handed(each) for each in elements]))
    with run.within(graph=False):
        escapes.forget(run, function)


def _tensor(value: Value) -> Value:
    return Tensor(dtype_of(value), shapes.known_eagerly(shape_of(value)))


def _array(value: Value) -> Value:
    """What NumPy has in a tensor's place: bytes, where it is a string."""
    dtype = dtype_of(value)
    return UNKNOWN if dtype in (None, "string") else Array(dtype, shapes.known_eagerly(shape_of(value)))


def _result(run: Run, wanted: Value, maker: str, made: Place | None) -> Value:
    dtype = functions.named_dtype(wanted)
    return (
        UNKNOWN
        if dtype is None
        else ShapelessTensor(dtype, None, id=run.fresh(), maker=maker, made=made)
        if run.context.graph
        else Tensor(dtype)
    )


def ensure_shape(run: Run, call: Call) -> Value:
    """What `tf.ensure_shape(x, shape)` gives: the tensor with what the shape adds."""
    arguments = call.by_name("x", "shape")
    made = held_values.as_tensor(run, arguments.get("x", UNKNOWN))
    return Tensor(made.dtype, _merged(made.shape, held_values.shape_given(run, arguments.get("shape", UNKNOWN))))


def set_shape(run: Run, tensor: Tensor, call: Call) -> Value:
    """`tensor.set_shape(shape)`: the same tensor, of which more is known from here on."""
    wanted = held_values.shape_given(run, call.argument(0))
    node = call.node
    holder = node.func.value if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else None
    if isinstance(holder, gast.Name) and not isinstance(tensor, ShapelessTensor):
        made = Tensor(tensor.dtype, _merged(tensor.shape, wanted))
        storing.bind_name(run, call.frame, holder.id, made, node or holder)
        return NONE
    # Every other name of the tensor, and every collection that holds it, has the shape as well.
    structures.replace(run, tensor, Tensor(tensor.dtype, _merged(shapes.known_eagerly(tensor.shape), wanted)))
    return NONE


def _merged(shape: Shape, told: Shape) -> Shape:
    if shape is None or told is None or len(shape) != len(told):
        return told if told is not None else shapes.known_eagerly(shape)
    return tuple(b if a is None or a == shapes.ANY else a for a, b in zip(shape, told, strict=True))
