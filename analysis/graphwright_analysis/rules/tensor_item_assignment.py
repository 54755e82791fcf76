"""An element of a tensor is assigned to.

## What it does

Finds `x[i] = v`, `x[i] += v` and the like in a traced function, where `x` is a tensor or a `tf.Variable`.

## Why it is bad

Tensors are immutable:

    TypeError: 'SymbolicTensor' object does not support item assignment

A NumPy array supports item assignment, but arrives as a tensor when passed to a `tf.function`. A list passed as an
argument must not be modified, either.

## Bad

```python
import tensorflow as tf

@tf.function
def f():
    x = tf.constant([1.0, 2.0])
    x[0] = 5.0  # error
    return x
```

## Good

```python
import tensorflow as tf

@tf.function
def f():
    x = tf.constant([1.0, 2.0])
    x = tf.tensor_scatter_nd_update(x, [[0]], [5.0])
    return x
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="does not support item assignment"):
    bad.f()
assert good.f().numpy().tolist() == [5.0, 2.0]
assert fixed.f().numpy().tolist() == [5.0, 2.0]
```

## Limits

A parameter of a traced function that the file never calls is assumed to be a tensor, with lower confidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ItemAssigned
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Array, Constant, Tensor, Variable, shape_of


@rule(family="collections", severity=Severity.ERROR, judges=ItemAssigned, fixable=True, true_for=AUTOGRAPH)
def judge(assigned: ItemAssigned, view: View) -> Iterator[Finding]:
    if isinstance(assigned.owner, Array):
        return
    name = f"`{assigned.name}`" if assigned.name is not None else "This"
    variable = isinstance(assigned.owner, Variable)
    what = "a tf.Variable, which doesn't support item assignment" if variable else "a tensor, and tensors"
    advice = (
        f"Write `{assigned.name or 'v'}[i].assign(...)`"
        if variable
        else "Create a new one, for example with tf.tensor_scatter_nd_update"
    )
    tail = "" if variable else " can't be changed"
    repair = _scatter(assigned, view.tensorflow)
    yield Finding(
        assigned.place,
        f"{name} is {what}{tail}: Python raises TypeError. {advice}.",
        (),
        () if repair is None else (repair,),
        assigned.confidence,
    )


def _scatter(assigned: ItemAssigned, tensorflow: str | None) -> Repair | None:
    """The assignment as a scatter update, where it sets one element of a vector."""
    if assigned.assigned_place is None or assigned.name is None or tensorflow is None:
        return None
    one = shape_of(assigned.assigned) == () and not isinstance(assigned.owner, Variable)
    vector = len(shape_of(assigned.owner) or ()) == 1
    if not (one and vector and _is_index(assigned.key)):
        return None
    key, value = _source(assigned.key_place), _source(assigned.assigned_place)
    if "\n" in key + value:
        return None
    update = f"{assigned.name} = {tensorflow}.tensor_scatter_nd_update({assigned.name}, [[{key}]], [{value}])"
    return Repair(f"Update `{assigned.name}` with tf.tensor_scatter_nd_update", ((assigned.statement, update),))


def _is_index(key: object) -> bool:
    if isinstance(key, Constant):
        return type(key.value) is int and key.value >= 0
    return isinstance(key, Tensor) and key.shape == () and key.dtype in dtypes.INTEGERS


def _source(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]
