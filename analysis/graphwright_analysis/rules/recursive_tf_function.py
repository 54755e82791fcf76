"""A `tf.function` calls itself.

## What it does

Finds calls of a traced function in its own body, while it is traced.

## Why it is bad

Under a tensor condition both branches are traced, so tracing the function requires a trace of the function, without
end:

    RecursionError: maximum recursion depth exceeded

Under a Python condition it ends, and each level is traced separately.

## Bad

```python
import tensorflow as tf

@tf.function
def factorial(n):
    if n <= 1:
        return tf.constant(1)
    return n * factorial(n - 1)  # error

def drive():
    return factorial(tf.constant(3))
```

## Good

```python
import tensorflow as tf

@tf.function
def factorial(n):
    result = tf.constant(1)
    while n > 1:
        result *= n
        n -= 1
    return result

def drive():
    return factorial(tf.constant(3))
```

## Evidence

```python
import pytest

with pytest.raises(Exception, match="(?i)recursion"):
    bad.drive()
assert good.drive().numpy() == 6
```

## Limits

A function that calls itself through other functions is reported; one that recurses over the parts of a structure
(`isinstance`, `len`) isn't.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import RecursiveCall


@rule(family="retracing", severity=Severity.ERROR, judges=RecursiveCall)
def judge(call: RecursiveCall, view: View) -> Iterator[Finding]:
    if call.confidence is Confidence.CERTAIN:
        what = "with no Python condition to stop it: TensorFlow traces it inside itself until the recursion limit"
    else:
        what = "so each level adds a trace, and under a tensor condition tracing never ends"
    yield Finding(
        call.place,
        f"`{call.name}` is a tf.function that calls itself, {what}. Use a loop instead.",
        (),
        (),
        call.confidence,
    )
