"""A tensor of a traced function is kept in an attribute, a global or an outer collection.

## What it does

Follows what a traced function stores in places that live on: attributes of objects made outside, globals, nonlocals,
outer lists and dicts. Reports a stored tensor that is used once the trace is over, or that the function itself starts
from on the next call.

## Why it is bad

While tracing, a tensor is a symbol of the graph and holds no value. Outside of its graph it is of no use:

    TypeError: <tf.Tensor 'mul:0' shape=(2,) dtype=float32> is out of scope and cannot be used here.

And the storing happens once for each trace, not once for each call: a state kept so never moves on.

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

A stored tensor that nothing in the file is seen to use again is not reported.
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
    related = [] if leak.read is None else [(leak.read, "the tensor is used here, outside of its graph")]
    if leak.created is not None:
        related.append((leak.created, "what it is kept in is set here"))
    name = f"`{leak.target}`"
    if leak.how == "add_loss":
        message = (
            "The loss that is added here belongs to the graph of a branch, loop or function, and `losses` is read "
            "outside of it: TensorFlow raises an error. Call the layer outside, or return the loss."
        )
    elif leak.carried:
        message = (
            f"{name} is a Python value to the graph: it is set once, while tracing, so later calls start from the same "
            "value again, and what it holds then is a tensor without a value. Keep it in a tf.Variable and use assign."
        )
    else:
        message = (
            f"{name} keeps a tensor that has no value outside of the graph that is being traced; using it later "
            "fails. Return the tensor from the function, or keep it in a tf.Variable."
        )
    edits = variables.leak_to_variable(leak, view.tensorflow)
    repairs = () if edits is None else (Repair(f"Make {name} a tf.Variable", edits),)
    yield Finding(leak.place, message, tuple(related), repairs, leak.confidence)
