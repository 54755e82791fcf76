"""A call doesn't match the function's `input_signature`, or the signature omits a parameter.

## What it does

Compares the dtype, rank and sizes of the arguments in a call with the function's `tf.TensorSpec`s, and the specs with
the function's parameters.

## Why it is bad

TensorFlow rejects the call. It doesn't cast a tensor of a different dtype:

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

TensorFlow casts NumPy arrays of any dtype, and Python integers to floats, so neither is reported. Specs of nested
structures are compared only if both are tuples.
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
                f"`{given.parameter}` of `{fact.name}` {wrong}, so TensorFlow rejects the call. "
                "Pass a matching argument, or change the signature."
            )
            repairs = (*_repairs(given, view), *specs.widened(given, fact.made))
            yield Finding(given.place, message, (), repairs, fact.confidence)


def _left_out(fact: SignatureDeclared) -> str:
    if not fact.missing:
        more = "one spec" if fact.extra == 1 else f"{fact.extra} specs"
        return f"The input_signature has {more} too many for the parameters of `{fact.name}`; TensorFlow rejects it."
    names = ", ".join(f"`{name}`" for name in fact.missing)
    return (
        f"The input_signature of `{fact.name}` omits {names}, but a parameter without a default needs a spec; "
        "TensorFlow rejects it. Add a tf.TensorSpec."
    )


def _misfit(value: Value, spec: Value | None) -> str | None:
    if not isinstance(spec, Tensor):
        return None
    kind, dtype, form = python_kind(value), dtype_of(value), f"shape {shapes.text(spec.shape)}"
    if value == NONE:
        return "is None here, but the signature requires a tensor"
    if kind is not None and spec.dtype is not None and not _converts(kind, spec.dtype):
        return f"is a Python {kind.__name__} here, but the signature requires {spec.dtype}"
    if kind is not None:
        return None if spec.shape in (None, ()) else f"is a single number here, but the signature requires {form}"
    if isinstance(value, (Tensor, Variable)) and None not in (dtype, spec.dtype) and dtype != spec.dtype:
        return f"is {dtype} here, but the signature requires {spec.dtype}"
    if isinstance(value, (Tensor, Variable, Array)) and not _fits(shape_of(value), spec.shape):
        return f"has shape {shapes.text(shape_of(value))} here, but the signature requires {form}"
    return None


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
