"""The operands of an operation have incompatible shapes.

## What it does

Compares the static shapes of an operator's operands, and of the arguments of TensorFlow functions that require
matching shapes, in traced or eager code. Also finds indices outside a static shape.

## Why it is bad

TensorFlow checks shapes while it builds the graph:

    ValueError: Dimensions must be equal, but are 3 and 2 for '{{node MatMul}} = MatMul[...]'

This happens even in a branch that would never be taken, because both branches are traced. Eager code fails when it
computes the operation:

    InvalidArgumentError: Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul]

## Bad

```python
import tensorflow as tf

@tf.function
def f(b):
    a = tf.ones([2, 3])
    return tf.matmul(a, tf.ones([2, 3])) + b  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def f(b):
    a = tf.ones([2, 3])
    return tf.matmul(a, tf.ones([2, 3]), transpose_b=True) + b
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 2"):
    bad.f(tf.constant(1.0))
assert good.f(tf.constant(1.0)).shape == (2, 2)
```

## Limits

Sizes of 1 and unknown sizes match everything. `==` and `!=` accept any shapes and aren't checked. Eager code is
checked only if it surely runs: not under an unknown condition, and not in a `try`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Operand, OperationRefused
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import shape_of


@rule(family="consistency", severity=Severity.ERROR, judges=OperationRefused)
def judge(refused: OperationRefused, view: View) -> Iterator[Finding]:
    inside_branch = refused.kind == "index" and refused.branch is not None
    if refused.kind not in ("shape", "index") or inside_branch:
        return
    operands = [refused.first] if refused.second is None else [refused.first, refused.second]
    what = "index" if refused.kind == "index" else f"`{refused.operation}`"
    yield Finding(
        refused.place,
        f"TensorFlow {refused.cannot} this {what}: {refused.words}. {_advice(refused)}",
        tuple(_related(operands)),
        (),
        refused.confidence,
    )


def _advice(refused: OperationRefused) -> str:
    if refused.second is None and refused.operation.startswith("tf.keras.layers."):
        return "Pass an input of the shape that the layer requires."
    if refused.kind == "index":
        return "Index within the shape, or fix the shape of the tensor."
    return "Reshape, transpose or slice an operand so that the shapes match."


def _related(operands: list[Operand]) -> Iterator[tuple[Place, str]]:
    for operand in operands:
        shape = shape_of(operand.value)
        if shape is not None:
            yield operand.bound or operand.place, f"shape {shapes.text(shape)} here"
