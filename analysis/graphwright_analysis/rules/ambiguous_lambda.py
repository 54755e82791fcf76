"""AutoGraph can't tell apart two lambdas with the same parameters on one line, and converts neither.

## What it does

Finds lambdas that test a tensor and share a line and parameter names with another lambda.

## Why it is bad

AutoGraph finds a lambda's source by its line and parameters. If two lambdas match, it gives up with a log line and
runs the lambda unconverted:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
pos, neg = (lambda x: x if tf.reduce_sum(x) > 0 else -x), (lambda x: -x)  # error

@tf.function
def f(x):
    return pos(x) + neg(x)
```

## Good

```python
import tensorflow as tf
pos, neg = (lambda x: x if tf.reduce_sum(x) > 0 else -x), (lambda y: -y)

@tf.function
def f(x):
    return pos(x) + neg(x)
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(-2.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 4.0
```

## Limits

Lambdas inside a converted function are converted with it and not reported.
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
    if use.why is None or not refusals.is_for(use, Cause.TWIN_LAMBDA):
        return
    reason = "AutoGraph can't tell this lambda from another one on the same line with the same parameter names"
    cure = "Rename the parameters of one of them, or write a `def`."
    yield from refusals.told(use, reason, cure, "the other lambda")
