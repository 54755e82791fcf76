"""Python control flow, or a function of TensorFlow's, on a symbolic tensor of Keras' functional models.

## What it does

Follows what `tf.keras.Input` gives, and what layers and operators make of it, and finds where Python tests or iterates
it, and where a function of TensorFlow's or NumPy's gets it.

## Why it is bad

It is a placeholder for a shape and a dtype, and nothing converts code that handles it:

    TypeError: A symbolic KerasTensor cannot be used as a boolean.
    ValueError: A KerasTensor cannot be used as input to a TensorFlow function.

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
import tensorflow as tf

with pytest.raises(TypeError, match="A symbolic KerasTensor cannot be used as a boolean"):
    bad.build()
with pytest.raises(ValueError, match="A KerasTensor cannot be used as input to a TensorFlow function"):
    tf.nn.softmax(tf.keras.Input([3]))
assert good.build().shape == tf.keras.ops.softmax(tf.keras.Input([3])).shape == (None, 3)
```

## Limits

Keras 2 makes a layer of a function of TensorFlow's: that a function gets such a tensor is information, and nothing is
said where a file names Keras 2 (`tf_keras`, `TF_USE_LEGACY_KERAS`) or its project's requirements ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.sources import quoted, sentence
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth, SymbolGiven
from graphwright_analysis.values.domain import KerasTensor


@rule(family="conversion", severity=Severity.ERROR, judges=(PythonTruth, PythonIteration, SymbolGiven))
def judge(use: PythonTruth | PythonIteration | SymbolGiven, view: View) -> Iterator[Finding]:
    if isinstance(use, SymbolGiven):
        yield _given(use)
        return
    if not isinstance(use.value, KerasTensor):
        return
    place = use.iterated if isinstance(use, PythonIteration) and use.iterated is not None else use.place
    does = "iterate" if isinstance(use, PythonIteration) else "test"
    yield Finding(
        use.place,
        f"{sentence(quoted(place))} is a symbolic Keras tensor, and Python can't {does} it; Keras raises an error. "
        "Write it in the `call` of a layer with tf.where or tf.cond, or with keras.ops.",
        confidence=use.confidence,
    )


def _given(use: SymbolGiven) -> Finding:
    return Finding(
        use.place,
        f"{sentence(quoted(use.place))} is a symbolic Keras tensor, which Keras 3 doesn't let `{use.function}` take: "
        "it raises an error, where Keras 2 made a layer of the function. Call it in the `call` of a layer, or use "
        "keras.ops.",
        confidence=use.confidence,
        severity=Severity.INFORMATION,
    )
