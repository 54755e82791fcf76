"""A tensor condition guards an index that is outside the static shape.

## What it does

Finds an index outside a tensor's static shape in a branch of a graph `if`.

## Why it is bad

Both branches of a graph `if` are traced, whatever the condition is at run time. TensorFlow rejects an index outside a
static shape while tracing:

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

The shape must be known from the calls of the function or its `input_signature`.
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
        f"{refused.words[:1].upper()}{refused.words[1:]}. The condition around it is a tensor, so both branches are "
        "traced and TensorFlow rejects the index. Test the static shape instead, such as `x.shape[1]`.",
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
    return Repair("Test the static shape", (edit,))
