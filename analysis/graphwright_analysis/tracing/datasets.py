"""`tf.data` pipelines: what a Dataset's elements are, and the functions that it traces.

A function given to a Dataset is traced in a graph of its own, wherever the pipeline is built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Dataset,
    Entries,
    Object,
    Sequence,
    StaticShape,
    Tensor,
    Tuple,
    Value,
    Variable,
    join_staged,
    staged,
)
from graphwright_analysis.values.tensorflow import functions, indexing

from . import aftermath, calls, conversion, displays, escapes, expressions, staged_calls, structures, traced
from .facts import StagedCondition
from .run import Frame, Run, place_of

Named = dict[str, Value]


def make(run: Run, frame: Frame, name: str, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`tf.data.Dataset.<name>(...)`."""
    first = positional[0] if positional else next(iter(named.values()), UNKNOWN)
    if name == "from_tensor_slices":
        return Dataset(sliced(run, first), count=_rows(run, first))
    if name == "from_tensors":
        return Dataset(structures.as_element(run, first))
    if name in ("range", "counter"):
        given = named.get("output_type", named.get("dtype"))
        count = first.value if name == "range" and len(positional) == 1 and isinstance(first, Constant) else None
        known = isinstance(count, int) and count >= 0
        dtype = "int64" if given is None else functions.named_dtype(given)
        return Dataset(Tensor(dtype, ()), count=count if known else None)
    if name == "random":
        return Dataset(Tensor("int64", ()))
    if name == "list_files":
        return Dataset(Tensor("string", ()))
    if name == "zip":
        return _zipped(run, positional if len(positional) > 1 else [first])
    if name in ("sample_from_datasets", "choose_from_datasets"):
        parts = expressions.elements_of(run, first) or ()
        elements = [part.element for part in parts if isinstance(part, Dataset)]
        return Dataset(elements[0] if elements and all(e == elements[0] for e in elements) else UNKNOWN)
    return _generated(run, positional, named) if name == "from_generator" else Dataset()


