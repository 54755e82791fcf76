"""A traced function modifies a list or dict that was passed to it.

## What it does

Follows the lists and dicts in the arguments and defaults of a traced function, including nested ones, and reports a
modification that is still there when the trace ends.

## Why it is bad

TensorFlow traces with copies of the arguments and raises if the function modified them:

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

Parameters are reported only if the file contains a call. Setting attributes of an argument is allowed.
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
        f"This modifies the {change.kind} passed as `{change.parameter}`; TensorFlow raises ValueError when a traced "
        f"function modifies its arguments. Modify a copy: `{change.parameter} = {change.kind}({change.parameter})`.",
        () if change.defined is None else ((change.defined, "the traced function"),),
        repairs,
        change.confidence,
    )
