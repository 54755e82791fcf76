"""A tensor is used as a dict key or set element, or searched for with `in`.

## What it does

Finds `d[t]`, `{t: ...}`, `{t}` and `t in values` in graph code, where `t` is a tensor, and `v in t`.

## Why it is bad

A tensor has no hash, and `in` evaluates each comparison as a Python bool:

    TypeError: Tensor is unhashable. Instead, use tensor.ref() as the key.
    OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) in (1, 2):  # error
        x += 1
    return x
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_any(tf.equal(tf.reduce_sum(x), (1, 2))):
        x += 1
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([0, 1])
with pytest.raises(TypeError, match="Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1, 2]
```

## Limits

Searching for a tensor in a list of tensors isn't reported: it may be the same object.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.sources import quoted, sentence, text_of
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import PythonKey
from graphwright_analysis.values.domain import Tensor, Tuple, Value, python_kind, shape_of


@rule(family="collections", severity=Severity.ERROR, judges=PythonKey, fixable=True)
def judge(use: PythonKey, view: View) -> Iterator[Finding]:
    tensorflow = view.tensorflow or "tf"
    if use.how == "cache":
        yield Finding(
            use.place,
            f"{sentence(quoted(use.place))} passes a tensor to a cached function, and tensors can't be hashed; "
            "Python raises TypeError. Remove the cache.",
            confidence=use.confidence,
        )
        return
    if use.how != "in":
        what = "a dict key" if use.how == "dict" else "in a set"
        yield Finding(
            use.place,
            f"{sentence(quoted(use.place))} is a tensor and can't be {what}; Python raises TypeError. "
            f"Use {tensorflow}.lookup, {tensorflow}.gather or {tensorflow}.unique.",
            confidence=use.confidence,
        )
        return
    sides = [place for place in (use.key, use.among_place) if place is not None]
    name = " and ".join(quoted(place) for place in sides)
    reduction = f"{tensorflow}.reduce_{'all' if use.negated else 'any'}"
    yield Finding(
        use.place,
        f"`in` compares {name} in Python, which uses a tensor as a bool; TensorFlow raises an error while "
        f"tracing. Use {reduction} over the comparisons.",
        repairs=tuple(_repairs(use, reduction, view.tensorflow)),
        confidence=use.confidence,
    )


def _repairs(use: PythonKey, reduction: str, tensorflow: str | None) -> Iterator[Repair]:
    if tensorflow is None or use.key is None or use.among_place is None or use.among is None:
        return
    if shape_of(use.value) != () or not _are_alike(use.among):
        return
    compared = "not_equal" if use.negated else "equal"
    made = f"{reduction}({tensorflow}.{compared}({text_of(use.key)}, {text_of(use.among_place)}))"
    yield Repair(f"Use {reduction}", ((use.place, made),))


def _are_alike(value: Value) -> bool:
    if isinstance(value, Tensor):
        return True
    kinds = {python_kind(item) for item in value.items} if isinstance(value, Tuple) else set[type | None]()
    return len(kinds) == 1 and kinds <= {int, float}
