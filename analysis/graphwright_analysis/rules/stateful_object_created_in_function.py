"""A Keras layer, optimizer or metric is created on each trace of a function, or creates its variables in a later one.

## What it does

Finds Keras layers with weights or random state, optimizers, metrics and ready-made models created in graph code
without a test whether they already exist. Also finds layers, models and optimizers whose first use, which creates
their variables, is in a later trace of a function.

## Why it is bad

These objects own variables, and a traced function may create variables only on its first call, and must hold on to
them.

    ValueError: tf.function only supports singleton tf.Variables created on the first call.

A layer with its own weights in each trace couldn't learn anything, either.

## Bad

```python
import tensorflow as tf

@tf.function
def project(x):
    dense = tf.keras.layers.Dense(2)  # error
    return dense(x)
```

```python
import tensorflow as tf

weight = tf.Variable([1.0, 2.0])

@tf.function
def train(optimizer):
    optimizer.apply_gradients([(tf.ones([2]), weight)])  # error

train(tf.keras.optimizers.Adam())
train(tf.keras.optimizers.Adam())
```

## Good

```python
import tensorflow as tf

dense = tf.keras.layers.Dense(2)

@tf.function
def project(x):
    return dense(x)
```

```python
import tensorflow as tf

weight = tf.Variable([1.0, 2.0])

@tf.function
def train(optimizer):
    optimizer.apply_gradients([(tf.ones([2]), weight)])

for optimizer in (tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()):
    optimizer.build([weight])
    train(optimizer)
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="singleton tf.Variables"):
    bad.project(tf.ones([1, 3]))
assert good.project(tf.ones([1, 3])).shape == [1, 2]
assert fixed.project(tf.ones([1, 3])).shape == [1, 2]
```

## Limits

Layers without variables (`Flatten`, `Rescaling`, `Activation`...) work and are ignored, and so are objects created
only if they don't exist yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import StateMade


@rule(family="state", severity=Severity.ERROR, judges=StateMade, fixable=True)
def judge(made: StateMade, view: View) -> Iterator[Finding]:
    if made.name == "tf.Variable" or made.name.startswith(("tf.random.", "tf.keras.random.")):
        return
    kind = made.name.rpartition(".")[2]
    if made.again and made.hoist is None and not made.in_loop:
        yield Finding(
            made.place,
            f"`{kind}` creates its variables on first use, which is here, but a tf.function may create variables only "
            "on its first call: it raises ValueError. Build or use the object earlier, or create a tf.function for "
            "each.",
        )
        return
    edits = replacing.moved_out(made.statement, made.hoist)
    owner = f"`{kind}` owns variables" if not made.maker else f"`{made.maker}` makes objects that own variables"
    yield Finding(
        made.place,
        f"{owner}, and each trace would create new ones: tf.function raises ValueError. Create it once, outside the "
        "function.",
        (),
        () if edits is None else (Repair(f"Create the {kind} once, before the function", edits),),
    )
