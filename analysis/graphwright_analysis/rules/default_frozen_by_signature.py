"""A parameter that the `input_signature` omits is called with a value other than its default.

## What it does

Finds calls of functions with an `input_signature` that set a parameter after the last spec.

## Why it is bad

Such a parameter is frozen at its default when the function is traced. TensorFlow rejects any other value:

    TypeError: Binding inputs to tf.function failed due to `Can not cast True to Literal[False]`.

## Bad

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def g(x, training=False):
    return x if training else x * 2

def drive():
    return g(tf.ones([3]), training=True)  # error
```

## Good

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.bool)])
def g(x, training):
    return x if training else x * 2

def drive():
    return g(tf.ones([3]), tf.constant(True))
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="Can not cast True to Literal"):
    bad.drive()
assert good.drive().numpy().tolist() == [1.0, 1.0, 1.0]
```

## Limits

An unknown value is assumed to be the default.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import SignatureArgument, SignatureCall
from graphwright_analysis.values.domain import Array, Constant, Tensor, Variable


@rule(family="retracing", severity=Severity.ERROR, judges=SignatureCall)
def judge(call: SignatureCall, view: View) -> Iterator[Finding]:
    for given in call.arguments:
        if not isinstance(given.default, Constant) or not _differs(given):
            continue
        yield Finding(
            given.place,
            f"The input_signature of `{call.name}` omits `{given.parameter}`, which is frozen at its default, "
            f"{given.default.value!r}; TensorFlow rejects any other value. Add a tf.TensorSpec for it, or define a "
            "second function.",
            (),
            (),
            call.confidence,
        )


def _differs(given: SignatureArgument) -> bool:
    if isinstance(given.value, (Tensor, Variable, Array)):
        return True
    assert isinstance(given.default, Constant)
    # 1 and 1.0 are one value, as they are for TensorFlow.
    return isinstance(given.value, Constant) and given.value.value != given.default.value
