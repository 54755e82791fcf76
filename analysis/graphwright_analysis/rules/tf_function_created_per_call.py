"""`tf.function` is applied repeatedly, and each result is called once.

## What it does

Counts, over the visible calls and loops, how often the same line creates a `tf.function` (or a `def` decorated with
it), and how often each one is called.

## Why it is bad

Each `tf.function` has its own traces. If you create one for a single call, TensorFlow traces the whole body for that
call and throws the graph away: slower than no `tf.function` at all, and memory grows. TensorFlow warns at run time,
from the fifth trace on:

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

A function that creates a `tf.function`, calls it once and is never called itself is reported as information, unless it
has no parameters or is a test. Results that are called more than once are reported if a loop creates five or more that
surely use the same objects: those that capture their own model or instance are ignored.
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
                f"{name} becomes a new tf.function on every call of `{made.within}`, and each one is traced for a "
                "single call. Create it once, outside."
            )
            yield Finding(made.place, message, severity=Severity.INFORMATION)
        return
    traced = "traced for a single call" if once else "traced again"
    edits = hoisting.out_of_loop(made) if made.decorated else hoisting.assignment_out_of_loop(made)
    yield Finding(
        made.place,
        f"{name} becomes a new tf.function on every iteration, and each one is {traced}. "
        "Create it once, outside the loop.",
        ((hoisting.header(made.loop), "the loop that recreates it"),),
        () if edits is None else (Repair(f"Move {name if made.decorated else 'it'} out of the loop", edits),),
        made.confidence,
    )
