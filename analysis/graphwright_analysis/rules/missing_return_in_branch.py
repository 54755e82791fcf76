"""An `if` in the graph returns in one branch, and the other ends without a `return`.

## What it does

Checks every `if` in the graph that contains a `return`. If one branch surely returns, the statements that follow the
`if` in the same block count as the other branch; statements after the enclosing block don't.

## Why it is bad

Both branches of a graph `if` must return the function's value. AutoGraph turns the statements after the `if` into its
`else`, but only those in the same block: an early return under another `if`, in a `with` or in one arm of an `elif`
chain fails even if later code returns.

    ValueError: the else branch must also have a return statement.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:  # error
        return x
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

x = tf.constant([1.0, 2.0])
with pytest.raises(ValueError, match="the else branch must also have a return statement"):
    bad.f(x)
with pytest.raises(TypeError, match="found return value of type ellipsis"):
    fixed.f(x)
assert good.f(x).numpy().tolist() == [1.0, 2.0]
assert good.f(-x).numpy().tolist() == [1.0, 2.0]
```

## Limits

A branch that may or may not return, under an unknown Python condition, isn't reported. `return-in-tensor-loop` and
`mixed-loop-control` cover a `return` in a loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import returns
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import ReturnMissing


@rule(family="undefined", severity=Severity.ERROR, judges=ReturnMissing, fixable=True, true_for=AUTOGRAPH)
def judge(missing: ReturnMissing, view: View) -> Iterator[Finding]:
    if missing.side == "both":
        told = "The only `return` in this `if` is never reached, so neither branch returns"
    else:
        told = f"This `if` returns only if the branch {_TAKEN[missing.side]} taken"
    message = (
        f"{told}; TensorFlow can't build it. Return in both branches, or assign a variable in both and return it at "
        "the end."
    )
    repairs = returns.added(missing)
    yield Finding(missing.place, message, ((missing.returned, "the `return`"),), repairs, missing.confidence)


_TAKEN = {"orelse": "is", "body": "isn't"}
