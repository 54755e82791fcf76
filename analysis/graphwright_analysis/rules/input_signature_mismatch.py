"""A call doesn't fit the `input_signature` of the function, or the signature leaves out a parameter.

## What it does

Compares dtype, rank and sizes of what a call gives with the `tf.TensorSpec`s of the function, and the specs with the
function's parameters.

## Why it is bad

TensorFlow refuses the call. A tensor of another dtype isn't cast:

    TypeError: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(2,), dtype=tf.int32,
    name=None) to TensorSpec(shape=(None,), dtype=tf.float32, name=None)`.

## Bad

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def g(x):
    return x

def drive():
    return g(tf.constant([1, 2]))  # error
```

## Good

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def g(x):
    return x

def drive():
    return g(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="Can not cast TensorSpec"):
    bad.drive()
assert good.drive().numpy().tolist() == [1.0, 2.0]
assert fixed.drive().numpy().tolist() == [1.0, 2.0]
```

## Limits

NumPy arrays are cast by TensorFlow, whatever their dtype, and so are Python whole numbers to floats: neither is a
finding. Specs of nested structures are compared only where both sides are tuples.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import casts, specs
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import SignatureArgument, SignatureCall, SignatureDeclared
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import NONE, Array, Tensor, Value, Variable, dtype_of, python_kind, shape_of


@rule(family="retracing", severity=Severity.ERROR, judges=(SignatureCall, SignatureDeclared), fixable=True)
def judge(fact: SignatureCall | SignatureDeclared, view: View) -> Iterator[Finding]:
    if isinstance(fact, SignatureDeclared):
        yield Finding(fact.place, _left_out(fact), (), (), fact.confidence)
        return
    for given in fact.arguments:
        wrong = _misfit(given.value, given.spec)
        if wrong is not None:
            message = (
                f"`{given.parameter}` of `{fact.name}` {wrong}; TensorFlow rejects the call. "
                "Pass what the signature requires, or change the signature."
            )
            repairs = (*_repairs(given, view), *specs.widened(given, fact.made))
            yield Finding(given.place, message, (), repairs, fact.confidence)


def _left_out(fact: SignatureDeclared) -> str:
    if not fact.missing:
        more = "one spec" if fact.extra == 1 else f"{fact.extra} specs"
        return f"The input_signature has {more} more than `{fact.name}` has parameters; TensorFlow rejects it."
    names = ", ".join(f"`{name}`" for name in fact.missing)
    return (
        f"The input_signature leaves out {names} of `{fact.name}`, which has no default; TensorFlow rejects it. "
        "Add a tf.TensorSpec."
    )


def _misfit(value: Value, spec: Value | None) -> str | None:
    if not isinstance(spec, Tensor):
        return None
    kind, dtype = python_kind(value), dtype_of(value)
    if value == NONE:
        return "is None here, and the signature requires a tensor"
    if kind is not None and spec.dtype is not None and not _converts(kind, spec.dtype):
        return f"is a Python {kind.__name__} here, and the signature requires {spec.dtype}"
    if kind is not None:
        return None if spec.shape in (None, ()) else f"is one number here, and the signature requires {_form(spec)}"
    if isinstance(value, (Tensor, Variable)) and None not in (dtype, spec.dtype) and dtype != spec.dtype:
        return f"is {dtype} here, and the signature requires {spec.dtype}"
    if isinstance(value, (Tensor, Variable, Array)) and not _fits(shape_of(value), spec.shape):
        return f"has the shape {shapes.text(shape_of(value))} here, and the signature requires {_form(spec)}"
    return None


def _form(spec: Tensor) -> str:
    return f"the shape {shapes.text(spec.shape)}"


def _converts(kind: type, dtype: str) -> bool:
    """Whether TensorFlow makes a tensor of the dtype of a Python value."""
    if kind in (str, bytes) or dtype == "string":
        return kind in (str, bytes) and dtype == "string"
    if kind is float:
        return dtype in dtypes.FLOATS | dtypes.COMPLEX
    return dtype != "bool" if kind is int else True


def _fits(shape: shapes.Shape, wanted: shapes.Shape) -> bool:
    if shape is None or wanted is None:
        return True
    known = {None, shapes.ANY}
    return len(shape) == len(wanted) and all(
        a == b or a in known or b in known for a, b in zip(shape, wanted, strict=True)
    )


def _repairs(given: SignatureArgument, view: View) -> Iterator[Repair]:
    value, spec, place = given.value, given.spec, given.place
    if not isinstance(spec, Tensor) or not isinstance(value, Tensor) or spec.dtype is None or value.dtype is None:
        return
    at = Place(place.block, place.range, place.range)
    edit = casts.cast(at, value.dtype, spec.dtype, view)
    if edit is not None and value.dtype != spec.dtype and _fits(value.shape, spec.shape):
        yield Repair(f"Cast `{given.parameter}` to {spec.dtype}", (edit,))
