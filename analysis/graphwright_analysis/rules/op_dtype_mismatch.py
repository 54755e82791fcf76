"""The operands of an operation have incompatible dtypes.

## What it does

Finds operators and TensorFlow functions called with tensors of different dtypes, or with an integer tensor and a
Python float, in traced or eager code. A Python number that a graph loop carries has the dtype that TensorFlow gives
it: `0` is int32, `0.5` is float32.

## Why it is bad

TensorFlow doesn't promote tensors. Only a bare Python number adopts the dtype of the tensor next to it, and only if no
fraction is lost. TensorFlow can't build the operation:

    TypeError: Input 'y' of 'Mul' Op has type float32 that does not match type int32 of argument 'x'.

## Bad

```python
import tensorflow as tf

@tf.function
def f(n):
    return n * tf.constant(0.5)  # error

def half_of_three():
    return f(tf.constant(3))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(n):
    return tf.cast(n, tf.float32) * tf.constant(0.5)

def half_of_three():
    return f(tf.constant(3))
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="has type float32 that does not match type int32"):
    bad.half_of_three()
assert good.half_of_three().numpy() == 1.5
assert fixed.half_of_three().numpy() == 1.5
```

## Limits

Only known dtypes are compared, and eager code is checked only if it surely runs. Values that Keras casts itself (the
inputs of its layers, its own variables) aren't checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import casts, dtype_messages, operand_edits
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Operand, OperationRefused
from graphwright_analysis.values.domain import dtype_of


@rule(family="consistency", severity=Severity.ERROR, judges=OperationRefused, fixable=True)
def judge(refused: OperationRefused, view: View) -> Iterator[Finding]:
    if refused.kind != "dtype":
        return
    operands = [refused.first] if refused.second is None else [refused.first, refused.second]
    yield Finding(
        refused.place,
        dtype_messages.message(refused, operands, view.tensorflow or "tf"),
        tuple(_related(operands)),
        tuple(_repairs(operands, view)),
        refused.confidence,
    )


def _related(operands: list[Operand]) -> Iterator[tuple[Place, str]]:
    for operand in operands:
        if operand.bound is not None and dtype_of(operand.value) is not None:
            yield operand.bound, f"{dtype_of(operand.value)} here"


def _repairs(operands: list[Operand], view: View) -> Iterator[Repair]:
    if len(operands) != 2:
        return
    first, second = (dtype_of(operand.value) for operand in operands)
    if first is None or second is None or first == second:
        return
    places = [operand_edits.editable(operand) for operand in operands]
    sides = [(places[0], first, second), (places[1], second, first)]
    known = [(place, has, wants) for place, has, wants in sides if place is not None]
    for title, edit in casts.agreements(known, "", view):
        yield Repair(title, (edit,))
