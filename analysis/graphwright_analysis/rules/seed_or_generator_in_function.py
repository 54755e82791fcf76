"""A random generator is made, or the seed set, while a function is traced.

## What it does

Finds `tf.random.Generator` objects that are made again in each trace, and `tf.random.set_seed` in code that becomes
part of a graph.

## Why it is bad

A generator keeps its state in a variable, and a traced function may make variables only once.

    ValueError: tf.function only supports singleton tf.Variables created on the first call.

A seed that is set while tracing is set then and never again.

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

A generator that is only made where a test says that it isn't there yet is left alone.
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
                "A random generator keeps its state in a variable, and each trace would make a new one: tf.function "
                "will refuse. Make it once, outside of the function.",
            )
    elif fact.name == "tf.random.set_seed" and fact.in_graph:
        yield Finding(
            fact.place,
            "The seed is set while the function is traced and never again. Set it outside of the function, or use "
            "tf.random.stateless_uniform and the like with a seed.",
            confidence=Confidence.LIKELY,
        )
