"""A summary is written with an outer Python number as its step.

## What it does

Finds `tf.summary.*` calls in graph code whose `step` is a Python number read from outside the function.

## Why it is bad

The number is read once, while tracing, and becomes a constant of the graph. All points are written at the step of the
first trace, on top of each other. Nothing reports it.

## Bad

```python
import tensorflow as tf

step = 0

@tf.function
def train(x):
    tf.summary.write("loss", x, step=step)  # error
    return x
```

## Good

```python
import tensorflow as tf

step = tf.Variable(0, dtype=tf.int64)

@tf.function
def train(x):
    tf.summary.write("loss", x, step=step)
    return x
```

## Evidence

```python
import tensorflow as tf

bad.step = 1
bad.train(tf.constant(1.0))
traces = bad.train.experimental_get_tracing_count()
bad.step = 2
bad.train(tf.constant(1.0))
assert bad.train.experimental_get_tracing_count() == traces == 1
good.train(tf.constant(1.0))
```

## Limits

A step that is a parameter of the function is ignored: the function is then retraced for each number.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import Argument, OutsideCall
from graphwright_analysis.values.domain import python_kind

_AT = {"scalar": 2, "histogram": 2, "image": 2, "text": 2, "write": 2, "audio": 3}


@rule(family="effects", severity=Severity.WARNING, judges=OutsideCall)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    if not call.in_graph or not call.name.startswith("tf.summary."):
        return
    step = _step(call)
    if step is None or not step.outside or python_kind(step.value) is not int:
        return
    yield Finding(
        step.place,
        "The step is a Python number, which is read only while the function is traced, so every point is written at "
        "the same step. Use a tf.Variable, such as the optimizer's `iterations`, or pass a tensor.",
    )


def _step(call: OutsideCall) -> Argument | None:
    named = next((argument for argument in call.arguments if argument.name == "step"), None)
    positional = [argument for argument in call.arguments if argument.name is None]
    at = _AT.get(call.name.rpartition(".")[2])
    return named if named is not None or at is None or len(positional) <= at else positional[at]
