"""A model's variables are read before its first call creates them.

## What it does

Finds `vs = model.trainable_variables` (or `weights`, `variables`...) in a traced function, on a model that hasn't been
called or built yet, if an optimizer later receives `vs`.

## Why it is bad

Keras creates the variables on the first call. The list read before then is empty, stays empty when the model is built,
and the optimizer receives nothing:

    ValueError: not enough values to unpack (expected 2, got 0)

## Bad

```python
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)

@tf.function
def step(x):
    weights = model.trainable_variables  # error
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss
```

## Good

```python
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    weights = model.trainable_variables
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="not enough values to unpack"):
    bad.step(tf.ones([2, 3]))
assert good.step(tf.ones([2, 3])).shape == ()
assert len(good.model.trainable_variables) == 2
assert fixed.step(tf.ones([2, 3])).shape == ()
```

## Limits

Only Sequential models without an Input, and subclasses that contain only layers, are checked. A model passed to code
that isn't followed may have been built there, and isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import moving
from graphwright_analysis.fixes.sources import quoted, sentence
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import SnapshotUsed


@rule(family="state", severity=Severity.ERROR, judges=SnapshotUsed, fixable=True)
def judge(used: SnapshotUsed, view: View) -> Iterator[Finding]:
    edits = moving.before_first_use(used.place, used.symbol)
    yield Finding(
        used.place,
        f"{sentence(quoted(used.place))} is empty here: the model creates its variables on its first call, further "
        f"down, so `{used.symbol}` stays empty. Read it after that call, or build the model first.",
        ((used.applied, "the optimizer receives nothing here"),),
        () if edits is None else (Repair(f"Read `{used.symbol}` after the model is called", edits),),
        used.confidence,
    )
