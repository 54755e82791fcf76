"""An exception is raised under a tensor condition.

## What it does

Finds each `raise` that tracing reaches inside a graph branch or loop.

## Why it is bad

Both branches of a graph `if` are traced, so tracing always reaches the `raise`. The function fails for every argument,
with an exception that was meant for a few. In a `try` that handles it, the handler always runs instead, without an
error or a warning.

## Bad

```python
import tensorflow as tf

@tf.function
def g(x):
    if tf.reduce_any(x < 0):
        raise ValueError("negative")  # error
    return x
```

## Good

```python
import tensorflow as tf

@tf.function
def g(x):
    tf.debugging.assert_non_negative(x, "negative")
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="negative"):
    bad.g(tf.constant([1.0]))
assert good.g(tf.constant([1.0])).numpy().tolist() == [1.0]
assert fixed.g(tf.constant([1.0])).numpy().tolist() == [1.0]
with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
    fixed.g(tf.constant([-1.0]))
```

## Limits

Not reported: a `raise` under another unknown Python condition, or in a function called inside the branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import RaiseTraced


@rule(family="effects", severity=Severity.ERROR, judges=RaiseTraced, fixable=True, true_for=AUTOGRAPH)
def judge(raised: RaiseTraced, view: View) -> Iterator[Finding]:
    message = (
        "This `raise` always runs while tracing, because both branches of an `if` in the graph are traced. "
        "Use tf.debugging.Assert, or a check such as tf.debugging.assert_positive."
    )
    related = [(raised.construct, "this becomes part of the graph")]
    if raised.caught is not None:
        message = (
            "This `raise` always runs while tracing, because both branches of an `if` in the graph are traced, and the "
            "`except` around it then always runs, too. Choose the result with `if` or tf.where instead."
        )
        related.append((raised.caught, "this handler always runs"))
    yield Finding(raised.place, message, tuple(related), tuple(_repairs(raised, view)), raised.confidence)


def _repairs(raised: RaiseTraced, view: View) -> Iterator[Repair]:
    statement, said, tensorflow = raised.statement, raised.message, view.tensorflow
    if statement is None or said is None or not raised.alone or raised.caught or tensorflow is None:
        return
    text = statement.block.text
    condition = text[raised.construct.range.start : raised.construct.range.end]
    if "\n" in condition or not text.startswith("if", statement.range.start):
        return
    wanted = f"{tensorflow}.logical_not({condition}), [{text[said.range.start : said.range.end]}]"
    title = "Replace with tf.debugging.Assert, which raises InvalidArgumentError"
    yield Repair(title, ((statement, f"{tensorflow}.debugging.Assert({wanted})"),))
