"""A function called in a graph loop or branch changes outer Python state.

## What it does

Finds numbers and tensors in outer attributes, closures, lists and dicts that a function called inside a graph loop or
branch sets, and that are used again.

## Why it is bad

AutoGraph carries only what the loop itself sets from one iteration to the next. It doesn't see what a called function
sets: that happens once, while tracing. A counter is 1 however often the loop runs; a tensor can't be used after the
loop:

    InaccessibleTensorError: <tf.Tensor 'while/add:0' shape=() dtype=float32> is out of scope and cannot be used here.

## Bad

```python
import tensorflow as tf

@tf.function
def count_to(n):
    count = [0]

    def bump():
        count[0] += 1  # error

    for _ in tf.range(n):
        bump()
    return tf.constant(count[0])
```

## Good

```python
import tensorflow as tf

@tf.function
def count_to(n):
    count = tf.constant(0)

    def bumped(c):
        return c + 1

    for _ in tf.range(n):
        count = bumped(count)
    return count
```

## Evidence

```python
import tensorflow as tf

assert int(bad.count_to(tf.constant(3))) == 1
assert int(good.count_to(tf.constant(3))) == 3
```

## Limits

State that is set and used within one iteration works and isn't reported. Nor is state that only feeds its own next
value.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import HiddenChange
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.values.domain import Tensor


@rule(family="collections", severity=Severity.ERROR, judges=HiddenChange, true_for=AUTOGRAPH)
def judge(change: HiddenChange, view: View) -> Iterator[Finding]:
    if change.construct_kind is ConstructKind.MAPPED_FUNCTION:
        yield Finding(change.place, _mapped(change), ((change.construct, "this function is traced once"),))
        return
    loop = change.construct_kind is ConstructKind.LOOP
    kind = "loop" if loop else "branch"
    if isinstance(change.value, Tensor):
        effect = f"after the {kind}, it holds a tensor that can't be used there"
    elif loop:
        effect = "it changes once, however many times the loop runs"
    else:
        effect = "it changes whether or not the branch is taken"
    yield Finding(
        change.place,
        f"`{change.target}` is set in a function called from a graph {kind}, but AutoGraph only carries variables "
        f"that the {kind} itself sets: {effect}. Pass the value in and return the new one.",
        ((change.construct, f"this {kind} becomes part of the graph"),),
        (),
        change.confidence,
    )


def _mapped(change: HiddenChange) -> str:
    effect = "it holds a tensor that can't be used outside" if isinstance(change.value, Tensor) else "it changes once"
    return (
        f"`{change.target}` is set in a function that is traced once for all elements: {effect}. Return the value "
        "from the function instead."
    )
