"""A constructor, property or other special method tests or loops over a tensor.

## What it does

Follows `__init__`, `__post_init__`, property getters and methods of `NamedTuple` classes used in graph code, and
everything they call.

## Why it is bad

Python calls these methods directly, so AutoGraph never converts them:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
class Box:
    def __init__(self, x):
        self.v = x if tf.reduce_sum(x) > 0 else -x  # error

@tf.function
def f(x):
    return Box(x).v
```

## Good

```python
import tensorflow as tf
class Box:
    def __init__(self, v):
        self.v = v

@tf.function
def f(x):
    return Box(x if tf.reduce_sum(x) > 0 else -x).v
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

Operator methods (`__add__`, `__getitem__`) are never converted either, but aren't followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import refusals
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause


@rule(family="conversion", severity=Severity.ERROR, judges=(PythonTruth, PythonIteration))
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if use.why is None or not refusals.is_for(use, Cause.SPECIAL_METHOD):
        return
    name = f"`{use.why.name}`"
    reason = f"Python calls {name} directly, so {use.converter.called} never converts it"
    cure = "Compute the value in an ordinary function and pass it in."
    yield from refusals.told(use, reason, cure, None)
