"""A name is bound on one side of a branch that Graphwright converts, and is read after it either way.

## What it does

Looks at every `if` of the graph in code that Graphwright converts (`gw.function`, `gw.convert`), and at the names and
attributes that only one side of it sets, or deletes. They are told of if something reads them whichever side was taken.

## Why it is bad

Graphwright carries out of a branch whether a name has a value. Reading one that has none fails when the graph runs, as
the eager code would; with the data of another day:

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

A reading that stands under a further condition isn't told of: that may be the same one. Under TensorFlow's AutoGraph
such a branch can't be built at all; see `undefined-in-branch`.
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
            f"{symbol} {name.bound}, and is read either way: where it has no value, that fails when the graph runs. "
            f"Bind {symbol} before the `if`, or in the other branch too.",
            ((name.surely_read, f"{symbol} is read here"),),
            tuple(unset_sides.repairs(branch, name, view.tensorflow)),
            branch.confidence,
        )
