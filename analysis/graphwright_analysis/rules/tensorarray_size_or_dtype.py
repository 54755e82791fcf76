"""An element doesn't fit its TensorArray: wrong dtype, wrong shape, or out of bounds.

## What it does

Compares the element written to a `tf.TensorArray` in a graph with the array's dtype, element shape and, if it is a
number and the array doesn't grow, size.

## Why it is bad

In most cases TensorFlow builds the graph without complaint, and it fails when it runs:

    InvalidArgumentError: Invalid data types; op elements int32 but list elements float
    InvalidArgumentError: Trying to modify element 2 in a list with 2 elements.

## Bad

```python
import tensorflow as tf

@tf.function
def doubled(values):
    out = tf.TensorArray(tf.float32, size=2)
    for i in tf.range(3):
        out = out.write(i, values[i] * 2.0)  # error
    return out.stack()

def main():
    return doubled(tf.constant([1.0, 2.0, 3.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def doubled(values):
    out = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        out = out.write(i, values[i] * 2.0)
    return out.stack()

def main():
    return doubled(tf.constant([1.0, 2.0, 3.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(tf.errors.InvalidArgumentError, match="modify element 2"):
    bad.main()
assert good.main().numpy().tolist() == [2.0, 4.0, 6.0]
assert fixed.main().numpy().tolist() == [2.0, 4.0, 6.0]
```

## Limits

A loop of unknown length that writes to an array of fixed size is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import tensor_arrays
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ArrayWritten
from graphwright_analysis.values import shapes
from graphwright_analysis.values.shapes import Shape


@rule(family="state", severity=Severity.ERROR, judges=ArrayWritten, fixable=True)
def judge(written: ArrayWritten, view: View) -> Iterator[Finding]:
    array = written.array
    made = () if written.made is None else ((written.made, "the TensorArray is created here"),)
    if None not in (written.dtype, array.dtype) and written.dtype != array.dtype:
        message = f"This writes {written.dtype} to a TensorArray of {array.dtype}, so the graph fails when it runs. "
        yield Finding(written.place, f"{message}Cast the element, or create the array with {written.dtype}.", made)
    elif not _fits(written.shape, array.elements):
        message = f"The TensorArray's elements have shape {shapes.text(array.elements)}, but this one has shape "
        yield Finding(
            written.place,
            f"{message}{shapes.text(written.shape)}: TensorFlow can't build the graph. Create the array with "
            "`infer_shape=False`, or with an `element_shape` that fits both.",
            made,
        )
    else:
        yield from _size(written, made)


def _size(written: ArrayWritten, made: tuple[tuple[Place, str], ...]) -> Iterator[Finding]:
    size = written.array.size
    if size is None or written.made is None:
        return
    past = (written.index is not None and written.index >= size) or (written.turns is not None and written.turns > size)
    if not past and not (written.over is not None and written.turns is None):
        return
    edits = tensor_arrays.growing(written.made)
    repairs = () if edits is None else (Repair("Let the TensorArray grow", edits),)
    ends = "is out of bounds" if past else "may be out of bounds"
    message = f"This write {ends}: the TensorArray has a fixed size of {size}, and the graph fails when it runs. "
    confidence = Confidence.CERTAIN if past else Confidence.LIKELY
    advice = "Create it with the right size, or with `dynamic_size=True`."
    yield Finding(written.place, message + advice, made, repairs, confidence)


def _fits(left: Shape, right: Shape) -> bool:
    if left is None or right is None:
        return True
    pairs = zip(left, right, strict=False)
    return len(left) == len(right) and all(a == b or {a, b} & {None, shapes.ANY} for a, b in pairs)
