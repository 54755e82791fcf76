"""A second gradient is computed with a gradient tape that isn't persistent.

## What it does

Finds a second call of `gradient`, `jacobian` or `batch_jacobian` on a tape without `persistent=True`, in graph code.

## Why it is bad

A tape releases its recording after the first call.

    RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)

## Bad

```python
import tensorflow as tf

v = tf.Variable(1.0)

@tf.function
def both():
    with tf.GradientTape() as tape:
        y = v * v
        z = v * 3.0
    first = tape.gradient(y, v)
    second = tape.gradient(z, v)  # error
    return first, second
```

## Good

```python
import tensorflow as tf

v = tf.Variable(1.0)

@tf.function
def both():
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
        z = v * 3.0
    first = tape.gradient(y, v)
    second = tape.gradient(z, v)
    return first, second
```

## Evidence

```python
import pytest

with pytest.raises(RuntimeError, match="non-persistent GradientTape"):
    bad.both()
assert [value.numpy() for value in good.both()] == [2.0, 3.0]
assert [value.numpy() for value in fixed.both()] == [2.0, 3.0]
```

## Limits

Calling a persistent tape inside its own `with` block is slow but correct, and isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import TapeUsed


@rule(family="state", severity=Severity.ERROR, judges=TapeUsed, fixable=True)
def judge(used: TapeUsed, view: View) -> Iterator[Finding]:
    if not used.persistent and used.earlier is not None:
        text, at = replacing.text_of(used.tape), used.tape.range.end - 1
        argument = "persistent=True" if text.endswith("()") else ", persistent=True"
        edits = ((Place(used.tape.block, Range(at, at)), argument),)
        written = "persistent" in text or not text.endswith(")")
        yield Finding(
            used.place,
            "This tape isn't persistent, and a second `gradient` call raises RuntimeError. Compute all gradients in "
            "one call, or create the tape with `persistent=True`.",
            ((used.earlier, "the first gradient"), (used.tape, "the tape is created here")),
            () if written else (Repair("Make the tape persistent", edits, certain=True),),
        )
    elif used.persistent and used.inside:
        message = (
            "Calling `gradient` inside the tape's `with` block records the gradient computation too, which is slow. "
        )
        yield Finding(used.place, message + "Call it after the block.", confidence=Confidence.POSSIBLE)
