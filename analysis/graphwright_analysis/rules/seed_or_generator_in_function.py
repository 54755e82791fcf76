"""A random generator is created, or the seed set, while a function is traced.

## What it does

Finds `tf.random.Generator` objects created on each trace, and `tf.random.set_seed` in graph code.

## Why it is bad

A generator holds its state in a variable, and a traced function may create variables only once.

    ValueError: tf.function only supports singleton tf.Variables created on the first call.

A seed set in a traced function is set only while tracing.

## Bad

```python
import tensorflow as tf

@tf.function
def draw():
    generator = tf.random.Generator.from_seed(1)  # error
    return generator.normal([2])
```

## Good

```python
import tensorflow as tf

generator = tf.random.Generator.from_seed(1)

@tf.function
def draw():
    return generator.normal([2])
```

## Evidence

```python
import pytest

with pytest.raises(ValueError, match="singleton tf.Variables"):
    bad.draw()
assert good.draw().shape == [2]
```

## Limits

A generator created only if it doesn't exist yet is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import OutsideCall, StateMade


@rule(family="effects", severity=Severity.ERROR, judges=(OutsideCall, StateMade))
def judge(fact: OutsideCall | StateMade, view: View) -> Iterator[Finding]:
    if isinstance(fact, StateMade):
        if fact.name.startswith(("tf.random.", "tf.keras.random.")):
            yield Finding(
                fact.place,
                "A random generator holds its state in a variable, and each trace would create a new one: "
                "tf.function raises ValueError. Create it once, outside the function.",
            )
    elif fact.name == "tf.random.set_seed" and fact.in_graph:
        yield Finding(
            fact.place,
            "The seed is set only while the function is traced. Set it outside the function, or use stateless "
            "functions such as tf.random.stateless_uniform.",
            confidence=Confidence.LIKELY,
        )
