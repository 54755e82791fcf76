"""A tensor condition guards an index that the static shape doesn't have.

## What it does

Finds an index outside of a tensor's static shape on a side of an `if` that becomes part of the graph.

## Why it is bad

Both sides of such an `if` are traced, whatever the condition will say when the graph runs; an index outside of a
shape that is known while tracing is refused there and then:

    ValueError: slice index 3 of dimension 1 out of bounds.

## Bad

```python
import tensorflow as tf

@tf.function
def f(img):
    alpha = tf.ones_like(img[:, 0])
    if tf.shape(img)[1] == 4:
        alpha = img[:, 3]  # error
    return alpha

def of_three_columns():
    return f(tf.ones([2, 3]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(img):
    alpha = tf.ones_like(img[:, 0])
    if img.shape[1] == 4:
        alpha = img[:, 3]
    return alpha

def of_three_columns():
    return f(tf.ones([2, 3]))
```

## Evidence

```python
import pytest

with pytest.raises(ValueError, match="slice index 3 of dimension 1 out of bounds"):
    bad.of_three_columns()
assert good.of_three_columns().shape == (2,)
assert fixed.of_three_columns().shape == (2,)
```

## Limits

Only a shape that is known where the function is called, or from its `input_signature`, can be judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import OperationRefused


@rule(family="consistency", severity=Severity.WARNING, judges=OperationRefused, fixable=True)
def judge(refused: OperationRefused, view: View) -> Iterator[Finding]:
    if refused.kind != "index" or refused.branch is None:
        return
    repair = _static_guard(refused.branch, view.tensorflow)
    yield Finding(
        refused.place,
        f"This takes {refused.words}. The condition around it is a tensor, so both branches are traced either way, "
        "and TensorFlow rejects the index. Ask the static shape in the condition instead, as in `x.shape[1]`.",
        ((refused.branch, "this condition becomes part of the graph"),),
        () if repair is None else (repair,),
        refused.confidence,
    )


def _static_guard(condition: Place, tensorflow: str | None) -> Repair | None:
    """`tf.shape(x)[1] == 4` as `x.shape[1] == 4`, where the whole condition is of that kind."""
    text = condition.block.text[condition.range.start : condition.range.end]
    prefix = re.escape(tensorflow or "tf")
    found = re.fullmatch(rf"{prefix}\.shape\(([\w.]+)\)(\[-?\d+\]\s*(?:==|!=|<=|>=|<|>)\s*\d+)", text)
    if found is None:
        return None
    span = Range(condition.range.start, condition.range.end)
    edit = (Place(condition.block, span), f"{found.group(1)}.shape{found.group(2)}")
    return Repair("Ask the static shape", (edit,))
