"""`tf.data` pipelines: what a Dataset's elements are, and the functions that it traces.

A function given to a Dataset is traced in a graph of its own, wherever the pipeline is built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import StagedCondition
from graphwright_analysis.tracing.facts.loops import LoopFunction
from graphwright_analysis.tracing.functions import traced_functions
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    ENDLESS,
    NONE,
    UNKNOWN,
    Array,
    Composite,
    Constant,
    Dataset,
    Function,
    Sequence,
    Tensor,
    Tuple,
    Value,
    Variable,
)
from graphwright_analysis.values.joining import join_staged, staged
from graphwright_analysis.values.lost_shapes import ShapelessTensor

from . import dataset_sources, staged_calls, structures, traced_callbacks


def method(run: Run, receiver: Dataset, name: str, call: Call) -> Value:
    """What a method of a Dataset or iterator gives."""
    if name in _SAME_ELEMENTS:
        return _of_same_elements(receiver, name, call.argument(0, "count", NONE))
    handler = _METHODS.get(name)
    if handler is not None:
        return handler(run, receiver, call)
    for value in call.values:
        escapes.forget(run, value)
    return Dataset()


def handled() -> frozenset[str]:
    """The methods that are known of Dataset, and the makers among them."""
    return frozenset(_METHODS) | _SAME_ELEMENTS | dataset_sources.MAKERS | {"element_spec"}


def _element(run: Run, ds: Dataset, call: Call) -> Value:
    return ds.element


def _arrays(run: Run, ds: Dataset, call: Call) -> Value:
    return Sequence(structures.mapped(run, ds.element, _as_array))


def _cardinality(run: Run, ds: Dataset, call: Call) -> Value:
    return Tensor("int64", ())


def _save(run: Run, ds: Dataset, call: Call) -> Value:
    escapes.forget(run, *call.values)
    return NONE


def _filter(run: Run, ds: Dataset, call: Call) -> Value:
    predicate = call.argument(0, "predicate")
    kept = staged(traced_callbacks.in_graph(run, predicate, call.with_arguments(_spread(ds.element, predicate))))
    if isinstance(kept, (Tensor, Variable)):
        given = next(iter(call.node.args), call.node) if isinstance(call.node, gast.Call) else call.frame.node
        run.note(StagedCondition(place_of(call.frame, given), "predicate", kept))
    return replace(ds, count=None, rows=None)


def _map(run: Run, ds: Dataset, call: Call) -> Value:
    function = call.argument(0, "map_func")
    made = traced_callbacks.in_graph(run, function, call.with_arguments(_spread(ds.element, function)))
    mapped = structures.as_element(run, made)
    return Dataset(mapped, count=ds.count, rows=ds.rows if _same_rows(ds.element, mapped) else None)


def _flat_map(run: Run, ds: Dataset, call: Call) -> Value:
    function = call.argument(0, "map_func")
    inner = traced_callbacks.in_graph(run, function, call.with_arguments(_spread(ds.element, function)))
    return Dataset(inner.element) if isinstance(inner, Dataset) else Dataset()


def _reduce(run: Run, ds: Dataset, call: Call) -> Value:
    state = traced_functions.traced_argument(call.argument(0, "initial_state"))
    function = call.argument(1, "reduce_func")
    _carry(run, call, "Dataset.reduce", function, staged(state), ds.element)
    return UNKNOWN


def _scan(run: Run, ds: Dataset, call: Call) -> Value:
    state = traced_functions.traced_argument(call.argument(0, "initial_state"))
    function = call.argument(1, "scan_func")
    output = _carry(run, call, "Dataset.scan", function, staged(state), ds.element)
    return Dataset(structures.as_element(run, output))


def _batch(run: Run, ds: Dataset, call: Call) -> Value:
    size, wanted = _batch_size(call, 1), call.argument(0, "batch_size")
    count, rows = None, None
    if isinstance(wanted, Constant) and isinstance(wanted.value, int):
        rows = _rows_of(ds.count, wanted.value) if size is None or wanted.value == 1 else None
        count = _batches(ds.count, wanted.value) if size is None else None
    return Dataset(structures.mapped(run, ds.element, lambda part: batched(part, size)), count=count, rows=rows)


def _padded_batch(run: Run, ds: Dataset, call: Call) -> Value:
    size = _batch_size(call, 3)
    if len(call.positional) < 2 and "padded_shapes" not in call.named:
        return Dataset(structures.mapped(run, ds.element, lambda part: batched(part, size)))
    return Dataset(structures.mapped(run, ds.element, lambda part: batched(_of_any_size(part), size)))


def _batch_size(call: Call, dropping: int) -> int | None:
    """The size of every batch, None where the last one may be smaller."""
    size = call.argument(0, "batch_size")
    if size == Constant(1):
        # Each batch holds one element, though TensorFlow doesn't say so.
        return shapes.ANY
    drops = call.argument(dropping, "drop_remainder")
    if drops == UNKNOWN and "drop_remainder" not in call.named and len(call.positional) <= dropping:
        return None
    if not isinstance(drops, Constant):
        return shapes.ANY
    if not drops.value:
        return None
    return size.value if isinstance(size, Constant) and isinstance(size.value, int) else shapes.ANY


def batched(part: Value, size: int | None) -> Value:
    """What a batch has of such parts."""
    if isinstance(part, ShapelessTensor):
        return part
    if isinstance(part, Tensor):
        return Tensor(part.dtype, None if part.shape is None else (size, *part.shape))
    return UNKNOWN


def _ragged_batch(run: Run, ds: Dataset, call: Call) -> Value:
    size = _batch_size(call, 1)
    return Dataset(structures.mapped(run, ds.element, lambda part: _ragged(part, size)))


def _ragged(part: Value, size: int | None) -> Value:
    """A batch of parts whose sizes differ is ragged."""
    sizes = part.shape if isinstance(part, Tensor) else None
    if not isinstance(part, Tensor) or sizes is None or shapes.ANY in sizes:
        return UNKNOWN
    return Composite("RaggedTensor", part.dtype) if None in sizes else batched(part, size)


def _sparse_batch(run: Run, ds: Dataset, call: Call) -> Value:
    return Dataset(structures.mapped(run, ds.element, _sparse))


def _sparse(part: Value) -> Value:
    return Composite("SparseTensor", part.dtype) if isinstance(part, Tensor) else UNKNOWN


def _bucketed(run: Run, ds: Dataset, call: Call) -> Value:
    function = call.argument(0, "element_length_func")
    traced_callbacks.in_graph(run, function, call.with_arguments(_spread(ds.element, function)))
    return Dataset(structures.mapped(run, ds.element, lambda part: batched(_of_any_size(part), shapes.ANY)))


def _resampled(run: Run, ds: Dataset, call: Call) -> Value:
    function = call.argument(0, "class_func")
    label = traced_callbacks.in_graph(run, function, call.with_arguments(_spread(ds.element, function)))
    return Dataset(Tuple((structures.as_element(run, label), ds.element)))


def _of_any_size(part: Value) -> Value:
    if isinstance(part, Tensor):
        return Tensor(part.dtype, None if part.shape is None else (shapes.ANY,) * len(part.shape))
    return part


def _unbatch(run: Run, ds: Dataset, call: Call) -> Value:
    return Dataset(dataset_sources.sliced(run, ds.element))


def _rebatch(run: Run, ds: Dataset, call: Call) -> Value:
    return _batch(run, Dataset(dataset_sources.sliced(run, ds.element)), call)


def _enumerate(run: Run, ds: Dataset, call: Call) -> Value:
    return replace(ds, element=Tuple((Tensor("int64", ()), ds.element)))


def _window(run: Run, ds: Dataset, call: Call) -> Value:
    return Dataset(structures.mapped(run, ds.element, Dataset))


def _concatenate(run: Run, ds: Dataset, call: Call) -> Value:
    other = call.argument(0, "dataset")
    return Dataset(join_staged(ds.element, other.element) if isinstance(other, Dataset) else UNKNOWN)


def _grouped(run: Run, ds: Dataset, call: Call) -> Value:
    chosen = call.argument(0, "key_func")
    key = traced_callbacks.in_graph(run, chosen, call.with_arguments(_spread(ds.element, chosen)))
    function = call.argument(1, "reduce_func")
    inner = traced_callbacks.in_graph(run, function, call.with_arguments([staged(key), Dataset(ds.element)]))
    return Dataset(inner.element) if isinstance(inner, Dataset) else Dataset()


def _applied(run: Run, ds: Dataset, call: Call) -> Value:
    return run.interpreter.call_value(run, call.argument(0, "transformation_func"), call.with_arguments([ds]))


def _carry(run: Run, call: Call, over: LoopFunction, function: Value, state: Value, element: Value) -> Value:
    """Trace a function that takes a state and an element; what it gives besides the new state."""
    after, result = traced_callbacks.in_graph(run, function, call.with_arguments([state, element])), UNKNOWN
    if over == "Dataset.scan":
        pair = after.items if isinstance(after, Tuple) and len(after.items) == 2 else (UNKNOWN, UNKNOWN)
        after, result = pair
    staged_calls.note_loop(run, call, over, [("the state", state, after, None)], "initial_state")
    if isinstance(state, Tensor) and isinstance(after, Tensor) and state.shape != after.shape:
        # TensorFlow traces the function again then, with the shape relaxed.
        relaxed = Tensor(state.dtype, shapes.relaxed(state.shape, after.shape))
        with run.looking_again():
            traced_callbacks.in_graph(run, function, call.with_arguments([relaxed, element]))
    return result


def with_rows(run: Run, element: Value, rows: int) -> Value:
    """A batch with so many rows, as an eager loop gets it."""

    def filled(part: Value) -> Value:
        if isinstance(part, Tensor) and part.shape and part.shape[0] in (None, shapes.ANY):
            return Tensor(part.dtype, (rows, *part.shape[1:]))
        return part

    return structures.walked(run, element, filled)


def _of_same_elements(ds: Dataset, name: str, given: Value) -> Dataset:
    """A Dataset of some of another's elements, or of all of them in another order."""
    uniform = ds.rows is not None and ds.rows[0] == ds.rows[1]
    if name == "repeat":
        return replace(ds, count=_times(ds.count, given))
    if name == "shuffle" and not uniform:
        # Which of the batches is the smaller one isn't known any more.
        return ds if ds.rows is None else replace(ds, count=None)
    if name in _ALL_OF_THEM:
        return ds
    number = given.value if isinstance(given, Constant) else None
    counted = ds.count is not None and isinstance(number, int) and number >= 0
    if name in ("take", "skip") and counted:
        assert isinstance(number, int) and ds.count is not None
        return _taken(ds, number, ds.count) if name == "take" else _skipped(ds, number, ds.count)
    return replace(ds, count=None, rows=ds.rows if uniform else None)


