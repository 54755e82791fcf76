"""A `tf.Variable` is made in each trace of a function.

## What it does

Finds `tf.Variable` in code that becomes part of a graph, where nothing asks first whether the variable is there
already, and variables that a second trace of the same function makes.

## Why it is bad

A traced function may make variables on its first call only, and keep them. TensorFlow traces twice on that call to
see whether it does:

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

A variable that is made under a test such as `if self.factor is None`, in a Keras layer's `build`, or in a function
that nobody is seen to trace is left alone.
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
            "The function was traced before without making this variable, and only the first call may make some: "
            "tf.function raises ValueError. Make all variables on the first call, or outside of the function."
        )
    else:
        where = f"in `{made.maker}`" if made.maker else "here"
        message = (
            f"Each trace would make a new variable {where}, and tf.function raises ValueError. Make it once, outside "
            "the function, or under a test whether it is there already."
        )
    edits = replacing.moved_out(made.statement, made.hoist)
    repairs = () if edits is None else (Repair("Make the variable once, in front of the function", edits),)
    yield Finding(made.place, message, (), repairs)
