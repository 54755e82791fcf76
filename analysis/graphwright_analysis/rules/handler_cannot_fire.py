"""An `except` clause handles an error that is raised only when the graph runs.

## What it does

Finds `try` statements in graph code whose handlers name errors from `tf.errors`.

## Why it is bad

Python runs the `try` once, while tracing, when nothing is computed yet. An error that an operation raises later, when
the graph runs, propagates out of the whole function, and the handler never runs.

    InvalidArgumentError: Graph execution error: ... bad : Tensor had NaN values

## Bad

```python
import tensorflow as tf

@tf.function
def checked(x):
    try:
        return tf.debugging.check_numerics(x, "bad")
    except tf.errors.InvalidArgumentError:  # error
        return tf.zeros_like(x)
```

## Good

```python
import tensorflow as tf

@tf.function
def checked(x):
    fine = tf.reduce_all(tf.math.is_finite(x))
    return tf.where(fine, x, tf.zeros_like(x))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(float("nan"))
with pytest.raises(tf.errors.InvalidArgumentError):
    bad.checked(x)
assert good.checked(x).numpy() == 0.0
```

## Limits

A handler that also names other errors may be meant for tracing errors, and is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import ErrorAwaited


@rule(family="effects", severity=Severity.WARNING, judges=ErrorAwaited)
def judge(awaited: ErrorAwaited, view: View) -> Iterator[Finding]:
    error = awaited.names[0].rpartition(".")[2]
    yield Finding(
        awaited.place,
        f"This handler never runs: {error} is raised when the graph runs, after the `try` has finished. "
        "Check the condition with tensors, or catch the error around the call to the traced function.",
        ((awaited.body, "the operation that may fail runs in the graph"),),
    )
