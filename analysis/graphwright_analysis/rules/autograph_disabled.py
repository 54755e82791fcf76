"""A tensor is tested or looped over where AutoGraph is off.

## What it does

Follows `tf.function(autograph=False)`, `do_not_convert`, and the functions that Keras 3 calls: `call`, `train_step`,
losses and learning rate schedules.

## Why it is bad

Without AutoGraph an `if` stays in Python, which evaluates a symbolic tensor as a bool:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

TensorFlow's message goes on to suggest the decorator that is already there. Under Keras, decorate the method itself
with `@tf.function`, and build the model before `fit`.

`int()` and `float()` fail in the same way; AutoGraph would convert them to casts.

## Bad

```python
import tensorflow as tf
@tf.function(autograph=False)
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        return x
    return -x
```

## Good

```python
import tensorflow as tf
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        return x
    return -x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(-2.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 2.0
assert fixed.f(x).numpy() == 2.0
```

## Limits

A Keras layer is reported only if the file calls it in a graph: it works eagerly.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import refusals, switches
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause


@rule(family="conversion", severity=Severity.ERROR, judges=(PythonTruth, PythonIteration), fixable=True)
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if use.why is None or not refusals.is_for(use, Cause.AUTOGRAPH_OFF, Cause.DO_NOT_CONVERT, Cause.KERAS):
        return
    reason, enable = (text.format(use.why.name) for text in _REASONS[use.why.cause])
    cure = f"{enable}, or use tf.cond, tf.where or tf.while_loop."
    if use.why.cause is Cause.KERAS and use.why.name == "lambda":
        cure = "Use tf.cond, tf.where or tf.while_loop."
    repairs = switches.repairs(use.why, view.tensorflow)
    yield from refusals.told(use, reason, cure, "AutoGraph is switched off here", repairs)


_REASONS = {
    Cause.AUTOGRAPH_OFF: ("`{}` has `autograph=False`", "Remove `autograph=False`"),
    Cause.DO_NOT_CONVERT: ("`{}` is marked `do_not_convert`", "Remove `do_not_convert`"),
    Cause.KERAS: ("Keras traces `{}` with AutoGraph off", "Decorate `{}` with `@tf.function`"),
}
