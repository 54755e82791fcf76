"""A comment that allows findings which don't exist.

## What it does

Looks for `# graphwright: allow[...]` comments whose rules report nothing where the comment applies.

## Why it is bad

The code was fixed and the comment stayed: it says that something is wrong there, and it would hide the next mistake.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    y = x
    if tf.reduce_sum(x) > 0:  # graphwright: allow[undefined-in-branch] # error
        y = x + x
    return y

f(tf.constant(1.0))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    y = x
    if tf.reduce_sum(x) > 0:
        y = x + x
    return y

f(tf.constant(1.0))
```

## Evidence

```python
import tensorflow as tf

x = tf.constant(1.0)
assert bad.f(x).numpy() == good.f(x).numpy() == fixed.f(x).numpy() == 2.0
```

## Limits

Reports a comment only if the rule is switched on, no other file of the project imports this one, the file's own code
calls the function around the comment, and every value in the statement is known: otherwise a finding could be missing
for another reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity, Tag
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import AllowUnused


@rule(
    family="comments",
    severity=Severity.HINT,
    judges=AllowUnused,
    fixable=True,
)
def judge(unused: AllowUnused, view: View) -> Iterator[Finding]:
    names = f"`allow[{unused.names}]`" if unused.names else "`allow`"
    message = f"{names} is unused: there is no such finding here."
    repair = Repair(f"Remove {names}", ((unused.removed, unused.text),), certain=True)
    yield Finding(unused.place, message, (), (repair,), tags=(Tag.UNNECESSARY,))
