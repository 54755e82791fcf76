"""A gradient tape is asked for a second gradient, and it isn't persistent.

## What it does

Finds a second `gradient`, `jacobian` or `batch_jacobian` of the same tape, made without `persistent=True`, in code
that becomes part of a graph.

## Why it is bad

A tape drops what it recorded as soon as it has been asked once.

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

Asking a persistent tape inside its own `with` block is slow, not wrong, and isn't reported.
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
            "The tape has been asked for a gradient already and isn't persistent: a second one fails. Ask for all at "
            "once, or make the tape with persistent=True.",
            ((used.earlier, "the first gradient"), (used.tape, "the tape is made here")),
            () if written else (Repair("Make the tape persistent", edits, certain=True),),
        )
    elif used.persistent and used.inside:
        message = "Asking a persistent tape while it records makes it record the gradient as well, which is slow. "
        yield Finding(used.place, message + "Ask after its `with` block.", confidence=Confidence.POSSIBLE)
