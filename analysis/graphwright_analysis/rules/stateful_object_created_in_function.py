"""A Keras layer, optimizer or metric is made in each trace of a function, or makes its variables in a later one.

## What it does

Finds Keras layers with weights or random state, optimizers, metrics and ready-made models that are made in code that
becomes part of a graph, where nothing tests first whether they are there already; and layers, models and optimizers
whose first use, which makes their variables, is in a later trace of a function than its first.

## Why it is bad

These objects own variables, and a traced function may make variables on its first call only, and keep them.

    ValueError: tf.function only supports singleton tf.Variables created on the first call.

A layer with weights of its own for each trace could learn nothing either.

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

Layers without variables (`Flatten`, `Rescaling`, `Activation`...) work and are left alone, and so is what is
only made where a test says that it isn't there yet.
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
            f"`{kind}` makes its variables when it is first used, which is here, and the function was traced before: "
            "only its first call may make some, so tf.function raises ValueError. Use or build it before, or make a "
            "tf.function for each.",
        )
        return
    edits = replacing.moved_out(made.statement, made.hoist)
    owner = f"`{kind}` owns variables" if not made.maker else f"`{made.maker}` makes objects that own variables"
    yield Finding(
        made.place,
        f"{owner}, and each trace would make new ones: tf.function raises ValueError. Make it once, outside of the "
        "function.",
        (),
        () if edits is None else (Repair(f"Make the {kind} once, in front of the function", edits),),
    )
