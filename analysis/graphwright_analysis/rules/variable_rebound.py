"""A `tf.Variable` is replaced with `=` or `+=` where `assign` is meant.

## What it does

Finds `v += x` and its like on a Variable, and attributes, globals and nonlocals that hold a Variable and get a tensor
instead while a function is traced.

## Why it is bad

`=` binds the name to a tensor; the Variable keeps its old value. In a traced function that happens once, while
tracing: the state never moves on, and what is left in the attribute is a tensor without a value. `+=` fails at once:

    RuntimeError: `variable += value` with `tf.Variable`s is not supported. Use `variable.assign_add(value)`

## Bad

```python
import tensorflow as tf

class Counter(tf.Module):
    def __init__(self):
        self.count = tf.Variable(1.0)

    @tf.function
    def step(self):
        self.count = self.count + 1.0  # error
        return self.count * 1.0

counter = Counter()
outputs = [counter.step() for _ in range(3)]
```

## Good

```python
import tensorflow as tf

class Counter(tf.Module):
    def __init__(self):
        self.count = tf.Variable(1.0)

    @tf.function
    def step(self):
        self.count.assign_add(1.0)
        return self.count * 1.0

counter = Counter()
outputs = [counter.step() for _ in range(3)]
```

## Evidence

```python
assert [float(y) for y in bad.outputs] == [2.0, 2.0, 2.0]
assert [float(y) for y in good.outputs] == [2.0, 3.0, 4.0]
assert [float(y) for y in fixed.outputs] == [2.0, 3.0, 4.0]
```

## Limits

A local name that is bound to a tensor made from a Variable is taken for a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import variables
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import VariableReplaced


@rule(family="state", severity=Severity.ERROR, judges=VariableReplaced, fixable=True)
def judge(replaced: VariableReplaced, view: View) -> Iterator[Finding]:
    name = f"`{replaced.target}`"
    if replaced.how == "=":
        message = (
            f"{name} is a tf.Variable, and `=` puts a tensor in its place instead of changing its value; in a traced "
            "function that happens once, while tracing. Use assign."
        )
    else:
        message = f"{name} is a tf.Variable, and TensorFlow refuses `{replaced.how}` on it. Use assign_add or assign."
    related = () if replaced.created is None else ((replaced.created, "the Variable is made here"),)
    edit = variables.assign(replaced)
    repairs = () if edit is None else (Repair(f"Write {edit[1]}", (edit,)),)
    yield Finding(replaced.place, message, related, repairs, replaced.confidence)
