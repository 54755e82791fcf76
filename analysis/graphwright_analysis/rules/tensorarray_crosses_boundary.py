"""A TensorArray is used on the other side of a traced function's boundary.

## What it does

Finds methods called on a `tf.TensorArray` that a traced function has returned, and arrays made eagerly that a loop of
the graph writes to.

## Why it is bad

A TensorArray can't leave its graph: the caller gets a bare tensor that nothing can be read from.

    AttributeError: 'EagerTensor' object has no attribute 'stack'

One that was made eagerly can't become part of a loop:

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

An array that is returned and never used is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import ArrayCrossed


@rule(family="state", severity=Severity.ERROR, judges=ArrayCrossed)
def judge(crossed: ArrayCrossed, view: View) -> Iterator[Finding]:
    related = () if crossed.boundary is None else ((crossed.boundary, "the TensorArray is made here"),)
    if crossed.how == "returned":
        message = (
            f"A TensorArray doesn't survive being returned from a traced function: what arrives is a bare tensor "
            f"without `{crossed.method}`. Return `stack()` of it instead."
        )
    else:
        message = (
            "This TensorArray is made outside of the graph, where it takes neither an index that is a tensor nor "
            "writes from a loop of the graph. Make it in the function."
        )
    yield Finding(crossed.place, message, related)
