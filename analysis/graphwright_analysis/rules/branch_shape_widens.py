"""The branches of a graph `if` give a name tensors of different shapes, so its static shape is lost.

## What it does

Compares the static shapes that the two branches of an `if` in the graph give to each name whose `.shape` is read after
the `if`.

## Why it is bad

TensorFlow builds the `if` but drops what differs: an axis becomes None, or the rank unknown. Code that needs the
static shape silently receives None, or fails further on:

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
    rows = y.shape[0]
    return x if rows == 2 else -x
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = tf.zeros([2, 3])
    else:
        y = tf.zeros([4, 3])
    rows = tf.shape(y)[0]
    return x if rows == 2 else -x
```

## Evidence

```python
import tensorflow as tf

x = tf.constant([1.0, 3.0])
assert bad.f.python_function(x).numpy().tolist() == [1.0, 3.0]
assert bad.f(x).numpy().tolist() == [-1.0, -3.0]
assert good.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(x).numpy().tolist() == [1.0, 3.0]
```

## Limits

The rule doesn't check how the static shape is used, so this is a hint, not an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import StagedBranch
from graphwright_analysis.values import shapes, structures
from graphwright_analysis.values.domain import dtype_of, shape_of


@rule(family="consistency", severity=Severity.HINT, judges=StagedBranch, fixable=True)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        if name.shape_read is None or structures.difference(name.body, name.orelse) is not None:
            continue
        first, second = shape_of(name.body), shape_of(name.orelse)
        if first is None or second is None or dtype_of(name.body) != dtype_of(name.orelse):
            continue
        merged = shapes.relaxed(first, second)
        if merged in (first, second) or shapes.ANY in (*first, *second):
            continue
        sides = ((name.body_place, shapes.text(first)), (name.orelse_place, shapes.text(second)))
        related = [(place, f"shape {shape} here") for place, shape in sides if place is not None]
        yield Finding(
            branch.place,
            f"`{name.symbol}` has shape {shapes.text(first)} if the branch is taken and {shapes.text(second)} "
            f"otherwise, so its static shape after the `if` is {shapes.text(merged)}. Use tf.shape to read the "
            "shape, or set it with tf.ensure_shape.",
            (*related, (name.shape_read, "the static shape is read here")),
            tuple(_repairs(name.shape_read, name.symbol, view)),
            branch.confidence,
        )


def _repairs(read: Place, symbol: str, view: View) -> Iterator[Repair]:
    behind = read.block.text[read.range.end :]
    if view.tensorflow is not None and behind.startswith(".shape") and not behind.startswith(".shape."):
        whole = Place(read.block, Range(read.range.start, read.range.end + len(".shape")))
        yield Repair("Read the shape at run time with tf.shape", ((whole, f"{view.tensorflow}.shape({symbol})"),))
