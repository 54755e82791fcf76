"""What a write to a TensorArray returns is thrown away.

## What it does

Finds `write`, `unstack`, `scatter` and `split` of a `tf.TensorArray` whose result is not used, and writing twice to
the same version of an array, so that what the first one wrote is lost.

## Why it is bad

In a graph a write leaves the array as it was and returns a new one. Without the new one the element is lost, and
nothing says so: the array stays empty or holds zeros. Eagerly the same code works.

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

A result that is bound to a name which nobody reads is only found once the same version is written again.
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
                "This writes to the array as it was before another write, so what that one wrote isn't in the result. "
                "Write to the array that the other write returned.",
                ((fact.earlier, "what this wrote is lost here"),),
            )
        return
    if not isinstance(fact.receiver, TensorArray) or fact.name not in _WRITES or not fact.dropped or not fact.in_graph:
        return
    edits = tensor_arrays.assigned(fact)
    name = f"`{tensor_arrays.holder(fact)}`" if tensor_arrays.holder(fact) else "the TensorArray"
    yield Finding(
        fact.place,
        f"In a graph `{fact.name}` leaves {name} as it was and returns a new TensorArray, which is thrown away here: "
        "what was written is lost. Assign the result.",
        (),
        () if edits is None else (Repair("Assign the result", edits),),
    )
