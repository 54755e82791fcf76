"""`tf.data` pipelines: what a Dataset's elements are, and the functions that it traces.

A function given to a Dataset is traced in a graph of its own, wherever the pipeline is built.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from graphwright_analysis.values.domain import (
    UNKNOWN,
    Array,
    Constant,
    Dataset,
    Entries,
    Object,
    Tensor,
    Tuple,
    Value,
    Variable,
    staged,
)
from graphwright_analysis.values.tensorflow import functions

from . import calls, displays, expressions, traced
from .run import Frame, Run, place_of

Named = dict[str, Value]


def make(run: Run, frame: Frame, name: str, positional: list[Value], named: Named) -> Value:
    """`tf.data.Dataset.<name>(...)`."""
    first = positional[0] if positional else UNKNOWN
    if name == "from_tensor_slices":
        return Dataset(sliced(run, first), count=_rows(run, first))
    if name == "from_tensors":
        return Dataset(_tensors(run, first))
    if name == "range":
        dtype = functions.named_dtype(named["output_type"]) if "output_type" in named else "int64"
        count = first.value if len(positional) == 1 and isinstance(first, Constant) else None
        return Dataset(Tensor(dtype, ()), count=count if isinstance(count, int) and count >= 0 else None)
    if name == "zip":
        parts = positional if len(positional) > 1 else expressions.elements_of(run, first) or ()
        if parts and all(isinstance(part, Dataset) for part in parts):
            return Dataset(Tuple(tuple(part.element for part in parts if isinstance(part, Dataset))))
    if name == "from_generator" and "output_signature" in named:
        return Dataset(traced.spec_value(run, named["output_signature"]))
    return Dataset()


def sliced(run: Run, value: Value) -> Value:
    """One element along the first axis, in every part of a structure."""
    if isinstance(value, (Tensor, Variable, Array)):
        return Tensor(value.dtype, value.shape[1:] if value.shape else None)
    if isinstance(value, Tuple):
        return Tuple(tuple(sliced(run, item) for item in value.items), value.fields)
    if isinstance(value, Object) and (entries := run.state.entries(value.id)) is not None:
        rows = tuple((key, sliced(run, content)) for key, content in entries.known)
        return displays.new_dict(run, Entries(rows, entries.closed))
    elements = expressions.elements_of(run, value)
    if elements is not None:
        return sliced(run, expressions.as_tensor(run, value))
    return UNKNOWN


def _tensors(run: Run, value: Value) -> Value:
    if isinstance(value, Tuple):
        return Tuple(tuple(_tensors(run, item) for item in value.items), value.fields)
    if value == UNKNOWN or isinstance(value, Object):
        return UNKNOWN
    return expressions.as_tensor(run, value)


def method(
    run: Run,
    frame: Frame,
    receiver: Dataset,
    name: str,
    arguments: list[Value],
    named: Named,
    node: gast.AST | None,
) -> Value:
    """What a method of a Dataset or iterator gives."""
    first = arguments[0] if arguments else UNKNOWN
    element = receiver.element
    if name in ("shuffle", "prefetch", "cache", "with_options"):
        return receiver
    if name in ("repeat", "take", "skip", "shard", "rebatch"):
        return replace(receiver, count=None, rows=receiver.rows if name == "repeat" else None)
    if name in ("filter", "take_while"):
        in_graph(run, frame, first, _spread(element), node, "mapped function")
        return replace(receiver, count=None, rows=None)
    if name in ("batch", "padded_batch"):
        whole = named.get("drop_remainder", arguments[1] if len(arguments) > 1 else Constant(False)) == Constant(True)
        size = first.value if whole and isinstance(first, Constant) and isinstance(first.value, int) else None
        batch = first.value if isinstance(first, Constant) else None
        rows = _last_rows(receiver.count, batch) if not whole and isinstance(batch, int) else None
        return Dataset(_batched(element, size, name == "padded_batch"), rows=rows)
    if name == "unbatch":
        return Dataset(sliced(run, element))
    if name == "enumerate":
        return Dataset(Tuple((Tensor("int64", ()), element)))
    if name == "map":
        function = first if arguments else named.get("map_func", UNKNOWN)
        mapped = _element(in_graph(run, frame, function, _spread(element), node, "mapped function"))
        return Dataset(mapped, count=receiver.count, rows=receiver.rows if _same_rows(element, mapped) else None)
    if name in ("flat_map", "interleave"):
        inner = in_graph(run, frame, first, _spread(element), node, "mapped function")
        return Dataset(inner.element) if isinstance(inner, Dataset) else Dataset()
    if name in ("get_next", "get_single_element"):
        return element
    if name == "reduce" and len(arguments) == 2:
        state = traced.traced_argument(first)
        in_graph(run, frame, arguments[1], [staged(state), element], node, "mapped function")
        return UNKNOWN
    return UNKNOWN if name in ("as_numpy_iterator", "cardinality") else Dataset()


def with_rows(element: Value, rows: int) -> Value:
    """A batch with so many rows, as an eager loop gets it."""
    if isinstance(element, Tuple):
        return Tuple(tuple(with_rows(item, rows) for item in element.items), element.fields)
    if isinstance(element, Tensor) and element.shape:
        return Tensor(element.dtype, (rows, *element.shape[1:]))
    return element


def _rows(run: Run, value: Value) -> int | None:
    """How many rows a value has along the first axis, in every part of a structure."""
    if isinstance(value, Tuple):
        return _rows(run, value.items[0]) if value.items else None
    if isinstance(value, Object) and (entries := run.state.entries(value.id)) is not None:
        return _rows(run, entries.known[0][1]) if entries.known else None
    elements = None if isinstance(value, (Tensor, Array)) else expressions.elements_of(run, value)
    if elements is not None:
        return len(elements)
    shape = value.shape if isinstance(value, (Tensor, Variable, Array)) else None
    return shape[0] if shape and shape[0] is not None and shape[0] >= 0 else None


def _last_rows(count: int | None, batch: int) -> tuple[int, int] | None:
    """The rows of a batch and of the last one, where that has fewer."""
    return (batch, count % batch) if count is not None and 0 < batch < count and count % batch else None


def _same_rows(before: Value, after: Value) -> bool:
    """Whether every part of a mapped batch surely has the batch's unknown number of rows."""
    parts = after.items if isinstance(after, Tuple) else (after,)
    return all(isinstance(part, Tensor) and part.shape and part.shape[0] is None for part in parts)