def files(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`tf.data.TextLineDataset(...)` and its like: each element is a string."""
    return Dataset(Tensor("string", ()))


def _zipped(run: Run, parts: list[Value]) -> Value:
    if len(parts) > 1:
        return Dataset(structures.mapped(run, Tuple(tuple(parts)), _element_of))
    return Dataset(structures.mapped(run, parts[0], _element_of) if not isinstance(parts[0], Dataset) else UNKNOWN)


def _element_of(value: Value) -> Value:
    return value.element if isinstance(value, Dataset) else UNKNOWN


def _generated(run: Run, positional: list[Value], named: Named) -> Value:
    """`from_generator`: by `output_signature`, or by `output_types` and `output_shapes`."""
    if "output_signature" in named:
        return Dataset(traced.spec_value(run, named["output_signature"]))
    given = {**dict(zip(("generator", "output_types", "output_shapes"), positional, strict=False)), **named}
    shape_given = given.get("output_shapes", NONE)
    types = given.get("output_types", UNKNOWN)
    if isinstance(types, Tuple):
        shapes_given = expressions.elements_of(run, shape_given) if shape_given != NONE else None
        if shapes_given is None or len(shapes_given) != len(types.items):
            shapes_given = (NONE,) * len(types.items)
        pairs = zip(types.items, shapes_given, strict=True)
        return Dataset(Tuple(tuple(_typed(run, kind, shape) for kind, shape in pairs)))
    return Dataset(_typed(run, types, shape_given))


def _typed(run: Run, kind: Value, shape: Value) -> Value:
    dtype = functions.named_dtype(kind)
    if dtype is None:
        return UNKNOWN
    elements = expressions.elements_of(run, shape)
    static = shape.shape if isinstance(shape, StaticShape) else None
    return Tensor(dtype, indexing.given(shape, elements) if elements is not None else static)


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
    if name in _SAME_ELEMENTS:
        return receiver if name in _ALL_OF_THEM else replace(receiver, count=None, rows=_rows_kept(receiver, name))
    handler = _METHODS.get(name)
    if handler is not None:
        return handler(run, frame, receiver, arguments, named, node)
    if name in ("get_next", "get_single_element"):
        return receiver.element
    if name == "as_numpy_iterator":
        return Sequence(structures.mapped(run, receiver.element, _as_array))
    if name == "cardinality":
        return Tensor("int64", ())
    for value in (*arguments, *named.values()):
        escapes.forget(run, value)
    return Dataset()


def _argument(arguments: list[Value], named: Named, name: str, position: int = 0) -> Value:
    return arguments[position] if len(arguments) > position else named.get(name, UNKNOWN)


def _filter(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    predicate = _argument(arguments, named, "predicate")
    kept = staged(in_graph(run, frame, predicate, _spread(ds.element), node, "mapped function"))
    if isinstance(kept, (Tensor, Variable)):
        given = next(iter(node.args), node) if isinstance(node, gast.Call) else frame.node
        run.note(StagedCondition(place_of(frame, given), "predicate", kept))
    return replace(ds, count=None, rows=None)


def _map(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    function = _argument(arguments, named, "map_func")
    mapped = structures.as_element(run, in_graph(run, frame, function, _spread(ds.element), node, "mapped function"))
    return Dataset(mapped, count=ds.count, rows=ds.rows if _same_rows(ds.element, mapped) else None)


def _flat_map(
    run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None
) -> Value:
    function = _argument(arguments, named, "map_func")
    inner = in_graph(run, frame, function, _spread(ds.element), node, "mapped function")
    return Dataset(inner.element) if isinstance(inner, Dataset) else Dataset()


def _reduce(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    state = traced.traced_argument(_argument(arguments, named, "initial_state"))
    function = _argument(arguments, named, "reduce_func", 1)
    _carry(run, frame, "Dataset.reduce", function, staged(state), ds.element, node)
    return UNKNOWN


def _scan(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    state = traced.traced_argument(_argument(arguments, named, "initial_state"))
    function = _argument(arguments, named, "scan_func", 1)
    output = _carry(run, frame, "Dataset.scan", function, staged(state), ds.element, node)
    return Dataset(structures.as_element(run, output))


def _batch(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    size, wanted = _batch_size(arguments, named, 1), _argument(arguments, named, "batch_size")
    known = size is None and isinstance(wanted, Constant) and isinstance(wanted.value, int)
    rows = _last_rows(ds.count, wanted.value) if known and isinstance(wanted, Constant) else None
    return Dataset(structures.mapped(run, ds.element, lambda part: _batched(part, size)), rows=rows)


def _padded_batch(
    run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None
) -> Value:
    size = _batch_size(arguments, named, 3)
    if len(arguments) < 2 and "padded_shapes" not in named:
        return Dataset(structures.mapped(run, ds.element, lambda part: _batched(part, size)))
    return Dataset(structures.mapped(run, ds.element, lambda part: _batched(_of_any_size(part), size)))


def _batch_size(arguments: list[Value], named: Named, dropping: int) -> int | None:
    """The size of every batch, None where the last one may be smaller."""
    size = _argument(arguments, named, "batch_size")
    if size == Constant(1):
        # Each batch holds one element, though TensorFlow doesn't say so.
        return shapes.ANY
    drops = _argument(arguments, named, "drop_remainder", dropping)
    if drops == UNKNOWN and "drop_remainder" not in named and len(arguments) <= dropping:
        return None
    if not isinstance(drops, Constant):
        return shapes.ANY
    if not drops.value:
        return None
    return size.value if isinstance(size, Constant) and isinstance(size.value, int) else shapes.ANY


def _batched(part: Value, size: int | None) -> Value:
    if isinstance(part, Tensor):
        return Tensor(part.dtype, None if part.shape is None else (size, *part.shape))
    return UNKNOWN


def _of_any_size(part: Value) -> Value:
    if isinstance(part, Tensor) and part.shape is not None:
        return Tensor(part.dtype, (shapes.ANY,) * len(part.shape))
    return part


def _unbatch(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    return Dataset(sliced(run, ds.element))


def _rebatch(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    return _batch(run, frame, Dataset(sliced(run, ds.element)), arguments, named, node)


def _enumerate(
    run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None
) -> Value:
    return Dataset(Tuple((Tensor("int64", ()), ds.element)))


def _window(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    return Dataset(structures.mapped(run, ds.element, Dataset))


def _concatenate(
    run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None
) -> Value:
    other = _argument(arguments, named, "dataset")
    return Dataset(join_staged(ds.element, other.element) if isinstance(other, Dataset) else UNKNOWN)


def _grouped(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    key = in_graph(run, frame, _argument(arguments, named, "key_func"), _spread(ds.element), node, "mapped function")
    function = _argument(arguments, named, "reduce_func", 1)
    inner = in_graph(run, frame, function, [staged(key), Dataset(ds.element)], node, "mapped function")
    return Dataset(inner.element) if isinstance(inner, Dataset) else Dataset()


def _applied(run: Run, frame: Frame, ds: Dataset, arguments: list[Value], named: Named, node: gast.AST | None) -> Value:
    return calls.call(run, frame, _argument(arguments, named, "transformation_func"), [ds], {}, node)


def _carry(
    run: Run, frame: Frame, over: str, function: Value, state: Value, element: Value, node: gast.AST | None
) -> Value:
    """Trace a function that takes a state and an element; what it gives besides the new state."""
    after, result = in_graph(run, frame, function, [state, element], node, "mapped function"), UNKNOWN
    if over == "Dataset.scan":
        pair = after.items if isinstance(after, Tuple) and len(after.items) == 2 else (UNKNOWN, UNKNOWN)
        after, result = pair
    staged_calls.note_loop(run, frame, node, over, [("the state", state, after, None)])
    return result


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


def _rows_kept(ds: Dataset, name: str) -> tuple[int, int] | None:
    return ds.rows if name == "repeat" else None


def _last_rows(count: int | None, batch: int) -> tuple[int, int] | None:
    """The rows of a batch and of the last one, where that has fewer."""
    return (batch, count % batch) if count is not None and 0 < batch < count and count % batch else None


def _same_rows(before: Value, after: Value) -> bool:
    """Whether every part of a mapped batch surely has the batch's unknown number of rows."""
    parts = after.items if isinstance(after, Tuple) else (after,)
    return all(isinstance(part, Tensor) and part.shape and part.shape[0] is None for part in parts)


def _spread(element: Value) -> list[Value]:
    return list(element.items) if isinstance(element, Tuple) and not element.fields else [element]


def _as_array(part: Value) -> Value:
    return Array(part.dtype, shapes.known_eagerly(part.shape)) if isinstance(part, Tensor) else UNKNOWN


_SAME_ELEMENTS = frozenset(
    {
        "shuffle", "repeat", "prefetch", "take", "skip", "cache", "shard", "with_options", "unique", "snapshot",
        "ignore_errors", "fingerprint",
    }
)  # fmt: skip
"""Methods that give a Dataset of the same kind of elements."""

_ALL_OF_THEM = frozenset({"shuffle", "prefetch", "cache", "with_options", "snapshot"})
"""Those of them that give all the elements, and each once."""

_Handler = Callable[[Run, Frame, Dataset, "list[Value]", Named, "gast.AST | None"], Value]
_METHODS: dict[str, _Handler] = {
    "filter": _filter,
    "take_while": _filter,
    "map": _map,
    "flat_map": _flat_map,
    "interleave": _flat_map,
    "reduce": _reduce,
    "scan": _scan,
    "batch": _batch,
    "padded_batch": _padded_batch,
    "unbatch": _unbatch,
    "rebatch": _rebatch,
    "enumerate": _enumerate,
    "window": _window,
    "concatenate": _concatenate,
    "group_by_window": _grouped,
    "apply": _applied,
}


def in_graph(
    run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None, kind: str
) -> Value:
    """Call a function as TensorFlow does when it traces it in a graph of its own, converted."""
    with run.inside(run.construct(place_of(frame, node or frame.node), kind)):
        return converted(run, frame, function, arguments, node)


def converted(run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None) -> Value:
    """Call a function with its control flow converted, whatever calls it."""
    graph, run.graph = run.graph, True
    if not graph:
        run.state.outside = dict(run.state.cells)
    unbound, run.unbound_before_loop = run.unbound_before_loop, frozenset()
    converting = replace(frame, unconverted=conversion.switched_off(run, frame))
    try:
        with aftermath.recorded(run, UNKNOWN, arguments, {}):
            return calls.call(run, converting, function, arguments, {}, node)
    finally:
        run.graph, run.unbound_before_loop = graph, unbound
        if not graph:
            run.state.outside = None
