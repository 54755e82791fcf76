"""A name carried by a graph loop has a different dtype after one iteration.

## What it does

Compares the dtype of each name that a graph `for` or `while` carries, and of the state of `tf.while_loop`, `tf.scan`,
`tf.foldl`, `tf.foldr`, `Dataset.scan` and `Dataset.reduce`, before the first iteration and after one. A bare Python
number has the dtype that TensorFlow gives it: `0` is int32, `0.5` is float32.

## Why it is bad

The graph has one tensor for the name across all iterations, and a tensor has one dtype. TensorFlow can't build the
loop:

    TypeError: 'best' has dtype int32 before the loop, but dtype float32 after one iteration

In plain Python the name just takes the new value, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(xs):
    last = 0
    for x in xs:  # error
        last = x
    return last

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs):
    last = 0.0
    for x in xs:
        last = x
    return last

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="'last' has dtype int32 before the loop, but dtype float32 after one iteration"):
    bad.f(x)
assert good.f(x).numpy() == 3.0
assert fixed.f(x).numpy() == 3.0
```

## Limits

Only dtypes known before and after are compared. If an operation inside the loop already rejects the two dtypes, as in
`total = 0` followed by `total += x`, TensorFlow blames that line, and so does `op-dtype-mismatch`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import casts, mapped, sources
from graphwright_analysis.rule import WITHOUT_PROMOTION, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import LoopName, StagedLoop
from graphwright_analysis.values import structures
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import NONE, Composite, TensorArray, Tuple, dtype_of


@rule(family="consistency", severity=Severity.ERROR, judges=StagedLoop, fixable=True, true_for=WITHOUT_PROMOTION)
def judge(loop: StagedLoop, view: View) -> Iterator[Finding]:
    for name in loop.names:
        if (found := _changed(name, loop.converter)) is None:
            continue
        before, after = found
        if loop.over == "tf.map_fn":
            yield mapped.told(loop, before, after, view.tensorflow)
            continue
        what, places = sources.subject(name.symbol), ((name.before_place, before), (name.after_place, after))
        yield Finding(
            loop.place,
            f"{what[:1].upper()}{what[1:]} is {before} before this loop and {after} after one iteration, so "
            f"{loop.converter.maker} can't build the loop. Start with {after}, or cast inside the loop.",
            tuple((place, f"{dtype} here") for place, dtype in places if place is not None),
            tuple(_repairs(name, before, after, view)),
            loop.confidence,
        )


def _changed(name: LoopName, converter: Converter) -> tuple[str, str] | None:
    if structures.difference(name.before, name.after) is not None:
        return None
    for first, second in structures.leaves(name.before, name.after):
        plain = not isinstance(first, (Composite, TensorArray)) and NONE not in (first, second)
        before, after = dtype_of(first), dtype_of(second)
        differ = plain and not structures.adapts(converter, first, second)
        if differ and before is not None and after is not None and before != after:
            return before, after
    return None


def _repairs(name: LoopName, before: str, after: str, view: View) -> Iterator[Repair]:
    if isinstance(name.before, (Tuple, structures.Structure)):
        return
    sides = [(name.before_place, before, after), (name.after_place, after, before)]
    known = [(place, has, wants) for place, has, wants in sides if place is not None]
    for title, edit in casts.agreements(known, f" of {sources.subject(name.symbol)}", view):
        yield Repair(title, (edit,))
