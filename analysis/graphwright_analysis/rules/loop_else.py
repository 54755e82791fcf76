"""A loop with an `else` keeps the whole function from being converted.

## What it does

Finds functions with a `for`/`else` or `while`/`else` that also test or loop over a tensor.

## Why it is bad

AutoGraph doesn't support `else` after a loop. The whole function then runs unconverted, with at most a log line, and
the first test of a tensor in it fails:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
@tf.function
def f(x):
    for _ in range(3):
        x += 1
    else:
        x *= 2
    if tf.reduce_sum(x) > 0:  # error
        x = -x
    return x
```

## Good

```python
import tensorflow as tf
@tf.function
def f(x):
    for _ in range(3):
        x += 1
    x *= 2
    if tf.reduce_sum(x) > 0:
        x = -x
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(-2.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == -2.0
assert fixed.f(x).numpy() == -2.0
```

## Limits

Only the first failure is reported, because tracing ends there. A function without tensor control flow isn't reported:
it works unconverted.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import loop_else, refusals
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
    if use.why is None or not refusals.is_for(use, Cause.LOOP_ELSE):
        return
    name = f"`{use.why.name}`"
    reason = f"{name} contains a loop with an `else`, so AutoGraph leaves the whole function unconverted"
    cure = "Move the `else` block after the loop."
    repairs = loop_else.repairs(use.why.place)
    yield from refusals.told(use, reason, cure, "the loop with an `else`", repairs)
