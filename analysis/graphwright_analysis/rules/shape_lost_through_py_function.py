"""The result of `tf.py_function` is used where tracing needs its shape.

## What it does

Finds `.shape.as_list()`, `len(x.shape)`, a shape argument, a Keras layer and the like applied directly to the result
of `tf.py_function` or `tf.numpy_function`. Also finds Datasets of such tensors, or from `Dataset.from_generator`
without shapes, that are passed to `fit` or `evaluate` of a compiled model.

## Why it is bad

TensorFlow can't see into the Python function: it knows only the declared dtype of the result. Code that needs sizes or
the rank while tracing fails, often far from the call:

    ValueError: as_list() is not defined on an unknown TensorShape.

## Bad

```python
import tensorflow as tf

@tf.function
def f(i):
    t = tf.py_function(lambda v: tf.zeros([2, 3]), [i], tf.float32)
    return tf.zeros(t.shape.as_list())  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def f(i):
    t = tf.py_function(lambda v: tf.zeros([2, 3]), [i], tf.float32)
    t = tf.ensure_shape(t, [2, 3])
    return tf.zeros(t.shape.as_list())
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(ValueError, match="as_list.. is not defined on an unknown TensorShape"):
    bad.f(tf.constant(1))
assert good.f(tf.constant(1)).shape == (2, 3)
```

## Limits

Values computed from such a result aren't followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import OutsideCall, ShapeMissing
from graphwright_analysis.values.lost_shapes import LostShape, ShapelessTensor


@rule(family="consistency", severity=Severity.WARNING, judges=(OutsideCall, ShapeMissing))
def judge(call: OutsideCall | ShapeMissing, view: View) -> Iterator[Finding]:
    if isinstance(call, ShapeMissing):
        yield _fitted(call)
        return
    wants = _wants(call)
    if wants is None:
        return
    yield Finding(
        call.place,
        f"This comes from tf.py_function or tf.numpy_function, so its shape is unknown while tracing and {wants} "
        "fails. Set the shape with tf.ensure_shape right after the call.",
        (),
        (),
        call.confidence,
    )


def _fitted(missing: ShapeMissing) -> Finding:
    if missing.maker == "Dataset.from_generator":
        advice = "Pass an `output_signature` with a tf.TensorSpec for each tensor."
    else:
        advice = "Set the shape with tf.ensure_shape right after the call."
    return Finding(
        missing.place,
        f"`{missing.maker}` returns tensors of unknown rank, but `{missing.method}` needs their shapes: Keras raises "
        f"ValueError. {advice}",
        ((missing.fitted, "they are passed to the model here"),),
        (),
        missing.confidence,
    )


def _wants(call: OutsideCall) -> str | None:
    """What the call needs of a shape that isn't there, or None."""
    if call.name == "as_list" and isinstance(call.receiver, LostShape):
        return "`as_list()`"
    values = [argument.value for argument in call.arguments]
    if call.name in _WANT_SHAPES and any(isinstance(value, LostShape) for value in values):
        return f"`{call.name}`"
    first = values[0] if values else None
    layer = call.name.startswith("tf.keras.layers.") and call.name.rpartition(".")[2] in _LAYERS
    if isinstance(first, ShapelessTensor) and (layer or call.name in ("tf.unstack", "tf.image.resize")):
        return f"`{call.name}`"
    return None


_WANT_SHAPES = frozenset({"len", "tf.zeros", "tf.ones", "tf.fill", "tf.reshape", "tf.broadcast_to"})
_LAYERS = frozenset({"Dense", "Conv1D", "Conv2D", "Conv3D", "Flatten", "LSTM", "GRU"})
