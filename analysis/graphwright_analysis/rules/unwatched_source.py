"""A gradient is computed with respect to a tensor that the tape doesn't watch.

## What it does

Finds sources of `tape.gradient` that are tensors from before the tape and aren't watched, sources of an integer dtype,
and variables if nothing that the tape recorded depends on one.

## Why it is bad

A tape watches trainable variables by itself, but tensors only if you call `watch`. The gradient is None, and nothing
reports it until you use it.

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

Only names are checked, not expressions, and not tensors computed while the tape records.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import insertion
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import SourceUnwatched


@rule(family="state", severity=Severity.WARNING, judges=SourceUnwatched, fixable=True)
def judge(source: SourceUnwatched, view: View) -> Iterator[Finding]:
    name, opened = source.symbol, ((source.opened, "the tape is created here"),)
    if source.why in ("integer", "integer variable"):
        message = f"`{name}` is {source.dtype}, and only floating-point tensors have gradients, so this one is None. "
        message += f"Cast `{name}` before the tape records." if source.why == "integer" else "Create it as float32."
        yield Finding(source.place, message, opened, (), source.confidence)
        return
    if source.why == "empty":
        message = f"`{source.tape}` recorded nothing that depends on a variable, so every gradient is None. "
        yield Finding(
            source.place, f"{message}Compute the loss, from the model's call on, in the tape's block.", opened
        )
        return
    watch = f"{source.tape}.watch({name})"
    edit = insertion.line_before(source.body, watch) if source.body is not None else None
    yield Finding(
        source.place,
        f"`{name}` is a tensor that `{source.tape}` doesn't watch, so the gradient is None. "
        f"Call `{watch}` at the start of the tape's block.",
        opened,
        () if edit is None else (Repair(f"Watch `{name}`", (edit,)),),
        source.confidence,
    )
