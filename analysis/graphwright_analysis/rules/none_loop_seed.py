"""A name is None before a graph loop that carries it.

## What it does

Checks every graph loop for names that are None before it, are bound in its body, and are read later or in the next
iteration. Reports those that the body tests for None, that an iteration may leave None, or that TensorFlow has no
placeholder for, and all of them if the loop is over a dataset or iterator.

## Why it is bad

A graph can't hold None. If every iteration binds the name to a tensor, TensorFlow silently replaces None with zeros,
and a test for None is never true. The result is wrong without an error: the Bad function returns 0.0, while plain
Python returns -1.0. In other cases TensorFlow can't build the loop:

    ValueError: 'best' is not allowed to be None before the loop

## Bad

```python
import tensorflow as tf

@tf.function
def f(xs):
    best = None
    for x in xs:  # error
        best = x if best is None else tf.maximum(best, x)
    return best


f(tf.constant([-1.0, -2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs):
    best = xs.dtype.min
    for x in xs:
        best = tf.maximum(best, x)
    return best


f(tf.constant([-1.0, -2.0]))
```

## Evidence

```python
import tensorflow as tf

xs = tf.constant([-1.0, -2.0])
assert bad.f.python_function(xs).numpy() == -1.0
assert bad.f(xs).numpy() == 0.0
assert good.f(xs).numpy() == -1.0
assert fixed.f(xs).numpy() == -1.0
```

## Limits

If the branch for None does the same as the other branch with the name set to zero, the zeros are right and nothing is
reported. A test for None in a called function isn't seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import seeds
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import UnseededName
from graphwright_analysis.values.domain import NONE


@rule(family="undefined", severity=Severity.ERROR, judges=UnseededName, fixable=True, true_for=AUTOGRAPH)
def judge(name: UnseededName, view: View) -> Iterator[Finding]:
    told = _what_happens(name) if name.before == NONE else None
    if told is None:
        return
    places = (
        (name.bound, f"`{name.symbol}` is bound here"),
        (name.left, "one path through this leaves it None"),
        (name.tested, "this test is evaluated once, while tracing"),
    )
    related = tuple((place, text) for place, text in places if place is not None)
    message = (
        f"`{name.symbol}` is None before this loop: {told}. "
        "Start with a neutral value, such as zero, `dtype.min` or the first element."
    )
    yield Finding(name.place, message, related, seeds.repairs(name, view.tensorflow), name.confidence)


def _what_happens(name: UnseededName) -> str | None:
    refused = "TensorFlow can't build the loop"
    if name.over in ("dataset", "iterator"):
        return f"a loop over {name.iterated} can't start with None, so {refused}"
    if name.left is not None:
        return f"an iteration may leave it None, so {refused}"
    if name.after == NONE:
        return f"an iteration leaves it None, so {refused}"
    if not name.can_stand_in:
        return f"TensorFlow has placeholders for tensors and numbers only, so {refused}"
    if name.tested is not None:
        return (
            "TensorFlow starts with zeros instead, so the test for None is never true and the first iteration is wrong"
        )
    return None
