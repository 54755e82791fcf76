"""A list or dict is set under a computed key in a graph loop or branch.

## What it does

Finds tensors that a graph loop or branch stores in an outer list or dict under a key that is neither a constant nor a
name bound before it (an f-string, `i + 1`, `-1`, the variable of an inner Python loop), if the collection is used
again.

## Why it is bad

AutoGraph carries `sums[0]` or `sums['loss']` through a loop like a name, but it doesn't see computed keys. The item is
set once, while tracing, to a tensor of the loop body that can't be used anywhere else:

    InaccessibleTensorError: <tf.Tensor 'while/add:0' shape=() dtype=float32> is out of scope and cannot be used here.

## Bad

```python
import tensorflow as tf

@tf.function
def running(steps):
    sums = [tf.constant(0.0), tf.constant(0.0)]
    for t in tf.range(steps):
        for j in range(len(sums)):
            sums[j] += tf.cast(t * j, tf.float32)  # error
    return sums[1]
```

## Good

```python
import tensorflow as tf

@tf.function
def running(steps):
    sums = [tf.constant(0.0), tf.constant(0.0)]
    for t in tf.range(steps):
        sums = [s + tf.cast(t * j, tf.float32) for j, s in enumerate(sums)]
    return sums[1]
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="is out of scope and cannot be used here"):
    bad.running(tf.constant(3))
assert float(good.running(tf.constant(3))) == 3.0
```

## Limits

Keys that are attributes (`sums[self.key]`) or tensors are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import DynamicKeyStored
from graphwright_analysis.tracing.facts.constructs import ConstructKind


@rule(family="collections", severity=Severity.ERROR, judges=DynamicKeyStored, true_for=AUTOGRAPH)
def judge(store: DynamicKeyStored, view: View) -> Iterator[Finding]:
    kind = "loop" if store.construct_kind is ConstructKind.LOOP else "branch"
    advice = "Build a new list with a comprehension" if store.kind == "list" else "Use constant keys"
    related = [(store.construct, f"this {kind} becomes part of the graph")]
    if store.created is not None:
        related.append((store.created, f"the {store.kind} is created here, outside"))
    yield Finding(
        store.place,
        f"`{store.target}` has a computed key, and AutoGraph doesn't carry computed keys out of a graph {kind}, so "
        f"the tensor in the {store.kind} can't be used after the {kind}. {advice}, or use a tf.TensorArray.",
        tuple(related),
        (),
        store.confidence,
    )
