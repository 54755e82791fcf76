"""A symbolic tensor is passed to `tf.constant`, directly or in a list.

## What it does

Finds calls of `tf.constant` in a graph whose value is a tensor of that graph, or a list or tuple that contains one.

## Why it is bad

`tf.constant` writes a value into the graph, and a symbolic tensor has none. It rejects a list with any tensor in it.

    TypeError: Expected any non-tensor type, but got a tensor instead.

Called eagerly, the same code works.

## Bad

```python
import tensorflow as tf

@tf.function
def pair(x: tf.Tensor, y: tf.Tensor):
    return tf.constant([x, y])  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def pair(x: tf.Tensor, y: tf.Tensor):
    return tf.stack([x, y])
```

## Evidence

```python
import pytest
import tensorflow as tf

x, y = tf.constant(1.0), tf.constant(2.0)
with pytest.raises(TypeError, match="Expected any non-tensor type, but got a tensor"):
    bad.pair(x, y)
assert good.pair(x, y).numpy().tolist() == [1.0, 2.0]
assert fixed.pair(x, y).numpy().tolist() == [1.0, 2.0]
```

## Limits

Code in a `try` that catches the error is ignored, and so is an eager tensor from outside, which has a value.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes.replacing import text_of
from graphwright_analysis.fixes.sources import quoted
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import OutsideCall
from graphwright_analysis.values.domain import Tensor, Tuple, Value, Variable


@rule(family="effects", severity=Severity.ERROR, judges=OutsideCall, fixable=True, true_for=AUTOGRAPH)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    if call.name != "tf.constant" or not call.in_graph or not call.arguments:
        return
    if call.attempted or call.meant_for_others:
        return
    value = call.arguments[0]
    if not _has_no_value(value.value):
        return
    holds = "contains a tensor" if isinstance(value.value, Tuple) else "is a tensor"
    tensorflow = view.tensorflow or "tf"
    yield Finding(
        call.place,
        f"{quoted(value.place)} {holds} without a value during tracing, but `tf.constant` needs its value: "
        f"TensorFlow raises TypeError. Use {tensorflow}.stack or {tensorflow}.convert_to_tensor.",
        (),
        tuple(_converted(call)),
        Confidence.LIKELY if call.uncertain else Confidence.CERTAIN,
    )


def _has_no_value(value: Value) -> bool:
    return isinstance(value, Variable) or (isinstance(value, Tensor) and not value.eager) or _holds_tensor(value)


def _holds_tensor(value: Value, depth: int = 3) -> bool:
    inside = value.items if isinstance(value, Tuple) and depth else ()
    return any(isinstance(item, Tensor) or _holds_tensor(item, depth - 1) for item in inside)


def _converted(call: OutsideCall) -> Iterator[Repair]:
    """`tf.convert_to_tensor` in its place, where no shape is asked for."""
    name = text_of(call.function)
    if len(call.arguments) == 1 and call.arguments[0].name is None and name.endswith(".constant"):
        made = f"{name.removesuffix('constant')}convert_to_tensor"
        yield Repair(f"Use {made}", ((call.function, made),), certain=True)
