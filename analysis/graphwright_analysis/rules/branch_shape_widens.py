"""The two sides of a staged `if` give a name tensors of different shapes, so that the shape isn't known behind it.

## What it does

Compares the static shapes that the two sides of an `if` in the graph give to each name that lives on, to a
conditional expression and to what is returned.

## Why it is bad

TensorFlow builds the `if`, and forgets what differs: an axis becomes None, or the rank unknown. Whatever needs the
static shape fails further on:

    ValueError: Cannot convert a partially known TensorShape (None, 3) to a Tensor.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        y = tf.zeros([2, 3])
    else:
        y = tf.zeros([4, 3])
    return tf.ones(y.shape)
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x, wide):
    if tf.reduce_sum(x) > 0:
        y = tf.zeros([2, 3])
    else:
        y = tf.ones([2, 3])
    return tf.ones(y.shape)
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(ValueError, match=r"partially known TensorShape|Cannot convert"):
    bad.f(x)
assert good.f(x, x).shape == (2, 3)
```

## Limits

Whether the static shape is needed behind the `if` isn't judged: this is a hint, not an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import RESULT, RETURNED, StagedBranch
from graphwright_analysis.values import shapes, structures
from graphwright_analysis.values.domain import dtype_of, shape_of

_SUBJECTS = {RETURNED: "The returned value", RESULT: "The value"}


@rule(family="consistency", severity=Severity.HINT, judges=StagedBranch)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        if structures.difference(name.body, name.orelse) is not None:
            continue
        for body, orelse in structures.leaves(name.body, name.orelse):
            first, second = shape_of(body), shape_of(orelse)
            if first is None or second is None or dtype_of(body) != dtype_of(orelse):
                continue
            if shapes.relaxed(first, second) in (first, second) or shapes.ANY in (*first, *second):
                continue
            subject = _SUBJECTS.get(name.symbol, f"`{name.symbol}`")
            sides = ((name.body_place, shapes.text(first)), (name.orelse_place, shapes.text(second)))
            yield Finding(
                branch.place,
                f"{subject} has shape {shapes.text(first)} if the branch is taken and {shapes.text(second)} otherwise, "
                f"so behind it the shape is {shapes.text(shapes.relaxed(first, second))}. Where the shape matters, ask "
                "for it with `tf.shape`, or state it with `tf.ensure_shape`.",
                tuple((place, f"shape {shape} here") for place, shape in sides if place is not None),
                (),
                branch.confidence,
            )
            break
