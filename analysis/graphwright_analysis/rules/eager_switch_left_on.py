"""Every `tf.function` is switched off for the whole program.

## What it does

Finds `tf.config.run_functions_eagerly(True)`.

## Why it is bad

It is a switch for debugging. Left on, no function becomes a graph any more: programs run slower, many times so where
functions are small, and nothing tells of it.

## Bad

```python
import tensorflow as tf

tf.config.run_functions_eagerly(True)  # error

@tf.function
def f(x):
    return tf.executing_eagerly()
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    return tf.executing_eagerly()
```

## Evidence

```python
assert bad.f(bad.tf.constant(1))
bad.tf.config.run_functions_eagerly(False)
assert not good.f(good.tf.constant(1))
assert not fixed.f(fixed.tf.constant(1))
```

## Limits

A file that also takes it back is left alone, and so is a switch whose value isn't written out.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import TracingSwitchedOff


@rule(family="retracing", severity=Severity.WARNING, judges=TracingSwitchedOff, fixable=True)
def judge(switch: TracingSwitchedOff, view: View) -> Iterator[Finding]:
    edits = replacing.without_statement(switch.statement) if switch.dropped else None
    yield Finding(
        switch.place,
        "This switches off every tf.function of the program: nothing becomes a graph any more. "
        "Take it out once the bug is found.",
        (),
        () if edits is None else (Repair("Take the switch out", edits),),
        switch.confidence,
    )
