"""A lambda reads a name that a later `if` or loop rebinds, and doesn't see the new value.

## What it does

Finds calls of lambdas in traced functions that read a name which an `if` or loop after the lambda rebinds, if only the
lambda reads it.

## Why it is bad

AutoGraph turns the body of every `if` and loop into a function, in the graph or not. It passes on only names that are
read later, and doesn't count reads in a lambda. The lambda reads the old value, without an error: the Bad function
returns 0, while in plain Python it returns 2.

## Bad

```python
import tensorflow as tf

@tf.function
def f(n):
    cur = 0
    peek = lambda: cur
    for i in tf.range(n):  # error
        cur = i
    return peek()
```

## Good

```python
import tensorflow as tf

@tf.function
def f(n):
    cur = 0
    for i in tf.range(n):
        cur = i
    return cur
```

## Evidence

```python
import tensorflow as tf

n = tf.constant(3)
assert int(bad.f(n)) == 0
assert int(bad.f.python_function(n)) == 2
assert int(good.f(n)) == 2
```

## Limits

Lambdas called from outside the project or created in the same loop aren't followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import LambdaOutdated


@rule(family="undefined", severity=Severity.WARNING, judges=LambdaOutdated, true_for=AUTOGRAPH)
def judge(outdated: LambdaOutdated, view: View) -> Iterator[Finding]:
    name = f"`{outdated.symbol}`"
    message = (
        f"{name} is rebound in this statement, but the lambda defined earlier silently reads the old value. Replace "
        "the lambda with a `def`, or define it after this statement."
    )
    related = ((outdated.function, "the lambda"), (outdated.written, f"{name} is rebound here"))
    yield Finding(outdated.statement, message, related, (), outdated.confidence)
