"""A traced function is called in a graph with a Keras 3 variable as an argument.

## What it does

Finds weights created by `add_weight`, and `optimizer.iterations`, among the arguments of a `tf.function` that is
called inside a graph: in `call`, in a training step, in another traced function.

## Why it is bad

To choose a trace, `tf.function` inspects each argument, and treats a Keras 3 variable as an array. Its value can't be
read inside a graph:

    NotImplementedError: numpy() is only available when eager execution is enabled.

Called eagerly, the same code runs.

## Bad

```python
import tensorflow as tf

class Memory(tf.keras.layers.Layer):
    def build(self, shape):
        self.memory = self.add_weight(shape=(10, shape[-1]))

    @tf.function
    def attend(self, x, memory):
        return tf.matmul(tf.nn.softmax(tf.matmul(x, memory, transpose_b=True)), memory)

    def call(self, x):
        return self.attend(x, self.memory)  # error

def main():
    return Memory()(tf.keras.Input([4]))
```

## Good

```python
import tensorflow as tf

class Memory(tf.keras.layers.Layer):
    def build(self, shape):
        self.memory = self.add_weight(shape=(10, shape[-1]))

    @tf.function
    def attend(self, x):
        return tf.matmul(tf.nn.softmax(tf.matmul(x, self.memory, transpose_b=True)), self.memory)

    def call(self, x):
        return self.attend(x)

def main():
    return Memory()(tf.keras.Input([4]))
```

## Evidence

```python
import pytest

with pytest.raises(NotImplementedError, match="only available when eager execution"):
    bad.main()
assert good.main().shape == (None, 4)
```

## Limits

Keras 2 variables are TensorFlow variables and are ignored, and so are functions with an `input_signature`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import WeightPassed


@rule(family="state", severity=Severity.ERROR, judges=WeightPassed)
def judge(passed: WeightPassed, view: View) -> Iterator[Finding]:
    yield Finding(
        passed.place,
        f"`{passed.name}` receives a Keras variable inside a graph, where tf.function can't read its value and "
        "raises NotImplementedError. Read the variable inside the function, or pass its `.value`.",
        confidence=passed.confidence,
    )
