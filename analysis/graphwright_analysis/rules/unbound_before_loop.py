"""A name that a graph loop carries, or that is read after it, isn't bound before it.

## What it does

Checks every graph loop for names that its body binds and that are read later: in the next iteration, or after the
loop.

It's an error if TensorFlow can't build the loop: always over a dataset or iterator; otherwise if the body reads the
name first, may leave it unbound, or binds it to a string, a function or a TensorArray. If every iteration binds it to
a tensor or number, only a loop without iterations fails: a hint.

## Why it is bad

A graph loop needs an initial value for each name. TensorFlow creates a placeholder if it can; otherwise:

    ValueError: 'penalty' must be defined before the loop

If the loop has no iterations:

    InvalidArgumentError: loop must iterate at least once to initialize penalty

## Bad

```python
import tensorflow as tf

@tf.function
def f(loss, batches: tf.data.Dataset):
    for batch in batches:  # error
        penalty = tf.constant(1.0)
        tf.print(batch)
    return loss + penalty
```

## Good

```python
import tensorflow as tf

@tf.function
def f(loss, batches: tf.data.Dataset):
    penalty = tf.constant(0.0)
    for batch in batches:
        penalty = tf.constant(1.0)
        tf.print(batch)
    return loss + penalty
```

## Evidence

```python
import pytest
import tensorflow as tf

loss, batches = tf.constant(2.0), tf.data.Dataset.range(3)
with pytest.raises(ValueError, match="'penalty' must be defined before the loop"):
    bad.f(loss, batches)
assert good.f(loss, batches).numpy() == fixed.f(loss, batches).numpy() == 3.0
assert good.f(loss, batches.take(0)).numpy() == fixed.f(loss, batches.take(0)).numpy() == 2.0
```

## Limits

A name that an iteration leaves unbound only under another Python condition isn't reported, nor is a name set by
iterating over a RaggedTensor. `key-added-in-graph-control-flow` covers new dict keys, and `none-loop-seed` names that
are None before the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.starting_values import set_before
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import UnseededName
from graphwright_analysis.values.domain import NONE, UNDEFINED


@rule(family="undefined", severity=Severity.ERROR, judges=UnseededName, fixable=True, true_for=AUTOGRAPH)
def judge(name: UnseededName, view: View) -> Iterator[Finding]:
    if name.before is not UNDEFINED or "[" in name.symbol:
        return
    why = _why(name)
    if why is None and name.runs:
        return
    places = (
        (name.bound, f"`{name.symbol}` is bound here"),
        (name.left, "one path through this leaves it unbound"),
        (name.early, f"`{name.symbol}` is read here"),
    )
    related = tuple((place, text) for place, text in places if place is not None)
    told = why or "if the loop has no iterations, the graph fails when it runs"
    message = f"`{name.symbol}` isn't bound before this loop: {told}. Bind `{name.symbol}` before the loop."
    severity = Severity.ERROR if why is not None else Severity.HINT
    yield Finding(name.place, message, related, tuple(_repairs(name, view)), name.confidence, (), severity)


def _why(name: UnseededName) -> str | None:
    """Why TensorFlow can't put a placeholder there, or None where it does."""
    refused = "TensorFlow can't build the loop"
    if name.over in ("dataset", "iterator"):
        return f"a loop over {name.iterated} can't start without a value, so {refused}"
    if name.early is not None:
        return f"an iteration reads it before it is bound, so {refused}"
    if name.left is not None:
        return f"an iteration may leave it unbound, so {refused}"
    if name.after in (UNDEFINED, NONE):
        return f"an iteration leaves it without a value, so {refused}"
    if not name.can_stand_in:
        return f"only tensors and numbers can have a placeholder, so {refused}"
    return None


def _repairs(name: UnseededName, view: View) -> Iterator[Repair]:
    action = f"Bind `{name.symbol}`"
    return set_before(name.statement, name.symbol, name.after, view.tensorflow, action, "before the loop")
