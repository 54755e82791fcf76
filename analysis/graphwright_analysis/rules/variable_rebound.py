"""A `tf.Variable` is replaced by `=` or `+=` where `assign` is meant.

## What it does

Finds `v += x` and the like on a variable, and attributes, globals and nonlocals whose variable is replaced by a tensor
in a traced function.

## Why it is bad

`=` binds the name to a tensor, and the variable keeps its old value. In a traced function that happens only while
tracing: the state never changes, and the attribute is left with a symbolic tensor. `+=` fails immediately:

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

A local name bound to a tensor computed from a variable is assumed to be a separate name.
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
            f"{name} is a tf.Variable, and `=` rebinds the name to a tensor instead of updating the variable; in a "
            "traced function that happens only while tracing. Use `assign`."
        )
    else:
        message = f"{name} is a tf.Variable, which doesn't support `{replaced.how}`. Use `assign_add` or `assign`."
    related = () if replaced.created is None else ((replaced.created, "the variable is created here"),)
    edit = variables.assign(replaced)
    repairs = () if edit is None else (Repair(f"Use {edit[1]}", (edit,)),)
    yield Finding(replaced.place, message, related, repairs, replaced.confidence)
