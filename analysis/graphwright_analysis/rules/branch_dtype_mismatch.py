"""A name, conditional expression or return value has a different dtype in each branch of a graph `if`.

## What it does

Compares the dtypes that the two branches of an `if` in the graph give to each name that is used later, to a
conditional expression and to the return value. A bare Python number has the dtype that TensorFlow gives it: `0` is
int32, `0.5` is float32.

## Why it is bad

After the `if` the graph has one tensor, and a tensor has one dtype. TensorFlow can't build the `if`:

    TypeError: 'y' has dtype int32 in the main branch, but dtype float32 in the else branch

In plain Python each branch can have its own type, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        y = 1
    else:
        y = 0.5
    return x * y
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = 1.0
    else:
        y = 0.5
    return x * y
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="'y' has dtype int32 in the main branch, but dtype float32 in the else branch"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(-x).numpy().tolist() == [-0.5, -1.5]
```

## Limits

Only dtypes known in both branches are compared. An argument's dtype comes from the calls in the file, its annotation
or the function's `input_signature`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import casts
from graphwright_analysis.rule import WITHOUT_PROMOTION, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import RESULT, RETURNED, BranchName, StagedBranch, branches
from graphwright_analysis.values import structures
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import NONE, UNDEFINED, Composite, Tuple, Value, dtype_of
from graphwright_analysis.values.structures import Structure


@rule(family="consistency", severity=Severity.ERROR, judges=StagedBranch, fixable=True, true_for=WITHOUT_PROMOTION)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        found = _differing(name.body, name.orelse, branch.converter)
        if found is None:
            continue
        what, (body, orelse) = branches.subject(name.symbol), found
        related = [
            (place, f"{dtype} here")
            for place, dtype in ((name.body_place, body), (name.orelse_place, orelse))
            if place is not None
        ]
        yield Finding(
            branch.place,
            f"{what} is {body} if the branch is taken and {orelse} otherwise, so "
            f"{branch.converter.maker} can't build this {branch.called}. Cast to one dtype in both branches.",
            tuple(related),
            tuple(_repairs(name, body, orelse, view)),
            branch.confidence,
        )


def _differing(body: Value, orelse: Value, converter: Converter) -> tuple[str, str] | None:
    """The first two dtypes that don't agree, looking into nested values of one structure."""
    if structures.difference(body, orelse) is not None:
        return None
    for first, second in structures.leaves(body, orelse):
        if not {first, second} & {NONE, UNDEFINED} and not isinstance(first, Composite):
            dtypes = dtype_of(first), dtype_of(second)
            if None not in dtypes and dtypes[0] != dtypes[1] and not structures.adapts(converter, first, second):
                return str(dtypes[0]), str(dtypes[1])
    return None


def _repairs(name: BranchName, body: str, orelse: str, view: View) -> Iterator[Repair]:
    sides = ((name.body_place, name.body, body, orelse), (name.orelse_place, name.orelse, orelse, body))
    known = [
        (place, has, wants) for place, value, has, wants in sides if place and not isinstance(value, (Tuple, Structure))
    ]
    whose = "" if name.symbol in (RETURNED, RESULT) else f" of `{name.symbol}`"
    for title, edit in casts.agreements(known, whose, view):
        yield Repair(title, (edit,))
