"""A traced function uses an outer Python value that has changed since it was traced.

## What it does

Records which globals, closure variables, attributes and dict entries a trace used, and reports one that holds
something else (a number, or a different model or optimizer) when the same trace is used again.

## Why it is bad

A traced function reads outer values only while tracing, and they become constants of the graph. A later call with the
same kinds of arguments uses the same graph, with the old value. TensorFlow doesn't report it.

## Bad

```python
import tensorflow as tf

rate = 0.5

@tf.function
def scaled(x):
    return x * rate  # error

first = scaled(tf.constant(1.0))
rate = 0.25
second = scaled(tf.constant(1.0))
```

## Good

```python
import tensorflow as tf

rate = tf.Variable(0.5)

@tf.function
def scaled(x):
    return x * rate

first = scaled(tf.constant(1.0))
rate.assign(0.25)
second = scaled(tf.constant(1.0))
```

## Evidence

```python
assert float(bad.second) == 0.5
assert float(good.second) == 0.25
assert float(fixed.second) == 0.25
```

## Limits

Reported only if the file shows a call, the change, and another call that needs no new trace. Items of lists aren't
followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import captures
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import CaptureStale
from graphwright_analysis.values.domain import ApiInstance, Object


@rule(family="effects", severity=Severity.WARNING, judges=CaptureStale, fixable=True)
def judge(stale: CaptureStale, view: View) -> Iterator[Finding]:
    related = () if stale.rebound is None else ((stale.rebound, "it is rebound here"),)
    edits = captures.to_variable(stale, view.tensorflow)
    repairs = () if edits is None else (Repair(f"Make `{stale.target}` a tf.Variable", edits),)
    message = (
        f"`{stale.target}` is read only while this function is traced; if it changes later, calls still "
        "use the old value. Pass it as an argument, or make it a tf.Variable and use `assign`."
    )
    if isinstance(stale.then, (ApiInstance, Object)):
        message = (
            f"`{stale.target}` is looked up only while this function is traced, so later calls use that object even "
            "after the name is rebound. Create a tf.function for each object."
        )
    yield Finding(
        stale.place,
        message,
        related,
        repairs,
        stale.confidence,
    )
