"""A private name (`self.__x`) keeps the whole function from being converted.

## What it does

Finds functions that use an attribute with two leading underscores and also test or loop over a tensor.

## Why it is bad

AutoGraph doesn't support names that Python mangles. The whole function then runs unconverted, with at most a log line,
and the first test of a tensor in it fails:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self.__w = tf.constant(2.0)

    @tf.function
    def f(self, x):
        if tf.reduce_sum(x) > 0:  # error
            x = x * self.__w
        return x
```

## Good

```python
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self._w = tf.constant(2.0)

    @tf.function
    def f(self, x):
        if tf.reduce_sum(x) > 0:
            x = x * self._w
        return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(3.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    model = bad.Model()
    model.f(x)
for module in (good, fixed):
    model = module.Model()
    assert model.f(x).numpy() == 6.0
```

## Limits

Only the first failure is reported, because tracing ends there. A function without tensor control flow isn't reported:
it works unconverted.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import private_names, refusals
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause


@rule(
    family="conversion",
    severity=Severity.ERROR,
    judges=(PythonTruth, PythonIteration),
    fixable=True,
)
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if use.why is None or not refusals.is_for(use, Cause.PRIVATE_NAME):
        return
    name = f"`{use.why.name}`"
    reason = f"{name} uses a private name (`__name`), so AutoGraph leaves the whole function unconverted"
    cure = "Rename it to start with a single underscore."
    repairs = private_names.repairs(use.why.place)
    yield from refusals.told(use, reason, cure, "the private name", repairs)
