"""NumPy receives a tensor that has no value yet.

## What it does

Finds NumPy, SciPy, pandas and `math` functions called on a tensor in graph code, and tensors written into a NumPy
array.

## Why it is bad

During tracing, tensors are symbolic: NumPy has no values to compute with.

    NotImplementedError: Cannot convert a symbolic tf.Tensor (x:0) to a numpy array.

## Bad

```python
import numpy as np
import tensorflow as tf

@tf.function
def root(x):
    return np.sqrt(x)  # error

def main():
    return root(tf.constant(4.0))
```

## Good

```python
import tensorflow as tf

@tf.function
def root(x):
    return tf.sqrt(x)

def main():
    return root(tf.constant(4.0))
```

## Evidence

```python
import pytest

with pytest.raises(NotImplementedError, match="symbolic tf.Tensor"):
    bad.main()
assert good.main().numpy() == 2.0
assert fixed.main().numpy() == 2.0
```

## Limits

The few functions that only read the shape (`np.shape`, `np.ndim`, `np.size`) work and are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import numpy_names
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import ItemAssigned, OutsideCall
from graphwright_analysis.values.domain import Array, Tensor, Tuple, Value, Variable, is_likely

_WORKING = frozenset(
    f"np.{name}"
    for name in (
        "shape", "ndim", "size", "isscalar", "iterable", "array_equal", "array_equiv", "bmat", "diff", "flip",
        "rollaxis", "diag_indices_from", "tril_indices_from", "triu_indices_from", "lexsort", "dtype", "vectorize",
        "frompyfunc", "savez", "ndindex", "ndenumerate", "broadcast_shapes", "result_type", "can_cast", "issubdtype",
        "promote_types", "object_", "apply_along_axis", "errstate", "seterr", "printoptions", "set_printoptions",
        "piecewise", "isdtype", "s_", "index_exp", "nditer", "typename",
    )
)  # fmt: skip
_LIBRARIES = ("np.", "scipy.", "pandas.", "math.")


@rule(family="effects", severity=Severity.ERROR, judges=(OutsideCall, ItemAssigned), fixable=True)
def judge(use: OutsideCall | ItemAssigned, view: View) -> Iterator[Finding]:
    if isinstance(use, OutsideCall):
        yield from _call(use, view)
    elif isinstance(use.owner, Array):
        name = f"`{use.name}`" if use.name else "This"
        for_what = "write into it" if _symbolic(use.assigned, deep=False) else "index it with"
        message = f"{name} is a NumPy array, and a symbolic tensor has no value to {for_what}: NumPy raises an error. "
        advice = "Collect the elements in a list and use tf.stack, or tf.tensor_scatter_nd_update."
        yield Finding(use.place, message + advice, confidence=use.confidence)


def _call(call: OutsideCall, view: View) -> Iterator[Finding]:
    if not call.in_graph or call.attempted or call.meant_for_others:
        return
    if call.receiver is not None or call.name in _WORKING:
        return
    if not call.name.startswith(_LIBRARIES) or call.name.startswith(("np.testing.", "pandas.testing.")):
        return
    values = [argument.value for argument in call.arguments if argument.name not in ("dtype", "where", "out")]
    deep = not call.name.startswith("math.")
    sure = any(_symbolic(value, deep) for value in values)
    if not sure and not (values and is_likely(values[0])):
        return
    edits = numpy_names.counterpart(call, view.tensorflow)
    yield Finding(
        call.place,
        f"`{call.name}` receives a symbolic tensor, which has no value during tracing, so the call fails. "
        "Use the TensorFlow equivalent, or tf.numpy_function.",
        (),
        () if edits is None else (Repair(f"Call {edits[0][1]}", edits),),
        Confidence.CERTAIN if sure and not call.uncertain else Confidence.LIKELY,
    )


def _symbolic(value: Value, deep: bool) -> bool:
    if isinstance(value, Tuple) and deep:
        return any(_symbolic(item, deep) for item in value.items)
    return isinstance(value, (Tensor, Variable))
