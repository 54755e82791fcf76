"""A `tf.function` is called with a Python number, string or bool that changes between calls.

## What it does

Compares the arguments of a traced function across all visible calls, and reports a call in a loop that passes a
different Python value on each iteration.

## Why it is bad

A Python value is part of the graph, so TensorFlow retraces the whole function for each new value. Nothing fails, but
it's slow, and the graphs pile up. TensorFlow warns from the fifth trace on, at most twice per function:

    WARNING: 5 out of the last 5 calls to <function step> triggered tf.function retracing.

## Bad

```python
import tensorflow as tf

traces = []

@tf.function
def step(x, rate):
    traces.append(1)
    return x * rate

for i in range(6):
    last = step(tf.ones([2]), 0.5 * i)  # error
```

## Good

```python
import tensorflow as tf

traces = []

@tf.function
def step(x, rate):
    traces.append(1)
    return x * rate

for i in range(6):
    last = step(tf.ones([2]), tf.constant(0.5 * i))
```

## Evidence

```python
assert len(bad.traces) == 6
assert len(good.traces) == 1
assert len(fixed.traces) == 1
assert fixed.last.numpy().tolist() == bad.last.numpy().tolist()
```

## Limits

One or two values (`training=True` and `training=False`) aren't reported, nor three or four that many calls share.
Flags, None and arguments with two values are reported from the fifth trace on, texts from the fourth. If the loop is
too long to follow to its end, the message says "at least". 1, 1.0 and True count as one value, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import tensor_arguments
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import Held, Retraced
from graphwright_analysis.tracing.facts.retracing import Difference, TraceCount
from graphwright_analysis.values.domain import Tuple


@rule(family="retracing", severity=Severity.WARNING, judges=Retraced, fixable=True)
def judge(call: Retraced, view: View) -> Iterator[Finding]:
    cause = call.varying[0]
    if cause.how is not Difference.VALUE:
        return
    name, many = f"`{cause.parameter}`", any(isinstance(value, (Tuple, Held)) for value in cause.seen)
    what = "contains Python values that change" if many else "is a Python value that changes"
    edits = tensor_arguments.in_constant(cause, view.tensorflow)
    yield Finding(
        call.place,
        f"{name} {what} between calls, so `{call.name}` is retraced for each {_how_often(call)}. "
        "Pass a tensor, for example with tf.constant.",
        tuple((other, "this call adds another trace") for other in call.others),
        () if edits is None else (Repair(f"Pass {name} as a tensor", edits),),
        call.confidence,
    )


def _how_often(call: Retraced) -> str:
    return "new value" if call.count is TraceCount.UNKNOWN else f"value: {call.frequency}"
