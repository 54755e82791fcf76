"""A Python `assert` on a tensor fails while tracing.

## What it does

Finds `assert` statements on a tensor in graph code. Asserting static properties, such as a shape's rank, is fine.

## Why it is bad

AutoGraph doesn't convert `assert`, so Python evaluates a symbolic tensor as a bool:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    assert tf.reduce_all(x > 0), 'negative'  # error
    return x
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    tf.debugging.Assert(tf.reduce_all(x > 0), ['negative'])
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(x).numpy().tolist() == [1.0, 3.0]
with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
    fixed.f(-x)
```

## Limits

A tensor created outside the function has a value and can be asserted; it isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import assertions
from graphwright_analysis.fixes.sources import quoted, sentence
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonTruth
from graphwright_analysis.values.domain import KerasTensor


@rule(family="effects", severity=Severity.ERROR, judges=PythonTruth, fixable=True)
def judge(use: PythonTruth, view: View) -> Iterator[Finding]:
    if use.how != "assert" or isinstance(use.value, KerasTensor):
        return
    tensorflow = view.tensorflow or "tf"
    yield Finding(
        use.place,
        f"{sentence(quoted(use.place))} is a tensor, and AutoGraph doesn't convert `assert`: TensorFlow raises an "
        f"error while tracing. Use {tensorflow}.debugging.Assert.",
        repairs=assertions.repairs(use, view.tensorflow),
        confidence=use.confidence,
    )
