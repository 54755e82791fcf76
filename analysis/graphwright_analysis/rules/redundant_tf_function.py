"""A function under `@tf.function` is called only from graph code.

## What it does

Finds decorated functions that are only called from traced functions.

## Why it is bad

Nothing fails. A function that a traced function calls becomes part of its graph anyway. The inner decorator costs a
second trace and a call boundary that blocks optimizations.

## Bad

```python
import tensorflow as tf

@tf.function  # error
def inner(x):
    return x + 1

@tf.function
def outer(x):
    return inner(x)
```

## Good

```python
import tensorflow as tf

def inner(x):
    return x + 1

@tf.function
def outer(x):
    return inner(x)
```

## Evidence

```python
import tensorflow as tf

assert bad.outer(tf.constant(1)).numpy() == good.outer(tf.constant(1)).numpy() == 2
assert fixed.outer(tf.constant(1)).numpy() == 2
```

## Limits

Calls from other files aren't seen, so this is a hint. Methods are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import hoisting
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import CalledOnlyInGraph


@rule(family="retracing", severity=Severity.HINT, judges=CalledOnlyInGraph, fixable=True)
def judge(made: CalledOnlyInGraph, view: View) -> Iterator[Finding]:
    edits = hoisting.without_decorator(made.place)
    yield Finding(
        made.place,
        f"`{made.name}` is only called from traced functions here and becomes part of their graphs anyway; "
        "it doesn't need its own tf.function.",
        ((made.call, "called here from a traced function"),),
        () if edits is None else (Repair("Remove the decorator", edits),),
        made.confidence,
    )
