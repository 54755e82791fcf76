"""The shapes that an operation gets can't fit each other.

## What it does

Compares the static shapes on both sides of an operator, and of the arguments of TensorFlow functions that ask for
fitting shapes, as far as they are known while a function is traced or eager code runs. An index outside of a static
shape counts as well.

## Why it is bad

TensorFlow checks shapes while it builds the graph and refuses the operation:

    ValueError: Dimensions must be equal, but are 3 and 2 for '{{node MatMul}} = MatMul[...]'

It does so even on a side of an `if` that would never be taken: both sides are traced. Eager code fails where the
operation is computed:

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

Sizes of 1 and sizes that aren't known fit everything. `==` and `!=` take any shapes and aren't judged. Eager code is
judged only where it surely runs: not under a condition that isn't known, and not in a `try`.
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
        f"TensorFlow {refused.cannot} this {what}: it receives {refused.words}. {_advice(refused)}",
        tuple(_related(operands)),
        (),
        refused.confidence,
    )


def _advice(refused: OperationRefused) -> str:
    if refused.second is None and refused.operation.startswith("tf.keras.layers."):
        return "Give the layer an input of the shape that it needs."
    if refused.kind == "index":
        return "Index within the shape, or give the tensor the shape that is meant."
    return "Reshape, transpose or slice one of them so that the sizes agree."


def _related(operands: list[Operand]) -> Iterator[tuple[Place, str]]:
    for operand in operands:
        shape = shape_of(operand.value)
        if shape is not None:
            yield operand.bound or operand.place, f"of shape {shapes.text(shape)}"
