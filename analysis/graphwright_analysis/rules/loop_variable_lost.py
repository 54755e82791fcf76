"""What an iteration assigns to the loop variable is lost after the loop.

## What it does

Finds variables of `for` loops that are read after the loop, but not in the body after an `if` or another loop there
assigns to them. What stands behind an `if` with `break`, `continue` or `return` counts as part of one, too.

## Why it is bad

AutoGraph makes functions of the `if` and the loop, which give back the variables that are still read. It takes the loop
variable for one that the next item replaces, forgets that the last iteration has no next item, and drops what was
assigned. After the loop, the variable holds the last item, without an error or a warning. This happens in loops that
stay Python, too.

## Bad

```python
import tensorflow as tf

@tf.function
def first_large(xs: tf.Tensor):
    found = -1
    for found in tf.range(tf.size(xs)):
        if xs[found] > 2.0:
            found = found + 100  # error
            break
    return found
```

## Good

```python
import tensorflow as tf

@tf.function
def first_large(xs):
    found = -1
    for i in tf.range(tf.size(xs)):
        found = i
        if xs[i] > 2.0:
            found = i + 100
            break
    return found
```

## Evidence

```python
import tensorflow as tf

xs = tf.constant([1.0, 3.0, 2.0])
assert bad.first_large.python_function(xs).numpy() == 101
assert bad.first_large(xs).numpy() == 1
assert good.first_large(xs).numpy() == 101
```

## Limits

Only assignments are reported that the trace comes to.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import TargetLost


@rule(family="undefined", severity=Severity.ERROR, judges=TargetLost, true_for=AUTOGRAPH)
def judge(lost: TargetLost, view: View) -> Iterator[Finding]:
    message = (
        f"`{lost.name}` is the loop variable, so AutoGraph drops what is assigned here: after the loop, `{lost.name}` "
        "holds the last item. Assign to another name, and read that after the loop."
    )
    given_back = f"the function that AutoGraph makes here doesn't give back `{lost.name}`"
    related = ((lost.target, "the loop variable"), (lost.construct, given_back))
    yield Finding(lost.place, message, related, (), lost.confidence)
