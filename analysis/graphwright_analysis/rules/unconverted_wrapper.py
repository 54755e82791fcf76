"""A function under a wrapper that AutoGraph can't see through tests or loops over a tensor.

## What it does

Follows functions under `functools.lru_cache`, `functools.cache` and `wrapt.decorator` that graph code calls.

## Why it is bad

AutoGraph calls the wrapper, which silently calls the function unconverted:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
import functools

@functools.lru_cache(None)
def sign(k):
    return tf.constant(k) if tf.constant(True) else tf.constant(0)  # error

@tf.function
def f(x):
    return x + sign(3)
```

## Good

```python
import tensorflow as tf
def sign(k):
    return tf.constant(k) if tf.constant(True) else tf.constant(0)

@tf.function
def f(x):
    return x + sign(3)
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(1)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 4
```

## Limits

Wrappers from other packages aren't known.
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
    if use.why is None or not refusals.is_for(use, Cause.WRAPPER):
        return
    name = f"`{use.why.name}`"
    reason = f"the wrapper around {name} keeps AutoGraph from converting it"
    cure = "Remove the wrapper, or put tf.function below it."
    yield from refusals.told(use, reason, cure, "the wrapper")
