"""An `except` clause waits for an error that only comes when the graph runs.

## What it does

Finds `try` statements in code that becomes part of a graph whose handlers name errors of `tf.errors`.

## Why it is bad

Python runs the `try` once, while tracing, when operations are put together and nothing is computed. What an operation
raises later, when the graph runs, leaves the whole function; the handler is never entered.

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

A handler that names other errors as well may be for what tracing raises, and is left alone.
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
        f"This handler never runs: {error} is only raised when the graph runs, and by then the `try` is long over. "
        "Test the condition with tensors, or catch the error around the call of the traced function.",
        ((awaited.body, "what may fail here runs as part of the graph"),),
    )
