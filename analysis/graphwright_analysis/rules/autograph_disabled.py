"""A tensor is tested or looped over where AutoGraph is switched off.

## What it does

Follows `tf.function(autograph=False)`, `do_not_convert`, and what Keras 3 calls: `call`, `train_step`, losses and
learning rate schedules.

## Why it is bad

Without AutoGraph an `if` stays Python, and Python wants a plain bool of a tensor that holds no number yet:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

The message goes on to suggest the decorator that is already there.
So does Python want a number for `int()` and `float()`, of which AutoGraph makes a cast.

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

A Keras layer that nobody in the file calls in a graph isn't reported: called eagerly it works.
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
    reason = _REASONS[use.why.cause].format(use.why.name)
    cure = f"Let {use.converter.called} convert it, or write tf.cond, tf.where or tf.while_loop."
    repairs = switches.repairs(use.why, view.tensorflow)
    yield from refusals.told(use, reason, cure, "AutoGraph is switched off here", repairs)


_REASONS = {
    Cause.AUTOGRAPH_OFF: "AutoGraph is switched off for `{}`",
    Cause.DO_NOT_CONVERT: "`{}` is marked not to be converted",
    Cause.KERAS: "Keras runs `{}` with AutoGraph switched off",
}
