"""A TensorArray is used across the boundary of a traced function.

## What it does

Finds methods called on a `tf.TensorArray` that a traced function returned, and eager arrays that a graph loop writes
to.

## Why it is bad

A TensorArray can't leave its graph: the caller receives a bare tensor that can't be read.

    AttributeError: 'EagerTensor' object has no attribute 'stack'

An eager array can't become part of a graph loop:

    NotImplementedError: Attempting to build a graph-mode TF2-style TensorArray from either an eager-mode TensorArray

## Bad

```python
import tensorflow as tf

@tf.function
def fill(n):
    out = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        out = out.write(i, i)
    return out

def main():
    return fill(tf.constant(3)).stack()  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def fill(n):
    out = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        out = out.write(i, i)
    return out.stack()

def main():
    return fill(tf.constant(3))
```

## Evidence

```python
import pytest

with pytest.raises(AttributeError, match="no attribute 'stack'"):
    bad.main()
assert good.main().numpy().tolist() == [0, 1, 2]
```

## Limits

An array that is returned but never used is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import ArrayCrossed


@rule(family="state", severity=Severity.ERROR, judges=ArrayCrossed)
def judge(crossed: ArrayCrossed, view: View) -> Iterator[Finding]:
    related = () if crossed.boundary is None else ((crossed.boundary, "the TensorArray is created here"),)
    if crossed.how == "returned":
        message = (
            "A TensorArray can't be returned from a traced function: the caller receives a bare tensor "
            f"without `{crossed.method}`. Return its `stack()` instead."
        )
    else:
        message = (
            "This TensorArray is created outside the graph, so it accepts neither tensor indices nor writes from a "
            "graph loop. Create it inside the function."
        )
    yield Finding(crossed.place, message, related)
