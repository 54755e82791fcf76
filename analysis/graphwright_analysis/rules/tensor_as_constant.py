"""A symbolic tensor is passed where TensorFlow needs its value: to `tf.constant`, or as a static shape.

## What it does

Finds calls of `tf.constant` in a graph whose value is a tensor of that graph, or a list or tuple that contains one, and
such shapes in `set_shape`, `tf.ensure_shape`, `tf.TensorShape` and `tf.TensorSpec`.

## Why it is bad

`tf.constant` writes a value into the graph, and a symbolic tensor has none. It rejects a list with any tensor in it.

    TypeError: Expected any non-tensor type, but got a tensor instead.

A static shape consists of Python numbers, and None for sizes that only the graph knows.

    TypeError: Dimension value must be integer or None or have an __index__ method

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
    position, name = _NEEDING.get(call.name, (None, ""))
    if position is None or not call.in_graph or call.attempted or call.meant_for_others:
        return
    named = [argument for argument in call.arguments if argument.name == name]
    given = [argument for argument in call.arguments if argument.name is None]
    value = next(iter(named or given[position : position + 1]), None)
    constant = call.name == "tf.constant"
    if value is None or not (_has_no_value(value.value) if constant else _is_without_sizes(value.value)):
        return
    holds = "contains a tensor" if isinstance(value.value, Tuple) else "is a tensor"
    tensorflow = view.tensorflow or "tf"
    advice = f"Use {tensorflow}.stack or {tensorflow}.convert_to_tensor." if constant else _FOR_SHAPES
    yield Finding(
        call.place,
        f"{quoted(value.place)} {holds} without a value during tracing, but `{call.name}` needs its value: "
        f"TensorFlow raises TypeError. {advice}",
        (),
        tuple(_converted(call)) if constant else (),
        Confidence.LIKELY if call.uncertain else Confidence.CERTAIN,
    )


_SHAPES = {"tf.TensorShape": (0, "dims"), "tf.TensorSpec": (0, "shape"), "tf.ensure_shape": (1, "shape")}
_NEEDING = {"tf.constant": (0, "value"), **_SHAPES, "set_shape": (0, "shape")}
"""The position and name of the argument whose value is needed."""
_FOR_SHAPES = "Give the sizes as Python numbers, and None for those that only the graph knows."


def _has_no_value(value: Value) -> bool:
    return isinstance(value, Variable) or (isinstance(value, Tensor) and not value.eager) or _holds_tensor(value)


def _is_without_sizes(value: Value) -> bool:
    """Whether a shape, or one of its sizes, is a tensor without a value."""
    sizes = value.items if isinstance(value, Tuple) else (value,)
    return any(isinstance(size, Tensor) and not size.eager for size in sizes)


def _holds_tensor(value: Value, depth: int = 3) -> bool:
    inside = value.items if isinstance(value, Tuple) and depth else ()
    return any(isinstance(item, Tensor) or _holds_tensor(item, depth - 1) for item in inside)


def _converted(call: OutsideCall) -> Iterator[Repair]:
    """`tf.convert_to_tensor` in its place, where no shape is asked for."""
    name = text_of(call.function)
    if len(call.arguments) == 1 and call.arguments[0].name is None and name.endswith(".constant"):
        made = f"{name.removesuffix('constant')}convert_to_tensor"
        yield Repair(f"Use {made}", ((call.function, made),), certain=True)
