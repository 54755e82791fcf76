"""A graph condition isn't a bool, or has more than one element.

## What it does

Checks the condition of every `if`, `while` and conditional expression in the graph, the operands of `and`, `or` and
`not` there, and the predicate of `tf.cond`: the dtype must be bool, and there must be a single element, of any rank.
The predicate of a Dataset's `filter` must return a bool scalar.

## Why it is bad

A graph doesn't convert numbers to bool, nor several bools to one. TensorFlow can't build the `if`:

    ValueError: condition of if statement expected to be `tf.bool` scalar, got Tensor("Greater:0", shape=(2,),
    dtype=bool); to check for None, use `is not None`

Eagerly a nonzero number is true and a tensor of one element passes, so the code may run until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if x > 0:  # error
        x = x + 1
    return x

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_all(x > 0):
        x = x + 1
    return x

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(ValueError, match="condition of if statement expected to be `tf.bool` scalar"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [2.0, 4.0]
assert fixed.f(x).numpy().tolist() == [2.0, 4.0]
```

## Limits

A condition with an axis of unknown size is a warning: it passes while tracing and fails at run time unless it has a
single element. Conditions of unknown dtype and shape aren't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import conditions, element_choice
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import StagedCondition
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import Tensor, Variable


@rule(family="consistency", severity=Severity.ERROR, judges=StagedCondition, fixable=True)
def judge(condition: StagedCondition, view: View) -> Iterator[Finding]:
    value = condition.value
    if not isinstance(value, (Tensor, Variable)):
        return
    what = _WHAT.get(condition.role, f"condition of this `{condition.role}`")
    dtype = value.dtype
    if dtype not in (None, "bool") and condition.converter is Converter.AUTOGRAPH:
        cure = "To choose a value, write `tf.where(x != 0, x, y)`"
        cure = cure if condition.wanted else "Write a comparison, such as `x != 0`"
        message = f"The {what} is {dtype}, not bool; TensorFlow rejects it. {cure}."
        # Where its value is made use of, a comparison would put a bool in its place.
        compares = condition.role not in _FUNCTIONS and not condition.wanted
        repairs = tuple(_compared(condition, dtype)) if compares else ()
        yield Finding(condition.place, message, (), repairs, condition.confidence)
        return
    if not condition.decides or value.shape is None or 0 in value.shape:
        return
    exact = condition.role == "predicate" and value.shape
    if exact or any(size not in (None, 1, shapes.ANY) for size in value.shape):
        message = (
            f"The {what} has shape {shapes.text(value.shape)}, but a condition must be a single bool; "
            f"{condition.converter.maker} rejects it. {_CURE}"
        )
        repairs = tuple(_reduced(condition, view)) if condition.role not in _FUNCTIONS else ()
        yield Finding(condition.place, message, (), repairs, condition.confidence)
    elif None in value.shape:
        message = f"The {what} has shape {shapes.text(value.shape)}, so it fails with more than one element. {_CURE}"
        yield Finding(condition.place, message, (), tuple(_reduced(condition, view)), Confidence.LIKELY)


_CURE = "Reduce it with tf.reduce_all or tf.reduce_any, or choose elementwise with tf.where."
_FUNCTIONS = ("tf.while_loop", "predicate")
_WHAT = {
    "predicate": "predicate's result",
    "conditional expression": "condition of this conditional expression",
    "and": "operand of `and`",
    "or": "operand of `or`",
    "not": "operand of `not`",
}


def _compared(condition: StagedCondition, dtype: str | None) -> Iterator[Repair]:
    if dtype in dtypes.FLOATS | dtypes.INTEGERS:
        yield Repair("Compare it with 0", (conditions.compared_with_zero(condition.place),), certain=True)


def _reduced(condition: StagedCondition, view: View) -> Iterator[Repair]:
    if view.tensorflow is not None:
        for name, title in (("reduce_all", "all elements are true"), ("reduce_any", "any element is true")):
            edit = conditions.wrapped(condition.place, f"{view.tensorflow}.{name}")
            yield Repair(f"Test whether {title}", (edit,))
    yield from element_choice.repairs(condition.place, view.tensorflow)
