"""A tensor is used as a Python bool in code that isn't converted.

## What it does

Finds comprehension filters, `bool()`, `any()`, `all()`, `min()` and `max()` on tensors in graph code, and tests in
functions that such a builtin, or `tf.cond` and the like, calls unconverted.

## Why it is bad

AutoGraph converts statements and operators, but not these. Python evaluates a symbolic tensor as a bool:

    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if all(v > 0 for v in [tf.reduce_min(x), tf.reduce_max(x)]):  # error
        return x
    return -x
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_all([v > 0 for v in [tf.reduce_min(x), tf.reduce_max(x)]]):
        return x
    return -x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(-x).numpy().tolist() == [1.0, 3.0]
```

## Limits

A tensor created outside the function has a value and can be tested; it isn't reported. Other rules cover `assert` and
tests in unconverted functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import reductions, refusals
from graphwright_analysis.fixes.sources import quoted, sentence, text_of
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.values.domain import KerasTensor


@rule(
    family="conversion",
    severity=Severity.ERROR,
    judges=(PythonTruth, PythonIteration),
    fixable=True,
)
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if isinstance(use.value, KerasTensor):
        return
    if use.why is not None:
        if refusals.is_for(use, Cause.CALLBACK):
            reason = f"`{use.why.name}` calls this function without converting it"
            yield from refusals.told(use, reason, "Call it from a lambda or a local function.")
        return
    if isinstance(use, PythonIteration) or use.how not in _WORDS:
        return
    tensorflow = view.tensorflow or "tf"
    what, cure = _WORDS[use.how]
    yield Finding(
        use.place,
        f"{what.format(sentence(quoted(use.place)))}; TensorFlow raises an error while tracing. "
        f"{cure.format(tf=tensorflow)}",
        repairs=reductions.repairs(use, text_of(use.place), view.tensorflow),
        confidence=use.confidence,
    )


_WORDS = {
    "comprehension filter": (
        "{} is a tensor, and a comprehension's filter evaluates it as a Python bool",
        "Use {tf}.boolean_mask or {tf}.where.",
    ),
    "bool()": ("{} is a tensor, and AutoGraph doesn't convert `bool()`", "Remove `bool()`, or use {tf}.cast."),
    "any": ("`any` evaluates each tensor as a Python bool", "Use {tf}.reduce_any."),
    "all": ("`all` evaluates each tensor as a Python bool", "Use {tf}.reduce_all."),
    "min": ("`min` compares tensors in Python", "Use {tf}.minimum or {tf}.reduce_min."),
    "max": ("`max` compares tensors in Python", "Use {tf}.maximum or {tf}.reduce_max."),
    "filter": ("`filter` evaluates each tensor as a Python bool", "Use {tf}.boolean_mask."),
    "tuple comparison": ("{} compares tensors in Python", "Compare the elements separately."),
    "list search": ("{} compares tensors in Python", "Use {tf}.where or {tf}.reduce_any."),
    "nested conditional": (
        "{} is a tensor, and AutoGraph converts only the outermost of nested conditional expressions",
        "Use {tf}.where, or `if` statements.",
    ),
}
