"""A gradient is asked with respect to a tensor that the tape doesn't watch.

## What it does

Finds sources of `tape.gradient` in code that becomes part of a graph that were tensors before the tape was made and
aren't watched, and sources of an integer dtype.

## Why it is bad

A tape follows trainable variables by itself and tensors only if it is told to. The gradient is None, and nothing says
so until it is used.

## Bad

```python
import tensorflow as tf

@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)  # error

def main():
    return slope(tf.constant(3.0))
```

## Good

```python
import tensorflow as tf

@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)

def main():
    return slope(tf.constant(3.0))
```

## Evidence

```python
assert bad.main() is None
assert good.main().numpy() == 6.0
assert fixed.main().numpy() == 6.0
```

## Limits

Only names are judged, not expressions, and not tensors that are computed while the tape records.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import insertion
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import SourceUnwatched


@rule(family="state", severity=Severity.WARNING, judges=SourceUnwatched, fixable=True)
def judge(source: SourceUnwatched, view: View) -> Iterator[Finding]:
    name, opened = source.symbol, ((source.opened, "the tape is made here"),)
    if source.why == "integer":
        message = f"`{name}` is {source.dtype}, and gradients exist for floating-point numbers only: this one is None. "
        yield Finding(source.place, f"{message}Cast `{name}` before the tape records.", opened, (), source.confidence)
        return
    watch = f"{source.tape}.watch({name})"
    edit = insertion.line_before(source.body, watch) if source.body is not None else None
    yield Finding(
        source.place,
        f"`{name}` is a tensor that `{source.tape}` doesn't watch, so the gradient is None. "
        f"Write `{watch}` first in the tape's block.",
        opened,
        () if edit is None else (Repair(f"Watch `{name}`", (edit,)),),
        source.confidence,
    )
