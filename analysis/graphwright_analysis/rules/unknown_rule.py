"""A comment that allows a rule which doesn't exist.

## What it does

Looks for names in `# graphwright: allow[...]` and `allow-file[...]` that are neither a rule nor a family.

## Why it is bad

The comment allows nothing: the finding that it was written for is still reported, or the rule has a different name
now and the comment only looks as if it were needed.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    y = x
    # graphwright: allow[undefined-in-brnch] # error
    if tf.reduce_sum(x) > 0:
        y = x + x
    return y
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
```

## Evidence

```python
import tensorflow as tf

x = tf.constant(1.0)
assert bad.f(x).numpy() == good.f(x).numpy() == fixed.f(x).numpy() == 2.0
```

## Limits

Reports no comment whose rule exists: see unused-allow.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import RuleUnknown


@rule(
    family="comments",
    severity=Severity.WARNING,
    judges=RuleUnknown,
    fixable=True,
)
def judge(unknown: RuleUnknown, view: View) -> Iterator[Finding]:
    message = f"`{unknown.name}` is not a rule or a family, so it allows nothing."
    if unknown.nearest is None:
        yield Finding(unknown.place, f"{message} `graphwright explain` lists all rules.")
        return
    repair = Repair(f"Use {unknown.nearest}", ((unknown.place, unknown.nearest),))
    yield Finding(unknown.place, f"{message} Did you mean `{unknown.nearest}`?", (), (repair,))
