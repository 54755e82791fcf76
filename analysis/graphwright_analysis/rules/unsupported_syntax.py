"""A walrus, a `match` or an `async def` keeps the whole function from being converted.

## What it does

Finds functions with `:=`, `match` or `async def` that also test, match or loop over a tensor, and `tf.function`
applied to a coroutine.

## Why it is bad

AutoGraph doesn't support this syntax. The whole function then runs unconverted, with at most a log line, and the first
test of a tensor in it fails:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf
@tf.function
def f(x):
    if (y := tf.reduce_sum(x)) > 0:  # error
        x = x * y
    return x
```

## Good

```python
import tensorflow as tf
@tf.function
def f(x):
    y = tf.reduce_sum(x)
    if y > 0:
        x = x * y
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant(3.0)
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 9.0
assert fixed.f(x).numpy() == 9.0
```

## Limits

Only the first failure is reported, because tracing ends there. A function without tensor control flow isn't reported:
it works unconverted.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import hoisting, match_statements, refusals, walrus
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import NeverAFunction, PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause


@rule(
    family="conversion",
    severity=Severity.ERROR,
    judges=(PythonTruth, PythonIteration, NeverAFunction),
    fixable=True,
)
def judge(use: PythonTruth | PythonIteration | NeverAFunction, view: View) -> Iterator[Finding]:
    if isinstance(use, NeverAFunction):
        if use.cause == Cause.ASYNC:
            message = f"TensorFlow can't trace `{use.name}`: it returns a coroutine. Use a plain `def`."
            yield Finding(hoisting.header(use.place), message, confidence=use.confidence)
        return
    if use.why is None or not refusals.is_for(use, Cause.ASYNC, Cause.MATCH, Cause.WALRUS):
        return
    reason, cure = _REASONS[use.why.cause]
    repairs = walrus.repairs(use.why.place, use.statement) or match_statements.repairs(use.why.place)
    yield from refusals.told(use, reason.format(use.why.name), cure, "AutoGraph doesn't support this", repairs)


_REASONS = {
    Cause.WALRUS: (
        "`{}` contains a walrus (`:=`), so AutoGraph leaves the whole function unconverted",
        "Assign the name in a separate statement.",
    ),
    Cause.MATCH: (
        "`{}` contains a `match`, so AutoGraph leaves the whole function unconverted",
        "Use `if` and `elif`.",
    ),
    Cause.ASYNC: (
        "`{}` contains an `async def`, so AutoGraph leaves the whole function unconverted",
        "Use a plain `def`.",
    ),
}
