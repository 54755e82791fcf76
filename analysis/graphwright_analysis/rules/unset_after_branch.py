"""A name is bound in only one branch of an `if` that Graphwright converts, and is always read after it.

## What it does

Checks every `if` in the graph in code that Graphwright converts (`gw.function`, `gw.convert`), and the names and
attributes that only one branch sets or deletes. Reports them if they are read whichever branch was taken.

## Why it is bad

Graphwright tracks whether a name has a value after a branch. Reading one without a value fails when the graph runs,
just as the eager code would, but perhaps only with tomorrow's data:

    UnboundLocalError: cannot access local variable 'scale' where it is not associated with a value

## Bad

```python
import graphwright as gw
import tensorflow as tf

@gw.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        scale = tf.constant(2.0)
    return x * scale
```

## Good

```python
import graphwright as gw
import tensorflow as tf

@gw.function
def f(x):
    scale = tf.constant(1.0)
    if tf.reduce_sum(x) > 0:
        scale = tf.constant(2.0)
    return x * scale
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
assert bad.f(x).numpy().tolist() == [2.0, 4.0]
with pytest.raises(UnboundLocalError, match="scale"):
    bad.f(-x)
assert good.f(-x).numpy().tolist() == [-1.0, -2.0]
assert fixed.f(-x).numpy().shape == (2,)
```

## Limits

A read under another condition isn't reported: the condition may be the same. TensorFlow's AutoGraph can't build such a
branch at all; see `undefined-in-branch`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import unset_sides
from graphwright_analysis.rule import GRAPHWRIGHT, Finding, View, rule
from graphwright_analysis.tracing.facts import StagedBranch


@rule(family="undefined", severity=Severity.WARNING, judges=StagedBranch, fixable=True, true_for=GRAPHWRIGHT)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        if not name.is_bound_once or name.surely_read is None:
            continue
        symbol = f"`{name.symbol}`"
        yield Finding(
            branch.place,
            f"{symbol} {name.bound}, but is always read afterwards: the graph fails if it has no value. Bind "
            f"{symbol} before the `if`, or in the other branch too.",
            ((name.surely_read, f"{symbol} is read here"),),
            tuple(unset_sides.repairs(branch, name, view.tensorflow)),
            branch.confidence,
        )
