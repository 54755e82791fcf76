"""A loss or metric returns something that isn't a tensor, or a loss has no gradient.

## What it does

Follows the losses and metrics of compiled models that are fitted or evaluated. Reports one that returns None, a
function, a layer or another object, and a loss that is an integer or bool tensor. Also reports where the gradient of a
loss ends, here and in `tape.gradient`: at functions such as `tf.round` and `tf.argmax`, comparisons, casts to integers,
NumPy functions and `.numpy()`.

## Why it is bad

Keras converts their results to tensors, and trains with the gradient of the loss, which exists only for floating
point.

    ValueError: None values not supported.
    ValueError: No gradients provided for any variable.

## Bad

```python
import tensorflow as tf

def distance(true, predicted):
    order = tf.argsort(predicted)
    return tf.reduce_sum(tf.abs(tf.argsort(true) - order))  # error

def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    model.compile("sgd", distance)
    model.fit(tf.ones([4, 2]), tf.ones([4, 3]), verbose=0)
```

## Good

```python
import tensorflow as tf

def distance(true, predicted):
    return tf.reduce_sum(tf.abs(true - predicted))

def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    model.compile("sgd", distance)
    model.fit(tf.ones([4, 2]), tf.ones([4, 3]), verbose=0)
```

## Evidence

```python
import pytest

with pytest.raises(ValueError, match="No gradients provided"):
    bad.main()
good.main()
```

## Limits

A gradient is assumed to pass through everything that isn't known to end it. The results of one of several losses
aren't judged. A Python number is ignored: the model may have its own losses.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import GradientEnded, LossGiven
from graphwright_analysis.values import structures
from graphwright_analysis.values.domain import NONE, Tensor, Value


@rule(family="state", severity=Severity.ERROR, judges=(LossGiven, GradientEnded))
def judge(given: LossGiven | GradientEnded, view: View) -> Iterator[Finding]:
    if isinstance(given, GradientEnded):
        yield _of_ended_gradient(given)
        return
    what = "None" if given.value == NONE else structures.unsupported(given.value)
    if what is not None:
        message = f"`{given.name}` returns {what}, and Keras raises an error. Return a tensor."
    elif given.trains and (kind := _without_gradient(given.value)) is not None:
        message = (
            f"`{given.name}` returns {kind}, which has no gradient, so Keras can't train with this loss. "
            "Compute the loss in floating point from the predictions."
        )
    else:
        return
    yield Finding(given.place, message, ((given.used, "the model is trained here"),), (), given.confidence)


def _of_ended_gradient(ended: GradientEnded) -> Finding:
    who = "every gradient here is None" if ended.taped else "Keras can't train the model"
    dtype = ended.result.dtype if isinstance(ended.result, Tensor) else None
    ends = "has no gradient" if dtype is None else f"is {dtype}, which has no gradient"
    message = f"`{ended.operation}` {ends}, and the loss depends on variables only through it, so {who}. "
    message += "Compute the loss with functions that have a gradient."
    used = "the gradient is computed here" if ended.taped else "the model is trained here"
    severity = Severity.WARNING if ended.taped else None
    return Finding(ended.place, message, ((ended.used, used),), (), ended.confidence, severity=severity)


def _without_gradient(value: Value) -> str | None:
    dtype = value.dtype if isinstance(value, Tensor) else None
    return f"a tensor of dtype {dtype}" if dtype is not None and dtype.startswith(("int", "uint", "bool")) else None
