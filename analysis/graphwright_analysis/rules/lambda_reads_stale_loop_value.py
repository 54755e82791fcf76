"""A lambda doesn't see what a later `if` or loop binds the name to that it reads.

## What it does

Finds the calls of lambdas, in traced functions, that read a name which an `if` or loop after the lambda has bound
again, and which nothing but the lambda reads.

## Why it is bad

AutoGraph makes a function of the body of every `if` and loop, whether it becomes part of the graph or not. It hands on
only the names that are read later, and doesn't count what a lambda reads. The lambda reads the value from before, and
there is no error: the Bad function returns 0, as plain Python it returns 2.

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

A lambda that code outside the project calls, and one that is made in the same loop, aren't followed.
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
        f"{name} is bound again in this statement, and the lambda made before doesn't see it: it reads the old value "
        "without any error. Make the lambda a `def`, or make it after this statement."
    )
    related = ((outdated.function, "the lambda"), (outdated.written, f"{name} is bound here"))
    yield Finding(outdated.statement, message, related, (), outdated.confidence)
