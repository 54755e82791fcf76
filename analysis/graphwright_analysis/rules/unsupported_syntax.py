"""A walrus, a `match` or an `async def` keeps the whole function from being converted.

## What it does

Looks for functions with `:=`, `match` or `async def` in which a tensor is then tested, matched or looped over, and for
`tf.function` on a coroutine.

## Why it is bad

AutoGraph doesn't know this syntax. The whole function then runs unconverted, with at most a log line, and
the next tensor that is tested in it fails:

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

Only the first place that fails is reported, because tracing ends there. A function without tensor control flow isn't
reported: there the construct does no harm.
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
            message = f"TensorFlow can't trace a coroutine: it refuses what `{use.name}` returns. Write a plain `def`."
            yield Finding(hoisting.header(use.place), message, confidence=use.confidence)
        return
    if use.why is None or not refusals.is_for(use, Cause.ASYNC, Cause.MATCH, Cause.WALRUS):
        return
    reason, cure = _REASONS[use.why.cause]
    repairs = walrus.repairs(use.why.place, use.statement) or match_statements.repairs(use.why.place)
    yield from refusals.told(use, reason.format(use.why.name), cure, "this is to blame", repairs)


_REASONS = {
    Cause.WALRUS: (
        "`{}` has a walrus (`:=`), which makes AutoGraph leave the whole function as it is",
        "Bind the name in a statement of its own.",
    ),
    Cause.MATCH: (
        "`{}` has a `match`, which makes AutoGraph leave the whole function as it is",
        "Write it with `if` and `elif`.",
    ),
    Cause.ASYNC: (
        "`{}` has an `async def`, which makes AutoGraph leave the whole function as it is",
        "Write a plain `def`.",
    ),
}
