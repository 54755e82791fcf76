"""A list or dict is set under a computed key in a loop or branch of the graph.

## What it does

Finds tensors that a staged loop or branch puts into a list or dict from outside under a key that is neither a plain
constant nor a name from before it (an f-string, `i + 1`, `-1`, the variable of a Python loop inside), where the
collection is used again.

## Why it is bad

AutoGraph carries `sums[0]` or `sums['loss']` through a loop as it does a name. What stands under a computed key it
doesn't see, so it is set once, while tracing, to a tensor of the loop's body, which can't be used anywhere else:

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

Keys that are attributes (`sums[self.key]`) and keys that are tensors are left alone.
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
    advice = "Build a new list with a comprehension" if store.kind == "list" else "Write the keys out as constants"
    related = [(store.construct, f"this {kind} becomes part of the graph")]
    if store.created is not None:
        related.append((store.created, f"the {store.kind} is made here, outside"))
    yield Finding(
        store.place,
        f"`{store.target}` is set under a computed key, which AutoGraph doesn't carry out of this {kind} of the graph: "
        f"what the {store.kind} holds after it can't be used. {advice}, or use a tf.TensorArray.",
        tuple(related),
        (),
        store.confidence,
    )
