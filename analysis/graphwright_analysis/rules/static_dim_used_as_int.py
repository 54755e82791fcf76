"""A size of a static shape is used as a number, but it is None while the function is traced.

## What it does

Finds `x.shape[i]` that is None under the function's `input_signature` or a Dataset's elements, and that goes into
arithmetic, `range`, or a shape given to TensorFlow, directly or by a name.

## Why it is bad

The static shape holds what is known while tracing; a batch axis that may have any size is None there, not a number:

    TypeError: Expected int32, but got None of type 'NoneType'.
    TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'

Called eagerly the same code runs, for there every size is a number.

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

Only a size that is surely None is reported.
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
    repair = _dynamic(used.source, view.tensorflow)
    if used.building:
        message = f"{axis} isn't known when Keras builds the layer, so the shape has None there, and "
        message += f"`{used.operation}` can't take None. Build with sizes that are known, such as `input_shape[-1]`."
    else:
        message = f"{axis} isn't known while tracing, so `.shape` gives None, and `{used.operation}` can't take None. "
        message += "Read it with tf.shape(x)[i], which is there when the graph runs."
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
    return Repair("Read the size when the graph runs", (edit,))
