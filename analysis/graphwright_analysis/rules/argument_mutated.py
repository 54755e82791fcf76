"""A list or dict that a traced function gets as an argument is changed inside it.

## What it does

Follows the lists and dicts among the arguments and defaults of a traced function, with all that is in them, and
reports a change that is still there when the trace ends.

## Why it is bad

TensorFlow traces with copies and refuses a function that changes them:

    ValueError: g(x, acc=[]) should not modify its Python input arguments. Modifying a copy is allowed. The following
    parameter(s) were modified: acc

## Bad

```python
import tensorflow as tf

@tf.function
def total(x, parts):
    parts.append(x)  # error
    return tf.add_n(parts)

def run():
    return total(tf.constant(1.0), [tf.constant(2.0)])
```

## Good

```python
import tensorflow as tf

@tf.function
def total(x, parts):
    parts = [*parts, x]
    return tf.add_n(parts)

def run():
    return total(tf.constant(1.0), [tf.constant(2.0)])
```

## Evidence

```python
import pytest

with pytest.raises(ValueError, match="should not modify its Python input arguments"):
    bad.run()
assert float(good.run()) == 3.0
assert float(fixed.run()) == 3.0
```

## Limits

Where no call is seen, what a parameter gets isn't known, and nothing is said. Attributes of an argument may be set.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import copies
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import ArgumentChanged


@rule(family="effects", severity=Severity.ERROR, judges=ArgumentChanged, fixable=True)
def judge(change: ArgumentChanged, view: View) -> Iterator[Finding]:
    edits = copies.copy_first(change)
    repairs = () if edits is None else (Repair(f"Copy `{change.parameter}` first", edits),)
    yield Finding(
        change.place,
        f"This changes the {change.kind} that came as the argument `{change.parameter}` of a traced function, and "
        f"TensorFlow refuses to trace a function that changes its arguments. Change a copy: "
        f"`{change.parameter} = {change.kind}({change.parameter})`.",
        () if change.defined is None else ((change.defined, "the function that is traced"),),
        repairs,
        change.confidence,
    )
