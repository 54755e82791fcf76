"""A Python counter or log is changed in a traced function, so it changes once for each trace.

## What it does

Finds numbers in attributes, globals, nonlocals and outer dicts that a traced function makes from what they were
before, and plain values that it puts into outer lists.

## Why it is bad

The Python of a traced function runs while tracing, and never again. The counter is 1 after any number of calls, and
what the function computes from it is frozen in the graph. Nothing is said of it at run time.

## Bad

```python
import tensorflow as tf

class Model(tf.Module):
    def __init__(self):
        self.steps = 0

    @tf.function
    def step(self, x):
        self.steps += 1  # error
        return x * 2.0

model = Model()
for _ in range(5):
    model.step(tf.constant(1.0))
steps = int(model.steps)
```

## Good

```python
import tensorflow as tf

class Model(tf.Module):
    def __init__(self):
        self.steps = tf.Variable(0)

    @tf.function
    def step(self, x):
        self.steps.assign_add(1)
        return x * 2.0

model = Model()
for _ in range(5):
    model.step(tf.constant(1.0))
steps = int(model.steps)
```

## Evidence

```python
assert bad.steps == 1
assert good.steps == 5
assert fixed.steps == 5
```

## Limits

Flags that are only ever set to one value aren't reported, nor is what `__init__` or a layer's `build` changes, or what
changes under a Python condition that isn't known. A counter named after traces (`trace_count`) to which a constant is
added, and a list named so, count traces on purpose and are left alone, unless the function computes with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import variables
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import StateChanged


@rule(family="effects", severity=Severity.WARNING, judges=StateChanged, fixable=True)
def judge(change: StateChanged, view: View) -> Iterator[Finding]:
    related = () if change.created is None else ((change.created, "what it is before is set here"),)
    if change.how.endswith("="):
        message = (
            f"`{change.target}` is a Python number, and this function runs as Python only while it is traced: it "
            "changes once for each trace, not with each call. Make it a tf.Variable and use assign_add, or count "
            "outside of the function."
        )
    else:
        message = (
            "This function runs as Python only while it is traced, so the list grows once for each trace, not with "
            "each call. Change it outside of the function."
        )
    edits = variables.counter_to_variable(change, view.tensorflow)
    repairs = () if edits is None else (Repair(f"Make `{change.target}` a tf.Variable", edits),)
    yield Finding(change.place, message, related, repairs, change.confidence)