def _spread(element: Value) -> list[Value]:
    return list(element.items) if isinstance(element, Tuple) and not element.fields else [element]


def _batched(element: Value, size: int | None, padded: bool) -> Value:
    if isinstance(element, Tensor):
        shape = element.shape
        if shape is not None and padded:
            shape = (None,) * len(shape)
        return Tensor(element.dtype, None if shape is None else (size, *shape))
    if isinstance(element, Tuple):
        return Tuple(tuple(_batched(item, size, padded) for item in element.items), element.fields)
    return UNKNOWN


def _element(value: Value) -> Value:
    """What a mapped function's result is as an element: everything becomes a tensor."""
    if isinstance(value, Tuple):
        return Tuple(tuple(_element(item) for item in value.items), value.fields)
    if isinstance(value, Object) or value == UNKNOWN:
        return UNKNOWN
    return staged(value)


def in_graph(
    run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None, kind: str
) -> Value:
    """Call a function as TensorFlow does when it traces it in a graph of its own, converted."""
    with run.inside(run.construct(place_of(frame, node or frame.node), kind)):
        return converted(run, frame, function, arguments, node)


def converted(run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None) -> Value:
    """Call a function with its control flow converted, whatever calls it."""
    graph, run.graph = run.graph, True
    unbound, run.unbound_before_loop = run.unbound_before_loop, frozenset()
    converting = replace(frame, converted=True)
    try:
        return calls.call(run, converting, function, arguments, {}, node)
    finally:
        run.graph, run.unbound_before_loop = graph, unbound
