"""A size from a static shape is used as a number, but is None while the function is traced.

## What it does

Finds `x.shape[i]` that is None under the function's `input_signature` or for a Dataset's elements, and is used in
arithmetic, in `range`, or in a shape passed to TensorFlow, directly or through a name. Also finds sizes of
`tf.keras.Input` that are None and are used in this way while the layers of a model are connected.

## Why it is bad

The static shape holds only what is known while tracing. A batch axis of any size is None there, not a number:

    TypeError: Expected int32, but got None of type 'NoneType'.
    TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'

Called eagerly, the same code runs, because every size is a number.

## Bad

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def f(x):
    return tf.zeros([x.shape[0], 4])  # error
```

## Good

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def f(x):
    return tf.zeros([tf.shape(x)[0], 4])
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(TypeError, match="Expected int32, but got None"):
    bad.f(tf.ones([2, 3]))
assert good.f(tf.ones([2, 3])).shape == (2, 4)
assert fixed.f(tf.ones([2, 3])).shape == (2, 4)
```

## Limits

Only sizes known to be None are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import SizeMissing


@rule(family="consistency", severity=Severity.WARNING, judges=SizeMissing, fixable=True)
def judge(used: SizeMissing, view: View) -> Iterator[Finding]:
    axis = "A size" if used.axis is None else f"The size of axis {used.axis}"
    repair = _dynamic(used.source, view.tensorflow) if used.stage != "model" else None
    if used.stage == "build":
        message = f"{axis} is unknown when Keras builds the layer, so the shape has None there, and "
        message += f"`{used.operation}` doesn't accept None. Use only known sizes, such as `input_shape[-1]`."
    elif used.stage == "model":
        message = f"{axis} is unknown when Keras connects the layers, so `.shape` has None there, and "
        message += f"`{used.operation}` doesn't accept None. Give `Input` that size, or read it in a layer's `call`."
    else:
        message = f"{axis} is unknown while tracing, so `.shape` has None there, and `{used.operation}` doesn't accept "
        message += "None. Use `tf.shape(x)[i]`, which is evaluated when the graph runs."
    yield Finding(
        used.place,
        message,
        ((used.source, "None comes from here"),) if used.source.range.start != used.place.range.start else (),
        () if repair is None else (repair,),
        used.confidence,
    )


def _dynamic(source: Place, tensorflow: str | None) -> Repair | None:
    """`x.shape[0]` as `tf.shape(x)[0]`."""
    span = source.value
    if span is None or tensorflow is None:
        return None
    found = re.fullmatch(r"([\w.]+)\.shape(\[-?\d+\])", source.block.text[span.start : span.end])
    if found is None:
        return None
    edit = (
        Place(source.block, Range(span.start, span.end)),
        f"{tensorflow}.shape({found.group(1)}){found.group(2)}",
    )
    return Repair("Read the size at run time with tf.shape", (edit,))