def _taken(ds: Dataset, number: int, count: int) -> Dataset:
    if count != ENDLESS and number >= count:
        return ds
    return replace(ds, count=number, rows=None if ds.rows is None else (ds.rows[0], ds.rows[0]))


def _skipped(ds: Dataset, number: int, count: int) -> Dataset:
    left = ENDLESS if count == ENDLESS else max(0, count - number)
    return replace(ds, count=left, rows=ds.rows if left > 1 or left == ENDLESS else None)


def _times(count: int | None, times: Value) -> int | None:
    """How many elements there are when they are repeated."""
    if count == ENDLESS or times in (NONE, Constant(ENDLESS)):
        return ENDLESS
    number = times.value if isinstance(times, Constant) else None
    return count * number if count is not None and isinstance(number, int) else None


def _rows_of(count: int | None, batch: int) -> tuple[int, int] | None:
    """The rows of a batch and of the last one."""
    if batch == 1 or count == ENDLESS:
        return batch, batch
    if count is None or batch < 1 or count < 1:
        return None
    return min(batch, count), count % batch or batch


def _batches(count: int | None, batch: int) -> int | None:
    return count if count is None or count == ENDLESS or batch < 1 else -(-count // batch)


def _same_rows(before: Value, after: Value) -> bool:
    """Whether every part of a mapped batch surely has the batch's unknown number of rows."""
    parts = after.items if isinstance(after, Tuple) else (after,)
    batched = (part for part in parts if isinstance(part, Tensor) and part.shape)
    return len(parts) == sum(part.shape is not None and part.shape[0] is None for part in batched)


def _spread(element: Value, function: Value) -> list[Value]:
    """What a function is given of an element: the parts of a tuple; as many as it takes where that isn't known."""
    if isinstance(element, Tuple) and not element.fields:
        return list(element.items)
    if element == UNKNOWN and isinstance(function, Function):
        taken = [*function.node.args.posonlyargs, *function.node.args.args]
        return [UNKNOWN] * max(1, len(taken) - len(function.node.args.defaults))
    return [element]


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

_Handler = Callable[[Run, Dataset, Call], Value]
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
    "ragged_batch": _ragged_batch,
    "sparse_batch": _sparse_batch,
    "bucket_by_sequence_length": _bucketed,
    "rejection_resample": _resampled,
    "get_next": _element,
    "get_single_element": _element,
    "as_numpy_iterator": _arrays,
    "cardinality": _cardinality,
    "save": _save,
}
