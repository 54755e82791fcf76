"""A graph loop contains a `return` that not every iteration reaches.

## What it does

Checks every graph loop with a `return` in its body: one under a tensor condition, one under a false Python condition,
and any in a loop over a dataset or iterator. Also reports a `return` of a string, or of anything else but tensors and
numbers.

## Why it is bad

The return value of a loop must exist from the first iteration on; TensorFlow can create a placeholder only if every
iteration returns. It can't build other loops:

    NotImplementedError: a return statement cannot be placed inside this TensorFlow loop; this may happen if a return
    statement depends on a static Python condition such as a hyperparameter

## Bad

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None])])
def f(xs):
    for x in xs:
        if x > 2.0:
            return x  # error
    return tf.constant(0.0)
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs: tf.Tensor):
    found = tf.constant(0.0)
    for x in xs:
        if x > 2.0:
            found = x
            break
    return found
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(NotImplementedError, match="a return statement cannot be placed inside this TensorFlow loop"):
    bad.f(tf.constant([1.0, 3.0]))
for f in (good.f, fixed.f):
    assert f(tf.constant([1.0, 3.0])).numpy() == 3.0
    assert f(tf.constant([1.0])).numpy() == 0.0
```

## Limits

A `return` under an unknown Python condition isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import returns
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import ReturnInLoop


@rule(family="undefined", severity=Severity.ERROR, judges=ReturnInLoop, fixable=True, true_for=AUTOGRAPH)
def judge(returned: ReturnInLoop, view: View) -> Iterator[Finding]:
    related = [(returned.loop, "this loop becomes part of the graph")]
    if returned.condition is not None:
        related.append((returned.condition, "the `return` depends on this"))
    told = "and doesn't return a tensor or number; " if returned.unfit else "which "
    message = (
        f"This `return` is in a graph loop, {told}TensorFlow can't build{'' if not returned.unfit else ' it'}. Set "
        "a variable before the loop, assign the value to it, `break`, and return it after the loop."
    )
    yield Finding(
        returned.place, message, tuple(related), returns.carried_out(returned, view.tensorflow), returned.confidence
    )
