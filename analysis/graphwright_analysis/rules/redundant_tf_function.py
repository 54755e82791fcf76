"""A function under `@tf.function` is only called by other graph code.

## What it does

Finds decorated functions that are seen to be called in traced functions alone.

## Why it is bad

Nothing fails. What a traced function calls becomes part of its graph anyway; the inner decorator costs a second trace
and a call boundary that optimisations stop at.

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

Calls from other files aren't seen, so this is a hint. Methods are left out.
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
        f"Only traced functions here call `{made.name}`, and it becomes part of their graphs anyway; "
        "it needs no tf.function of its own.",
        ((made.call, "called here, while another function is traced"),),
        () if edits is None else (Repair("Remove the decorator", edits),),
        made.confidence,
    )
