"""Every `tf.function` in the program is disabled.

## What it does

Finds `tf.config.run_functions_eagerly(True)`.

## Why it is bad

It's a switch for debugging. If you leave it on, no function becomes a graph: programs run slower, many times slower if
functions are small, and nothing reports it.

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

A file that also switches it back off is ignored, and so is a call whose argument isn't a literal.
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
        "This disables every tf.function in the program: all code runs eagerly. Remove it when you're done debugging.",
        (),
        () if edits is None else (Repair("Remove this line", edits),),
        switch.confidence,
    )
