"""A `tf.function` is called with tensors of ever new shapes or dtypes.

## What it does

Compares the shapes and dtypes that a traced function receives in all visible calls, and reports a call in a loop that
keeps passing new ones: growing tensors, slices of different sizes, a smaller last batch.

## Why it is bad

Without an `input_signature`, TensorFlow traces each shape separately. Nothing fails, but it's slow, and the graphs
pile up:

    WARNING: 5 out of the last 5 calls to <function total> triggered tf.function retracing. Tracing is expensive and
    the excessive number of tracings could be due to (2) passing tensors with different shapes

## Bad

```python
import tensorflow as tf

traces = []

@tf.function
def total(x):
    traces.append(1)
    return tf.reduce_sum(x)

for n in range(1, 7):
    last = total(tf.ones([n]))  # error
```

## Good

```python
import tensorflow as tf

traces = []

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x):
    traces.append(1)
    return tf.reduce_sum(x)

for n in range(1, 7):
    last = total(tf.ones([n]))
```

## Evidence

```python
assert len(bad.traces) == 6
assert len(good.traces) == 1
assert len(fixed.traces) == 1
assert fixed.last.numpy() == bad.last.numpy()
```

## Limits

Two calls with two shapes aren't reported. Unknown shapes count as equal.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import tensor_arguments
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import Retraced
from graphwright_analysis.tracing.facts.retracing import Difference, TraceCount


@rule(family="retracing", severity=Severity.WARNING, judges=Retraced, fixable=True)
def judge(call: Retraced, view: View) -> Iterator[Finding]:
    how = call.varying[0].how
    what = how.value
    if how not in (Difference.SHAPE, Difference.DTYPE):
        return
    names = " and ".join(f"`{varying.parameter}`" for varying in call.varying)
    partial = call.traces < 3 or (call.endless and call.count in (TraceCount.EVERY, TraceCount.UNKNOWN))
    times = "a smaller last batch, for example, adds a trace" if partial else call.frequency
    repairs: list[Repair] = []
    if how is Difference.SHAPE:
        for title, edits in (
            ("Declare an input_signature that fits all calls", tensor_arguments.signature(call, view.tensorflow)),
            ("Relax the shapes with reduce_retracing", tensor_arguments.reduced(call, view.tensorflow)),
        ):
            repairs += [] if edits is None else [Repair(title, edits)]
    remedy = "an input_signature with None for the axes that vary" if how is Difference.SHAPE else "one dtype (tf.cast)"
    change = "change" if len(call.varying) > 1 else "changes"
    yield Finding(
        call.place,
        f"{names} {change} {what} between calls, so `{call.name}` is retraced for each {what}: {times}. Use {remedy}.",
        tuple((other, "this call adds another trace") for other in call.others),
        tuple(repairs),
        call.confidence,
    )
