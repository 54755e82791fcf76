"""A Python `assert` on a tensor fails while tracing.

## What it does

Finds `assert` statements in code that becomes a graph whose condition is a tensor. Asserting static things such as a
shape's rank is fine.

## Why it is bad

AutoGraph doesn't convert `assert`, and Python wants a plain bool of a tensor that holds no number yet:

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

A tensor made outside of the function holds a number and may be asserted; it is not reported.
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
        f"{sentence(quoted(use.place))} is a tensor, and `assert` is not converted: TensorFlow raises an error "
        f"while tracing. Write {tensorflow}.debugging.Assert.",
        repairs=assertions.repairs(use, view.tensorflow),
        confidence=use.confidence,
    )
