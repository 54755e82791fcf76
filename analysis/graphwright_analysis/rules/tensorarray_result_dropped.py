"""The result of a write to a TensorArray is discarded.

## What it does

Finds `write`, `unstack`, `scatter` and `split` of a `tf.TensorArray` whose result isn't used, and two writes to the
same version of an array, where the first write is lost.

## Why it is bad

In a graph a write leaves the array unchanged and returns a new one. If you discard it, the element is lost: the array
stays empty or holds zeros. Nothing reports it, and eagerly the same code works.

## Bad

```python
import tensorflow as tf

@tf.function
def squares(n):
    out = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        out.write(i, i * i)  # error
    return out.stack()
```

## Good

```python
import tensorflow as tf

@tf.function
def squares(n):
    out = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        out = out.write(i, i * i)
    return out.stack()
```

## Evidence

```python
import tensorflow as tf

n = tf.constant(3)
assert bad.squares(n).numpy().tolist() == [0, 0, 0]
assert good.squares(n).numpy().tolist() == [0, 1, 4]
assert fixed.squares(n).numpy().tolist() == [0, 1, 4]
```

## Limits

A result bound to an unused name is reported only when the same version is written again.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import tensor_arrays
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import ArrayWritten, OutsideCall
from graphwright_analysis.values.domain import TensorArray

_WRITES = frozenset({"write", "unstack", "scatter", "split"})


@rule(family="state", severity=Severity.ERROR, judges=(OutsideCall, ArrayWritten), fixable=True)
def judge(fact: OutsideCall | ArrayWritten, view: View) -> Iterator[Finding]:
    if isinstance(fact, ArrayWritten):
        if fact.earlier is not None and fact.earlier != fact.place:
            yield Finding(
                fact.place,
                "This writes to the TensorArray as it was before an earlier write, so the result lacks that element. "
                "Write to the array that the earlier write returned.",
                ((fact.earlier, "this write is lost"),),
            )
        return
    if not isinstance(fact.receiver, TensorArray) or fact.name not in _WRITES or not fact.dropped or not fact.in_graph:
        return
    edits = tensor_arrays.assigned(fact)
    name = f"`{tensor_arrays.holder(fact)}`" if tensor_arrays.holder(fact) else "the TensorArray"
    yield Finding(
        fact.place,
        f"The result of `{fact.name}` is discarded: in a graph it leaves {name} unchanged and returns a new "
        "TensorArray, so the write is lost. Assign the result.",
        (),
        () if edits is None else (Repair("Assign the result", edits),),
    )
