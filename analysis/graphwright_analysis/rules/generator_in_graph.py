"""A generator tests or loops over a tensor.

## What it does

Follows the generators that graph code calls, and finds tensors that they test or loop over.

## Why it is bad

AutoGraph never converts a generator, nor a function that contains one:

    OperatorNotAllowedInGraphError: Iterating over a symbolic `tf.Tensor` is not allowed.

## Bad

```python
import tensorflow as tf
def rows(x):
    for i in tf.range(tf.shape(x)[0]):  # error
        yield x[i]

@tf.function
def f(x):
    return tf.add_n([row for row in rows(x)])
```

## Good

```python
import tensorflow as tf
@tf.function
def f(x):
    total = tf.constant(0.0)
    for i in tf.range(tf.shape(x)[0]):
        total += x[i]
    return total
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
with pytest.raises(TypeError, match="Iterating over a symbolic `tf.Tensor` is not allowed"):
    bad.f(x)
assert good.f(x).numpy() == 3.0
```

## Limits

Only the first failure is reported, because tracing ends there. Generators over Python lists work and aren't reported.
Under Graphwright's converter, loops over most such generators become part of the graph, and none are reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import hoisting, refusals
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import NeverAFunction, PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.values.converters import Converter


@rule(family="conversion", severity=Severity.ERROR, judges=(PythonTruth, PythonIteration, NeverAFunction))
def judge(use: PythonTruth | PythonIteration | NeverAFunction, view: View) -> Iterator[Finding]:
    if isinstance(use, NeverAFunction):
        if use.cause == Cause.GENERATOR:
            message = f"TensorFlow can't trace `{use.name}`: it returns a generator. Return a tensor."
            yield Finding(hoisting.header(use.place), message, confidence=use.confidence)
        return
    if use.why is None or not refusals.is_for(use, Cause.GENERATOR) or use.converter is not Converter.AUTOGRAPH:
        return
    name = f"`{use.why.name}`"
    reason = f"{name} is or contains a generator, and AutoGraph never converts generators"
    cure = "Inline the loop where its values are used, or use a tf.data.Dataset."
    yield from refusals.told(use, reason, cure, "the `yield`")
