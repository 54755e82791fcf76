"""`next` takes an element of a Python iterator while a function is traced.

## What it does

Finds `next(...)` of Python iterators and generators that are made outside of a function that becomes part of a graph.

## Why it is bad

Python asks the iterator once, while tracing. The element becomes a constant of the graph, and every later call uses
the first one again; nothing says so.

## Bad

```python
import tensorflow as tf

batches = iter([1.0, 2.0, 3.0])

@tf.function
def step(x):
    return x + next(batches)  # error
```

## Good

```python
import tensorflow as tf

batches = iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]))

@tf.function
def step(x):
    return x + next(batches)
```

## Evidence

```python
import tensorflow as tf

zero = tf.constant(0.0)
assert [bad.step(zero).numpy() for _ in range(3)] == [1.0, 1.0, 1.0]
assert [good.step(zero).numpy() for _ in range(3)] == [1.0, 2.0, 3.0]
```

## Limits

Iterators that are made by code that isn't followed are left alone, and so are those that the function makes itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import IteratorAdvanced


@rule(family="effects", severity=Severity.WARNING, judges=IteratorAdvanced)
def judge(advanced: IteratorAdvanced, view: View) -> Iterator[Finding]:
    related = () if advanced.made is None else ((advanced.made, "the Python iterator is made here"),)
    yield Finding(
        advanced.place,
        f"`{advanced.symbol}` is a Python iterator: it yields one element while the function is traced, and every call "
        "uses that one. Use an iterator over a tf.data.Dataset, or pass the element in.",
        related,
    )
