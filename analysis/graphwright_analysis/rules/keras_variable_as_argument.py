"""A traced function is called in a graph with a variable of Keras 3 as an argument.

## What it does

Finds weights that `add_weight` has made, and `optimizer.iterations`, among the arguments of a function under
`tf.function` that is called while a graph is made: in `call`, in a step, in another traced function.

## Why it is bad

To tell one trace from another, `tf.function` asks each argument what it is, and takes a variable of Keras 3 for an
array. Its value can't be read while a graph is made:

    NotImplementedError: numpy() is only available when eager execution is enabled.

Called eagerly the same code runs.

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

Variables of Keras 2 are TensorFlow's own and are left alone, and so are functions with an `input_signature`.
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
        f"`{passed.name}` is called in a graph with a Keras variable as an argument, and tf.function can't read its "
        "value there: it raises NotImplementedError. Use the variable inside of the function, or pass its `.value`.",
        confidence=passed.confidence,
    )
