"""A tensor is iterated over by a construct that AutoGraph doesn't convert.

## What it does

Finds comprehensions, unpacking, `*`, and builtins such as `enumerate`, `zip`, `sum`, `min`, `list` or `reversed` that
iterate over a tensor in graph code, and sorting a list of tensors.

## Why it is bad

AutoGraph converts `for x in tensor`, but not these. Python can't iterate over a symbolic tensor, even if the length of
its first axis is known:

    OperatorNotAllowedInGraphError: Iterating over a symbolic `tf.Tensor` is not allowed.

## Bad

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([3])])
def f(x):
    total = 0.0
    for i, v in enumerate(x):  # error
        total += v * float(i)
    return total
```

## Good

```python
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([3])])
def f(x):
    total = 0.0
    for i in tf.range(tf.shape(x)[0]):
        total += x[i] * tf.cast(i, tf.float32)
    return total
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.ones([3])
with pytest.raises(TypeError, match="Iterating over a symbolic `tf.Tensor` is not allowed"):
    bad.f(x)
for module in (good, fixed):
    assert module.f(x).numpy() == 3.0
```

## Limits

A parameter without an annotation is a tensor only if the calls in the file show it.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import iterations, reductions
from graphwright_analysis.fixes.sources import quoted, sentence, text_of
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import PythonIteration
from graphwright_analysis.tracing.facts.python_use import IterationUse
from graphwright_analysis.values.domain import KerasTensor, Tensor, shape_of


@rule(family="collections", severity=Severity.ERROR, judges=PythonIteration, fixable=True)
def judge(use: PythonIteration, view: View) -> Iterator[Finding]:
    if use.why is not None or isinstance(use.value, KerasTensor):
        return
    tensorflow = view.tensorflow or "tf"
    if use.how in ("sort", "sorted"):
        what = f"{sentence(quoted(use.place))} compares tensors in Python"
        cure = f"Stack them and use {tensorflow}.sort."
    else:
        name = quoted(use.iterated) if use.iterated is not None else "this value"
        what = f"{sentence(name)} is a tensor, and {_WORDS.get(use.how, f'`{use.how}`')} iterates over it in Python"
        cure = _cure(use.how, tensorflow)
    yield Finding(
        use.place,
        f"{what}; TensorFlow raises an error while tracing. {cure}",
        repairs=tuple(_repairs(use, view.tensorflow)),
        confidence=use.confidence,
    )


_WORDS = {"comprehension": "a comprehension", "unpacking": "unpacking", "star": "`*`"}


def _cure(how: IterationUse, tensorflow: str) -> str:
    if how in ("sum", "min", "max", "any", "all"):
        return f"Use {tensorflow}.reduce_{how}."
    if how in ("enumerate", "zip", "reversed"):
        return f"Loop over {tensorflow}.range, or over {tensorflow}.unstack if the length is known."
    return f"Use {tensorflow}.unstack if the length is known, otherwise {tensorflow}.map_fn or a loop."


def _repairs(use: PythonIteration, tensorflow: str | None) -> Iterator[Repair]:
    if use.how == "sum":
        yield from reductions.summed(use, tensorflow)
    shape = shape_of(use.value)
    known = bool(shape) and shape[0] is not None and shape[0] >= 0
    plain = use.how in ("enumerate", "zip", "comprehension", "unpacking", "star", "list", "tuple", "reversed")
    if isinstance(use.value, Tensor) and use.value.is_range:
        yield from iterations.of_numbers(use, tensorflow) if plain else ()
    elif known and plain and use.iterated is not None and tensorflow is not None:
        yield Repair(
            f"Wrap in {tensorflow}.unstack",
            ((use.iterated, f"{tensorflow}.unstack({text_of(use.iterated)})"),),
        )
    if use.how == "comprehension":
        yield from iterations.mapped(use, tensorflow)
    if use.how == "enumerate" and not known:
        yield from iterations.counted(use, tensorflow)
