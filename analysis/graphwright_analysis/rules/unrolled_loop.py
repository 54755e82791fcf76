"""A Python loop of many turns in graph code becomes a copy of its body for each turn.

## What it does

Counts the turns of Python loops (`range`, lists, NumPy arrays, counters, comprehensions) that make operations while a
function is traced, and reports those of more than 64.

## Why it is bad

The graph holds the body as many times as the loop turns: tracing takes long, and so does the first call. TensorFlow
itself says so from 50,000 turns on:

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

Loops of at most 64 turns, and of an unknown number of turns, are not reported; the turns of nested loops aren't
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
    "counter": "Count with a tensor, for example with tf.range.",
    "collection": "Loop over a tensor, for example one made with tf.stack.",
    "comprehension": "Use tf.map_fn, or operations on the whole tensor.",
}


@rule(family="retracing", severity=Severity.WARNING, judges=UnrolledLoop, fixable=True)
def judge(loop: UnrolledLoop, view: View) -> Iterator[Finding]:
    if loop.turns <= MANY:
        return
    edits = unrolled_loops.over_tensor(loop, view.tensorflow)
    yield Finding(
        loop.place if loop.over == "comprehension" else header(loop.place),
        f"Python runs this loop while the function is traced: the graph holds its body {loop.turns} times. "
        f"{_REMEDIES[loop.over]}",
        (),
        () if edits is None else (Repair("Loop in the graph, with tf.range", edits),),
        loop.confidence,
    )
