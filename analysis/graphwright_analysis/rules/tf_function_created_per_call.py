"""`tf.function` is applied again and again, and each result is called once.

## What it does

Counts, over the calls and loops that can be seen, how often `tf.function` (or a `def` decorated with it) is made in
the same place, and how often each result is called.

## Why it is bad

Each `tf.function` keeps its own traces. One that is made for a single call traces its whole body for that call and
throws the graph away: slower than no `tf.function` at all, and the memory grows. TensorFlow warns at run time, from
the fifth trace on:

    WARNING: 5 out of the last 5 calls to <function g> triggered tf.function retracing. Tracing is expensive and the
    excessive number of tracings could be due to (1) creating @tf.function repeatedly in a loop

## Bad

```python
import tensorflow as tf

traces = []
for i in range(6):
    @tf.function  # error
    def g(x):
        traces.append(1)
        return x + 1

    g(tf.ones([2]))
```

## Good

```python
import tensorflow as tf

traces = []

@tf.function
def g(x):
    traces.append(1)
    return x + 1

for i in range(6):
    g(tf.ones([2]))
```

## Evidence

```python
assert len(bad.traces) == 6
assert len(good.traces) == 1
assert len(fixed.traces) == 1
```

## Limits

A function that makes a `tf.function`, calls it once and is never seen to be called itself is told of as information,
unless it takes no arguments or is a test. Results that are called more than once each are reported where a loop makes
five or more that surely use the same: those that capture a model of their own, or an instance, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import hoisting
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import FunctionMade


@rule(family="retracing", severity=Severity.WARNING, judges=FunctionMade, fixable=True)
def judge(made: FunctionMade, view: View) -> Iterator[Finding]:
    once = set(made.calls) == {1}
    if not once and not (made.many and 0 not in made.calls):
        return
    name = f"`{made.name}`" if made.name else "This function"
    if made.loop is None or len(made.calls) < 2:
        if made.within:
            message = (
                f"{name} becomes a new tf.function in every call of `{made.within}`, and is traced again for a single "
                "call of its own. Make it once, outside, and call that."
            )
            yield Finding(made.place, message, severity=Severity.INFORMATION)
        return
    traced = "traced for a single call" if once else "traced anew"
    edits = hoisting.out_of_loop(made) if made.decorated else hoisting.assignment_out_of_loop(made)
    yield Finding(
        made.place,
        f"{name} becomes a new tf.function in every iteration of the loop, and each one is {traced}. "
        "Make it once, outside the loop, and call that.",
        ((hoisting.header(made.loop), "the loop that makes it again"),),
        () if edits is None else (Repair(f"Move {name if made.decorated else 'it'} out of the loop", edits),),
        made.confidence,
    )
