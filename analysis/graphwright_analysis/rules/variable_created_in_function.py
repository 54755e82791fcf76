"""A `tf.Variable` is created on each trace of a function.

## What it does

Finds `tf.Variable` in graph code that doesn't first test whether the variable exists, and variables that a second
trace of the same function creates.

## Why it is bad

A traced function may create variables only on its first call, and must hold on to them. TensorFlow traces twice on
that call to check:

    ValueError: tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable
    is only created once or created outside tf.function.

## Bad

```python
import tensorflow as tf

@tf.function
def scale(x):
    factor = tf.Variable(2.0)  # error
    return x * factor
```

## Good

```python
import tensorflow as tf

factor = tf.Variable(2.0)

@tf.function
def scale(x):
    return x * factor
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="singleton tf.Variables"):
    bad.scale(tf.constant(3.0))
assert good.scale(tf.constant(3.0)).numpy() == 6.0
assert fixed.scale(tf.constant(3.0)).numpy() == 6.0
```

## Limits

A variable created under a test such as `if self.factor is None`, in a Keras layer's `build`, or in a function that is
never seen to be traced is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import StateMade


@rule(family="state", severity=Severity.ERROR, judges=StateMade, fixable=True)
def judge(made: StateMade, view: View) -> Iterator[Finding]:
    if made.name != "tf.Variable":
        return
    if made.again:
        message = (
            "This variable isn't created on the first call of the tf.function, and later calls may not create any: "
            "tf.function raises ValueError. Create all variables on the first call, or outside the function."
        )
    else:
        where = f"in `{made.maker}`" if made.maker else "here"
        message = (
            f"Each trace would create a new variable {where}, so tf.function raises ValueError. Create it once, "
            "outside the function, or only if it doesn't exist yet."
        )
    edits = replacing.moved_out(made.statement, made.hoist)
    repairs = () if edits is None else (Repair("Create the variable once, before the function", edits),)
    yield Finding(made.place, message, (), repairs)
