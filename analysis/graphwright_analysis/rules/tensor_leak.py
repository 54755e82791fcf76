"""A tensor of a traced function is stored in an attribute, a global or an outer collection.

## What it does

Follows tensors that a traced function stores in outer places: attributes, globals, nonlocals, lists and dicts. Reports
a stored tensor that is used after the trace, or that the function itself reads on the next call.

## Why it is bad

During tracing, a tensor is symbolic and has no value. It can't be used outside its graph:

    TypeError: <tf.Tensor 'mul:0' shape=(2,) dtype=float32> is out of scope and cannot be used here.

The assignment also runs once per trace, not once per call: such a state never changes.

## Bad

```python
import tensorflow as tf

class Cell(tf.Module):
    def __init__(self):
        self.state = tf.zeros([2])

    @tf.function
    def step(self, x):
        self.state = self.state * 0.5 + x  # error
        return self.state

cell = Cell()
outputs = [cell.step(tf.ones([2])) for _ in range(3)]
```

## Good

```python
import tensorflow as tf

class Cell(tf.Module):
    def __init__(self):
        self.state = tf.Variable(tf.zeros([2]))

    @tf.function
    def step(self, x):
        self.state.assign(self.state * 0.5 + x)
        return self.state.read_value()

cell = Cell()
outputs = [cell.step(tf.ones([2])) for _ in range(3)]
```

## Evidence

```python
import pytest
import tensorflow as tf

assert [float(y[0]) for y in bad.outputs] == [1.0, 1.0, 1.0]
with pytest.raises((TypeError, ValueError, AttributeError)):
    tf.print(bad.cell.state + 1.0)
assert [float(y[0]) for y in good.outputs] == [1.0, 1.5, 1.75]
assert [float(y[0]) for y in fixed.outputs] == [1.0, 1.5, 1.75]
```

## Limits

A stored tensor that the file never uses again isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import variables
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import TensorLeaked


@rule(family="collections", severity=Severity.ERROR, judges=TensorLeaked, fixable=True)
def judge(leak: TensorLeaked, view: View) -> Iterator[Finding]:
    if leak.read is None and not leak.carried:
        return
    related = [] if leak.read is None else [(leak.read, "the tensor is used here, outside its graph")]
    if leak.created is not None:
        related.append((leak.created, "the object that stores it is created here"))
    name = f"`{leak.target}`"
    if leak.how == "add_loss":
        message = (
            "This loss belongs to the graph of a branch, loop or function, and `losses` is read outside it: "
            "TensorFlow raises an error. Call the layer outside, or return the loss."
        )
    elif leak.carried:
        message = (
            f"{name} is set only while tracing: every call starts from the same value, and afterwards it holds a "
            "symbolic tensor without a value. Store it in a tf.Variable and use `assign`."
        )
    else:
        message = (
            f"{name} stores a symbolic tensor, which has no value outside the graph being traced; using it later "
            "fails. Return the tensor from the function, or store its value in a tf.Variable."
        )
    edits = variables.leak_to_variable(leak, view.tensorflow)
    repairs = () if edits is None else (Repair(f"Make {name} a tf.Variable", edits),)
    yield Finding(leak.place, message, tuple(related), repairs, leak.confidence)
