"""A traced function changes a Python counter or log, which happens once per trace instead of once per call.

## What it does

Finds numbers in attributes, globals, nonlocals and outer dicts that a traced function updates from their previous
value, and plain values that it appends to outer lists.

## Why it is bad

The Python in a traced function runs only during tracing. The counter is 1 after any number of calls, and everything
the function computes from it is frozen in the graph. TensorFlow doesn't report it.

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

Not reported: flags that are only ever set to one value, changes in `__init__` or a layer's `build`, and changes under
an unknown Python condition. A counter or list named after traces (`trace_count`) counts traces on purpose and is
ignored unless the function computes with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import variables
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import StateChanged


@rule(family="effects", severity=Severity.WARNING, judges=StateChanged, fixable=True)
def judge(change: StateChanged, view: View) -> Iterator[Finding]:
    related = () if change.created is None else ((change.created, "the initial value is set here"),)
    if change.how.endswith("="):
        message = (
            f"`{change.target}` is a Python number, so it changes once per trace, not once per call: this Python "
            "code runs only during tracing. Make it a tf.Variable and use `assign_add`, or count outside the "
            "function."
        )
    else:
        message = (
            "This list grows once per trace, not once per call: this Python code runs only during tracing. Append "
            "to it outside the function."
        )
    edits = variables.counter_to_variable(change, view.tensorflow)
    repairs = () if edits is None else (Repair(f"Make `{change.target}` a tf.Variable", edits),)
    yield Finding(change.place, message, related, repairs, change.confidence)
