"""A `tf.Variable` is assigned a value of a different dtype or shape.

## What it does

Compares the value passed to `assign`, `assign_add` and `assign_sub` with the dtype and shape of the `tf.Variable`.

## Why it is bad

A variable has the dtype and shape of its initial value. TensorFlow neither converts nor broadcasts:

    ValueError: Cannot assign value to variable ' Variable:0': Shape mismatch.The variable shape (2,), and the assigned
    value shape (3,) are incompatible.
    ValueError: Tensor conversion requested dtype float32 for Tensor with dtype int32

## Bad

```python
import tensorflow as tf

v = tf.Variable([1.0, 2.0])

@tf.function
def g():
    v.assign(tf.ones([3]))  # error
    return v.read_value()
```

## Good

```python
import tensorflow as tf

v = tf.Variable([1.0, 2.0], shape=[None])

@tf.function
def g():
    v.assign(tf.ones([3]))
    return v.read_value()
```

## Evidence

```python
import pytest

with pytest.raises(ValueError, match="Shape mismatch"):
    bad.g()
assert good.g().shape == (3,)
assert fixed.g().shape == (3,)
```

## Limits

Variables that Keras creates (`add_weight`) cast assigned values and aren't checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import casts
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import OperationRefused
from graphwright_analysis.values.domain import dtype_of, python_kind, shape_of


@rule(family="state", severity=Severity.ERROR, judges=OperationRefused, fixable=True)
def judge(refused: OperationRefused, view: View) -> Iterator[Finding]:
    if refused.kind not in ("assigned dtype", "assigned shape") or refused.second is None:
        return
    dtype = refused.kind == "assigned dtype"
    advice = "Cast the value first." if dtype else _RESHAPE
    related = [] if refused.first.bound is None else [(refused.first.bound, "the variable is created here")]
    repair = _cast(refused, view) if dtype else _relaxed(refused)
    yield Finding(
        refused.place,
        f"`{refused.operation}` receives {refused.words}, so TensorFlow {refused.cannot} this assignment. {advice}",
        tuple(related),
        () if repair is None else (repair,),
        refused.confidence,
    )


_RESHAPE = "Assign a value of the variable's shape, or give the variable an explicit `shape` with None in that axis."


def _cast(refused: OperationRefused, view: View) -> Repair | None:
    assert refused.second is not None
    has, wanted = dtype_of(refused.second.value), dtype_of(refused.first.value)
    if has is None or wanted is None or python_kind(refused.second.value) is not None:
        return None
    edit = casts.cast(refused.second.place, has, wanted, view)
    return None if edit is None else Repair(f"Cast the value to {wanted}", (edit,))


def _relaxed(refused: OperationRefused) -> Repair | None:
    """`shape=[None]` where the Variable is made, if that is plainly written and the number of axes agrees."""
    assert refused.second is not None
    bound, shape = refused.first.bound, shape_of(refused.first.value)
    if bound is None or bound.value is None or shape is None or refused.operation != "assign":
        return None
    given = shape_of(refused.second.value)
    text = bound.block.text[bound.value.start : bound.value.end]
    plain = re.fullmatch(r"[\w.]*\bVariable\(.*\)", text, re.DOTALL) is not None and "shape" not in text
    if not plain or given is None or len(given) != len(shape) or not shape:
        return None
    end = bound.value.end - 1
    edit = (Place(bound.block, Range(end, end)), f", shape=[{', '.join(['None'] * len(shape))}]")
    return Repair("Allow the variable to change shape", (edit,))
