"""Python control flow on a symbolic tensor of Keras' functional models.

## What it does

Follows what `tf.keras.Input` gives, and what layers and operators make of it, and finds where Python tests or iterates
it.

## Why it is bad

It is a placeholder for a shape and a dtype, and nothing converts code that handles it:

    TypeError: A symbolic KerasTensor cannot be used as a boolean.

## Bad

```python
import tensorflow as tf

def build():
    given = tf.keras.Input([3])
    if given[0, 0] > 0:  # error
        return given
    return -given
```

## Good

```python
import tensorflow as tf

class Pick(tf.keras.layers.Layer):
    def call(self, x):
        return tf.where(x[0, 0] > 0, x, -x)

def build():
    given = tf.keras.Input([3])
    return Pick()(given)
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="A symbolic KerasTensor cannot be used as a boolean"):
    bad.build()
assert good.build().shape == (None, 3)
```

## Limits

What functions outside the file make of such a tensor is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.sources import quoted, sentence
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.values.domain import KerasTensor


@rule(family="conversion", severity=Severity.ERROR, judges=(PythonTruth, PythonIteration))
def judge(use: PythonTruth | PythonIteration, view: View) -> Iterator[Finding]:
    if not isinstance(use.value, KerasTensor):
        return
    place = use.iterated if isinstance(use, PythonIteration) and use.iterated is not None else use.place
    does = "iterate" if isinstance(use, PythonIteration) else "test"
    yield Finding(
        use.place,
        f"{sentence(quoted(place))} is a symbolic Keras tensor, and Python can't {does} it; Keras will raise an error. "
        "Write it in the `call` of a layer with tf.where or tf.cond, or with keras.ops.",
        confidence=use.confidence,
    )
