"""`next` advances a Python iterator while a function is traced.

## What it does

Finds `next(...)` in graph code on Python iterators and generators created outside the function.

## Why it is bad

Python advances the iterator once, while tracing. The element becomes a constant of the graph, and every later call
reuses it. Nothing reports it.

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

Iterators created by code that isn't followed, or by the function itself, are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import IteratorAdvanced


@rule(family="effects", severity=Severity.WARNING, judges=IteratorAdvanced)
def judge(advanced: IteratorAdvanced, view: View) -> Iterator[Finding]:
    related = () if advanced.made is None else ((advanced.made, "the Python iterator is created here"),)
    yield Finding(
        advanced.place,
        f"`{advanced.symbol}` is a Python iterator: it advances only while the function is traced, and every call "
        "reuses that element. Use an iterator over a tf.data.Dataset, or pass the element as an argument.",
        related,
    )
