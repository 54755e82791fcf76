"""A function made by `exec` or `eval` tests or loops over a tensor.

## What it does

Follows functions that `exec` and `eval` create from a string, if graph code calls them.

## Why it is bad

AutoGraph converts source code and finds none. It silently runs the function unconverted:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
names = {}
exec("def h(x):\\n  if tf.reduce_sum(x) > 0: return x\\n  return -x", {"tf": tf}, names)

@tf.function
def f(x):
    return names['h'](x)  # error
```

## Good

```python
import tensorflow as tf
def h(x):
    if tf.reduce_sum(x) > 0:
        return x
    return -x

@tf.function
def f(x):
    return h(x)
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(-2.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 2.0
```

## Limits

Only literal strings are followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import refusals
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause


@rule(family="conversion", severity=Severity.WARNING, judges=(PythonTruth, PythonIteration))
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if use.why is None or not refusals.is_for(use, Cause.NO_SOURCE):
        return
    kind = "iterated" if isinstance(use, PythonIteration) else "tested"
    yield Finding(
        use.place,
        f"A tensor is {kind} in a function whose source is a string, so "
        f"{use.converter.called} can't convert it; TensorFlow raises an error "
        f"while tracing. Define the function in a file, or use {view.tensorflow or 'tf'}.cond.",
        confidence=use.confidence,
    )
