"""A Python loop with many iterations in graph code copies its body into the graph for each one.

## What it does

Counts the iterations of Python loops (`range`, lists, NumPy arrays, counters, comprehensions) that create operations
while a function is traced, and reports loops of more than 64.

## Why it is bad

The graph contains the body once per iteration: tracing takes long, and so does the first call. TensorFlow itself warns
only from 50,000 iterations on:

    WARNING: Large unrolled loop detected. Did you mean to use a TF loop?

## Bad

```python
import tensorflow as tf

@tf.function
def g(x):
    for i in range(2000):  # error
        x = x + 1.0
    return x

def drive():
    return g(tf.constant(0.0))
```

## Good

```python
import tensorflow as tf

@tf.function
def g(x):
    for i in tf.range(2000):
        x = x + 1.0
    return x

def drive():
    return g(tf.constant(0.0))
```

## Evidence

```python
import tensorflow as tf

size = lambda f: len(f.get_concrete_function(tf.constant(0.0)).graph.as_graph_def().node)
assert size(bad.g) > 4000
assert size(good.g) < 50
assert size(fixed.g) < 50
assert fixed.drive().numpy() == bad.drive().numpy() == 2000.0
```

## Limits

Loops of at most 64 iterations, or of an unknown number, aren't reported. The iterations of nested loops aren't
multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import unrolled_loops
from graphwright_analysis.fixes.hoisting import header
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import UnrolledLoop

MANY = 64
_REMEDIES = {
    "range": "Use tf.range.",
    "counter": "Use a tensor counter, or tf.range.",
    "collection": "Loop over a tensor, for example one built with tf.stack.",
    "comprehension": "Use tf.map_fn, or operations on whole tensors.",
}


@rule(family="retracing", severity=Severity.WARNING, judges=UnrolledLoop, fixable=True)
def judge(loop: UnrolledLoop, view: View) -> Iterator[Finding]:
    if loop.turns <= MANY:
        return
    edits = unrolled_loops.over_tensor(loop, view.tensorflow)
    yield Finding(
        loop.place if loop.over == "comprehension" else header(loop.place),
        f"Python unrolls this loop while the function is traced: the graph contains its body {loop.turns} times. "
        f"{_REMEDIES[loop.over]}",
        (),
        () if edits is None else (Repair("Loop in the graph with tf.range", edits),),
        loop.confidence,
    )
