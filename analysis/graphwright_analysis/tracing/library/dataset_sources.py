"""Where Datasets come from: `from_tensor_slices` and the other makers, and files.

What their methods make of them is in `datasets`.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions import traced_functions
from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import (
    NONE,
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
)
from graphwright_analysis.values.lost_shapes import ShapelessTensor
from graphwright_analysis.values.tensorflow import functions

from . import structures


def make(run: Run, name: str, call: Call) -> Value:
    """`tf.data.Dataset.<name>(...)`."""
    first = call.positional[0] if call.positional else next(iter(call.named.values()), UNKNOWN)
    if name == "from_tensor_slices":
        return Dataset(sliced(run, first), count=_rows(run, first))
    if name == "from_tensors":
        return Dataset(structures.as_element(run, first), count=1)
    if name in ("range", "counter"):
        given = call.named.get("output_type", call.named.get("dtype"))
        count = first.value if name == "range" and len(call.positional) == 1 and isinstance(first, Constant) else None
        known = isinstance(count, int) and count >= 0
        dtype = "int64" if given is None else functions.named_dtype(given)
        return Dataset(Tensor(dtype, ()), count=count if known else None)
    if name == "random":
        return Dataset(Tensor("int64", ()))
    if name == "list_files":
        return Dataset(Tensor("string", ()))
    if name == "zip":
        return _zipped(run, call.positional if len(call.positional) > 1 else [first])
    if name in ("sample_from_datasets", "choose_from_datasets"):
        parts = held_values.elements_of(run, first) or ()
        elements = [part.element for part in parts if isinstance(part, Dataset)]
        return Dataset(elements[0] if elements and all(e == elements[0] for e in elements) else UNKNOWN)
    if name == "load":
        return Dataset(traced_functions.spec_value(run, call.argument(1, "element_spec")))
    if name != "from_generator":
        return Dataset()
    return _generated(run, call)


MAKERS = frozenset(
    {
        "from_tensor_slices", "from_tensors", "range", "counter", "random", "list_files", "zip", "sample_from_datasets",
        "choose_from_datasets", "from_generator", "load",
    }
)  # fmt: skip


def files(run: Run, call: Call) -> Value:
    """`tf.data.TextLineDataset(...)` and its like: each element is a string."""
    return Dataset(Tensor("string", ()))


def _zipped(run: Run, parts: Sequence[Value]) -> Value:
    whole = Tuple(tuple(parts)) if len(parts) > 1 else parts[0]
    if isinstance(whole, Dataset):
        return Dataset()
    zipped = held_values.elements_of(run, whole) or ()
    counts = {part.count for part in zipped if isinstance(part, Dataset)}
    rows = {part.rows for part in zipped if isinstance(part, Dataset)}
    alike = len(counts) == len(rows) == 1
    element = structures.mapped(run, whole, _element_of)
    return Dataset(element, count=counts.pop() if alike else None, rows=rows.pop() if alike else None)


def _element_of(value: Value) -> Value:
    return value.element if isinstance(value, Dataset) else UNKNOWN


def _generated(run: Run, call: Call) -> Value:
    """`from_generator`: by `output_signature`, or by `output_types` and `output_shapes`."""
    if "output_signature" in call.named:
        return Dataset(traced_functions.spec_value(run, call.named["output_signature"]))
    given = call.by_name("generator", "output_types", "output_shapes")
    made = None if call.node is None else call.place
    shape_given = given.get("output_shapes", NONE)
    return Dataset(_typed(run, given.get("output_types", UNKNOWN), shape_given, made))


def _typed(run: Run, kind: Value, shape: Value, made: Place | None) -> Value:
    if isinstance(kind, Tuple):
        shapes_given = held_values.elements_of(run, shape) if shape != NONE else None
        if shapes_given is None or len(shapes_given) != len(kind.items):
            shapes_given = (NONE,) * len(kind.items)
        return Tuple(tuple(_typed(run, part, of, made) for part, of in zip(kind.items, shapes_given, strict=True)))
    if isinstance(kind, Object) and (kinds := run.state.entries(kind.id)) is not None:
        entries = run.state.entries(shape.id) if isinstance(shape, Object) else None
        parts = ((key, part, NONE if entries is None else entries.get(key)) for key, part in kinds.known)
        return allocation.new_dict(run, Entries(tuple((key, _typed(run, part, of, made)) for key, part, of in parts)))
    dtype = functions.named_dtype(kind)
    if dtype is None:
        return UNKNOWN
    if shape == NONE:
        return ShapelessTensor(dtype, id=run.fresh(), maker="Dataset.from_generator", made=made)
    return Tensor(dtype, held_values.shape_given(run, shape))


def sliced(run: Run, value: Value) -> Value:
    """One element along the first axis, in every part of a structure."""
    if isinstance(value, (Tensor, Variable, Array)):
        return Tensor(value.dtype, value.shape[1:] if value.shape else None)
    if isinstance(value, Tuple):
        return Tuple(tuple(sliced(run, item) for item in value.items), value.fields)
    if isinstance(value, Object) and (entries := run.state.entries(value.id)) is not None:
        rows = tuple((key, sliced(run, content)) for key, content in entries.known)
        return allocation.new_dict(run, Entries(rows, entries.closed))
    elements = held_values.elements_of(run, value)
    if elements is not None:
        return sliced(run, held_values.as_tensor(run, value))
    return UNKNOWN


def _rows(run: Run, value: Value) -> int | None:
    """How many rows a value has along the first axis, in every part of a structure."""
    if isinstance(value, Tuple):
        return _rows(run, value.items[0]) if value.items else None
    if isinstance(value, Object) and (entries := run.state.entries(value.id)) is not None:
        return _rows(run, entries.known[0][1]) if entries.known else None
    elements = None if isinstance(value, (Tensor, Array)) else held_values.elements_of(run, value)
    if elements is not None:
        return len(elements)
    shape = value.shape if isinstance(value, (Tensor, Variable, Array)) else None
    return shape[0] if shape and shape[0] is not None and shape[0] >= 0 else None
