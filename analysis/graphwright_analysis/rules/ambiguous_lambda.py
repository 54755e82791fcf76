"""Two lambdas with the same parameters on one line can't be told apart, and neither is converted.

## What it does

Looks for lambdas that share a line and their parameters' names with another, and in which a tensor is tested.

## Why it is bad

AutoGraph finds the source of a lambda by its line and its parameters. Where two fit it gives up, with a log line, and
runs the lambda as it is:

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

Lambdas inside a function that is converted are converted with it, and not reported.
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
    reason = "AutoGraph can't tell this lambda from the other one on this line, which has parameters of the same names"
    cure = "Name the parameters differently, or write a `def`."
    yield from refusals.told(use, reason, cure, "the other lambda")
