"""An `if` in the graph returns on one side, and the other side ends without a `return`.

## What it does

Looks at every `if` that becomes part of the graph and has a `return` in it. Where one side surely returns, what
follows the `if` in the same list of statements counts as the other side; what follows the statement around doesn't.

## Why it is bad

Both sides of a branch in the graph must give the function's value. AutoGraph makes an `else` of what follows the
`if`, but only of the very next statements: an early return under another `if`, a `with` or in one arm of an `elif`
chain fails, though later code returns.

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

A side that may or may not return, under a Python condition of which nothing is known, isn't reported. A `return` in a
loop is the matter of `return-in-tensor-loop` and `mixed-loop-control`.
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
        told = "A `return` is in this `if` under a condition that doesn't hold, and neither branch returns"
    else:
        told = f"This `if` returns only if the branch {_TAKEN[missing.side]} taken"
    message = (
        f"{told}; TensorFlow can't build it. "
        "Return in both branches, or set a name in both branches and return it at the end."
    )
    repairs = returns.added(missing)
    yield Finding(missing.place, message, ((missing.returned, "the `return`"),), repairs, missing.confidence)


_TAKEN = {"orelse": "is", "body": "isn't"}
