"""TensorArrays: what writing makes of one, and what has been lost because the result wasn't used.

Every write gives a new version; a version that was written already lacks what the other write put there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import gast

from graphwright_analysis.tracing.facts import ArrayCrossed, ArrayWritten
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.noting import refused_operations
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Object,
    Tensor,
    TensorArray,
    Tuple,
    Value,
    Variable,
    python_kind,
)
from graphwright_analysis.values.dtypes import with_article
from graphwright_analysis.values.shapes import Shape
from graphwright_analysis.values.tensorflow import functions

WRITES = frozenset({"write", "unstack", "scatter", "split"})
_PARAMETERS = {
    "write": ("index", "value"),
    "unstack": ("value",),
    "scatter": ("indices", "value"),
    "split": ("value", "lengths"),
}


def make(run: Run, call: Call) -> Value:
    """`tf.TensorArray(...)`."""
    names = ("dtype", "size", "dynamic_size", "clear_after_read", "tensor_array_name", "handle", "flow", "infer_shape")
    given = call.by_name(*names, "element_shape")
    size, grows = given.get("size", UNKNOWN), given.get("dynamic_size", Constant(False))
    fixed = isinstance(size, Constant) and isinstance(size.value, int) and grows == Constant(False)
    shape = given.get("element_shape", NONE)
    elements = None if shape == NONE else held_values.shape_given(run, shape)
    made = run.fresh()
    if call.node is not None:
        run.state.set(made, marks.ARRAY_MADE, NONE, call.place)
    infers = given.get("infer_shape", Constant(True)) == Constant(True)
    run.state.set(made, marks.ARRAY_INFERS, Constant(infers))
    count = size.value if fixed and isinstance(size, Constant) else None
    return TensorArray(
        functions.named_dtype(given.get("dtype", UNKNOWN)), count, elements, made, made, not run.context.graph
    )


def method(run: Run, receiver: TensorArray, name: str, call: Call) -> Value:
    """What a method of a TensorArray gives."""
    if receiver.crossed:
        _crossed(run, call, receiver, name, "returned")
        return UNKNOWN
    if name in _INDICES and run.context.graph:
        _judge_index(run, receiver, name, call)
    if name in WRITES:
        return _write(run, receiver, name, call)
    reader = _READS.get(name)
    given = call.positional[0] if call.positional else next(iter(call.named.values()), UNKNOWN)
    return UNKNOWN if reader is None else reader(run, receiver, given)


def handled() -> frozenset[str]:
    """The methods that are known of TensorArray."""
    return frozenset(_READS) | WRITES


def _same(run: Run, array: TensorArray, given: Value) -> Value:
    return array


def _size(run: Run, array: TensorArray, given: Value) -> Value:
    return Tensor("int32", ())


def _read(run: Run, array: TensorArray, given: Value) -> Value:
    return Tensor(array.dtype, shapes.known_eagerly(array.elements))


def _stacked(run: Run, array: TensorArray, given: Value) -> Value:
    return Tensor(array.dtype, _rows(shapes.ANY if array.size is None else array.size, array.elements))


def _concatenated(run: Run, array: TensorArray, given: Value) -> Value:
    return Tensor(array.dtype)


def _gathered(run: Run, array: TensorArray, given: Value) -> Value:
    indices = held_values.as_tensor(run, given).shape
    return Tensor(array.dtype, _rows(indices[0] if indices else shapes.ANY, array.elements))


def _rows(count: int | None, elements: Shape) -> Shape:
    row = shapes.known_eagerly(elements)
    return None if row is None else (count, *row)


def _judge_index(run: Run, array: TensorArray, name: str, call: Call) -> None:
    """Note an index that an array refuses in a graph: an eager one any tensor without a value, others all but int32."""
    index, node = call.argument(0, _INDICES[name]), call.node
    if not isinstance(index, (Tensor, Variable)) or not isinstance(node, gast.Call):
        return
    if array.eager:
        if isinstance(index, Tensor) and not index.eager:
            _crossed(run, call, array, name, "captured")
    elif index.dtype not in (None, "int32"):
        at = node.args[0] if node.args else next(each.value for each in node.keywords if each.arg == _INDICES[name])
        operand, words = refused_operations.operand(run, call.frame, index, at), f"{with_article(index.dtype)} index"
        refused_operations.note_refused(run, call.frame, node, name, "dtype", operand, None, words)


def _crossed(run: Run, call: Call, array: TensorArray, name: str, how: Literal["returned", "captured"]) -> None:
    if call.node is not None:
        run.note(ArrayCrossed(call.place, name, how, run.state.place((array.made, marks.ARRAY_MADE))))


def _write(run: Run, array: TensorArray, name: str, call: Call) -> Value:
    given = call.by_name(*_PARAMETERS[name])
    value, index = given.get("value", UNKNOWN), given.get("index", UNKNOWN)
    in_loop = any(construct.kind is ConstructKind.LOOP for construct in run.context.constructs)
    if array.eager and run.context.graph and in_loop:
        _crossed(run, call, array, name, "captured")
    dtype = _dtype(run, array, value)
    shape = _shape(run, name, value)
    mark, earlier = f"{marks.ARRAY_WRITTEN}{array.version}", None
    if run.state.value(array.made, mark) == NONE:
        earlier = run.state.place((array.made, mark))
    if call.node is not None and run.context.graph:
        counted = name == "write" and array.size is not None
        over, turns = _counter(run, call.frame, call.node) if counted else (None, None)
        at = index.value if isinstance(index, Constant) and isinstance(index.value, int) else None
        made = run.state.place((array.made, marks.ARRAY_MADE))
        place = call.place
        run.note(ArrayWritten(place, array, name, at, dtype, shape, over, turns, earlier, made))
    if array.made and call.node is not None and not array.eager:
        run.state.set(array.made, mark, NONE, call.place)
    elements = array.elements
    if run.state.value(array.made, marks.ARRAY_INFERS) == Constant(True) and shape is not None and elements is None:
        elements = shape
    grown = None if name in ("unstack", "scatter", "split") else array.size
    return replace(array, version=run.fresh(), elements=elements, size=grown)


def _dtype(run: Run, array: TensorArray, value: Value) -> str | None:
    """The dtype that elements arrive with: a Python number follows the array where it can."""
    if isinstance(value, (Tensor, Variable)):
        return value.dtype
    kind = python_kind(value)
    if kind is int and array.dtype in dtypes.INTEGERS | dtypes.FLOATS:
        return array.dtype
    if kind is float and array.dtype in dtypes.FLOATS:
        return array.dtype
    if kind is not None:
        return held_values.as_tensor(run, value).dtype
    return None


def _shape(run: Run, name: str, value: Value) -> Shape:
    """The shape of one element."""
    known = isinstance(value, (Tensor, Variable, Array, Tuple, Object)) or python_kind(value) is not None
    if not known or (isinstance(value, Object) and value.kind != "list"):
        return None
    shape = held_values.as_tensor(run, value).shape
    if shape is None or name == "split":
        return None
    return shape if name == "write" else shape[1:] if shape else None


def _counter(run: Run, frame: Frame, node: gast.AST) -> tuple[Place | None, int | None]:
    """The staged loop over a range whose counter the index is, and how many turns it makes."""
    index = node.args[0] if isinstance(node, gast.Call) and node.args else None
    if not isinstance(index, gast.Name):
        return None, None
    for loop in gast.walk(frame.node):
        if isinstance(loop, gast.For) and isinstance(loop.target, gast.Name) and loop.target.id == index.id:
            over = run.seen.values.get(loop.iter)
            inside = any(child is node for statement in loop.body for child in gast.walk(statement))
            if inside and isinstance(over, Tensor) and over.is_range:
                size = over.shape[0] if over.shape else None
                return place_of(frame, loop.iter), None if size == shapes.ANY else size
    return None, None


_INDICES = {"write": "index", "scatter": "indices", "read": "index", "gather": "indices"}
_READS: dict[str, Callable[[Run, TensorArray, Value], Value]] = {
    "identity": _same,
    "read": _read,
    "stack": _stacked,
    "concat": _concatenated,
    "gather": _gathered,
    "size": _size,
}
