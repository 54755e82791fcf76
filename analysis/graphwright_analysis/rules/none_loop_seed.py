"""A name is None before a loop in the graph that hands it on from turn to turn.

## What it does

Looks at every loop that becomes part of the graph, and at the names that are None before it and bound in its body,
read later or in the next turn. It reports those that the body tests for None, those that a turn may leave None, those
that no placeholder can be made of, and all of them where the loop is over a dataset or an iterator.

## Why it is bad

There is no None in a graph. Where every turn binds the name to a tensor, TensorFlow puts zeros in the place of None
without a word, and a test for None never holds. Without any error the result is wrong: the Bad function returns 0.0
where plain Python returns -1.0. Elsewhere TensorFlow refuses to build the loop:

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

Where the test for None does without the name what it else does with it added or subtracted, the zeros are right and
nothing is said. A test for None in a called function isn't seen.
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
        (name.left, "one way through this leaves it None"),
        (name.tested, "this is decided once, while tracing"),
    )
    related = tuple((place, text) for place, text in places if place is not None)
    message = (
        f"`{name.symbol}` is None before this loop: {told}. "
        f"Begin with a value that changes nothing, such as zero, `dtype.min` or the first element."
    )
    yield Finding(name.place, message, related, seeds.repairs(name, view.tensorflow), name.confidence)


def _what_happens(name: UnseededName) -> str | None:
    refused = "TensorFlow can't build it"
    if name.over in ("dataset", "iterator"):
        return f"a loop over {name.iterated} can't begin with None, and {refused}"
    if name.left is not None:
        return f"an iteration may leave it None, and {refused}"
    if name.after == NONE:
        return f"an iteration leaves it None, and {refused}"
    if not name.can_stand_in:
        return f"TensorFlow has placeholders for tensors and numbers only, and {refused}"
    if name.tested is not None:
        return "TensorFlow begins with zeros instead, so the test for None never holds and the first iteration is wrong"
    return None
