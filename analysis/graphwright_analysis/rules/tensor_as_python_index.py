"""A tensor indexes or slices a Python list, tuple or string, or a NumPy array.

## What it does

Finds `values[i]`, `values[:i]` and `values.pop(i)` in graph code, where `values` is a Python sequence or a NumPy
array and `i` a tensor.

## Why it is bad

During tracing, the tensor has no value:

    TypeError: list indices must be integers or slices, not SymbolicTensor

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    table = [10, 20, 30]
    return table[tf.argmax(x)]  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    table = tf.constant([10, 20, 30])
    return table[tf.argmax(x)]
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([0.0, 2.0])
with pytest.raises(TypeError, match="list indices must be integers or slices"):
    bad.f(x)
assert good.f(x).numpy() == 20
assert fixed.f(x).numpy() == 20
```

## Limits

A tensor created outside the function has a value and can be an index; it isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.sources import quoted, sentence, text_of
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import PythonIndex
from graphwright_analysis.tracing.facts.python_use import IndexUse
from graphwright_analysis.values.domain import Array, Tuple, Value, python_kind


@rule(family="collections", severity=Severity.ERROR, judges=PythonIndex, fixable=True)
def judge(use: PythonIndex, view: View) -> Iterator[Finding]:
    tensorflow = view.tensorflow or "tf"
    numbers = _are_numbers(use.indexed)
    cure = f"Make it a tensor with {tensorflow}.constant" if numbers else f"Use {tensorflow}.switch_case"
    related = () if use.defined is None else ((use.defined, "the list is created here"),)
    repairs = tuple(_repairs(use, view.tensorflow)) if numbers else ()
    yield Finding(
        use.place,
        f"{sentence(quoted(use.owner))} is a {_called(use.indexed)}, and a tensor can't {_does(use.how)} it; "
        f"{_raises(use.indexed)} while tracing. {cure}.",
        related,
        repairs,
        use.confidence,
    )


def _called(value: Value) -> str:
    if isinstance(value, Array):
        return "NumPy array"
    return "Python string" if python_kind(value) is not None else "Python sequence"


def _raises(value: Value) -> str:
    return "NumPy raises an error" if isinstance(value, Array) else "Python raises TypeError"


def _does(how: IndexUse) -> str:
    return "slice" if how == "slice" else "index"


def _are_numbers(value: Value) -> bool:
    if isinstance(value, Array):
        return True
    kinds = {python_kind(item) for item in value.items} if isinstance(value, Tuple) else set[type | None]()
    return len(kinds) == 1 and kinds <= {int, float, bool}


def _repairs(use: PythonIndex, tensorflow: str | None) -> Iterator[Repair]:
    if use.how == "index" and tensorflow is not None:
        made = f"{tensorflow}.constant({text_of(use.owner)})"
        yield Repair(f"Index {tensorflow}.constant(...)", ((use.owner, made),))
