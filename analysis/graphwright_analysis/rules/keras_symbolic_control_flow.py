"""Python control flow or a TensorFlow function is applied to a symbolic tensor of a functional Keras model.

## What it does

Follows the results of `tf.keras.Input`, and of layers and operators applied to them. Reports where Python tests or
iterates over one, and where it is passed to a TensorFlow or NumPy function.

## Why it is bad

It is a placeholder for a shape and a dtype, and nothing converts code that uses it:

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

Keras 2 wraps a TensorFlow function in a layer. So passing such a tensor to a function is reported as information, and
not at all if the file names Keras 2 (`tf_keras`, `TF_USE_LEGACY_KERAS`) or the project requires it.
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
    does = "iterate over it" if isinstance(use, PythonIteration) else "evaluate it as a bool"
    yield Finding(
        use.place,
        f"{sentence(quoted(place))} is a symbolic Keras tensor, and Python can't {does}; Keras raises an error. Use "
        "keras.ops, or move the code to a layer's `call` and use tf.where or tf.cond there.",
        confidence=use.confidence,
    )


def _given(use: SymbolGiven) -> Finding:
    return Finding(
        use.place,
        f"{sentence(quoted(use.place))} is a symbolic Keras tensor, which Keras 3 doesn't accept in `{use.function}`: "
        "it raises an error (Keras 2 wrapped the function in a layer). Use keras.ops, or call the function in a "
        "layer's `call`.",
        confidence=use.confidence,
        severity=Severity.INFORMATION,
    )
