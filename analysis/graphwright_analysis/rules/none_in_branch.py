"""A name, return value or conditional expression is None in one branch of a graph `if`.

## What it does

Checks every `if` and conditional expression in the graph, and everything that needs a value after it: the names,
attributes and keys that it sets and that are read later, and the return values of both branches.

## Why it is bad

Both branches of a graph `if` must produce tensors, and None isn't one. TensorFlow can't build it:

    ValueError: 'mask' is None at the end of the else branch.

TensorFlow calls a return value `retval_`. None in both branches fails as well.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        mask = tf.ones_like(x)
    else:
        mask = None
    return x * mask
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        mask = tf.ones_like(x)
    else:
        mask = tf.zeros_like(x)
    return x * mask
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
with pytest.raises(ValueError, match="'mask' is None at the end of the else branch"):
    bad.f(x)
for f in (good.f, fixed.f):
    assert f(x).numpy().tolist() == [1.0, 2.0]
assert good.f(-x).numpy().tolist() == [0.0, 0.0]
assert fixed.f(-x).numpy().tolist() == [-1.0, -2.0]
```

## Limits

Unknown branches aren't reported. `none-loop-seed` covers names that are None before an enclosing loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import none_values
from graphwright_analysis.rule import AUTOGRAPH, Finding, View, rule
from graphwright_analysis.tracing.facts import RESULT, RETURNED, BranchName, StagedBranch
from graphwright_analysis.values.domain import NONE, UNDEFINED, Tuple, Value, may_be_none


@rule(family="undefined", severity=Severity.ERROR, judges=StagedBranch, fixable=True, true_for=AUTOGRAPH)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        sides = (name.body, name.orelse)
        if any(side is UNDEFINED or may_be_none(side) for side in sides):
            continue
        none = _holds_none(*sides, name.symbol == RESULT)
        if none is None:
            continue
        places = zip((name.body_place, name.orelse_place), none, strict=True)
        related = tuple((place, "None here" if is_none else "not None here") for place, is_none in places if place)
        repairs = none_values.repairs(name, view.tensorflow)
        yield Finding(branch.place, _message(name, none), related, repairs, branch.confidence)


def _holds_none(body: Value, orelse: Value, one_side_only: bool) -> tuple[bool, bool] | None:
    """Which of the sides has a None where a value is wanted; None where neither has."""
    if isinstance(body, Tuple) and isinstance(orelse, Tuple):
        if len(body.items) != len(orelse.items):
            return None
        found = (_holds_none(a, b, one_side_only) for a, b in zip(body.items, orelse.items, strict=True))
        return next((each for each in found if each is not None), None)
    if any(map(may_be_none, (body, orelse))):
        return None
    none = (body == NONE, orelse == NONE)
    return none if any(none) and not (one_side_only and all(none)) else None


def _message(name: BranchName, none: tuple[bool, bool]) -> str:
    what = {RETURNED: "The returned value", RESULT: "The result"}.get(name.symbol, f"`{name.symbol}`")
    if isinstance(name.body, Tuple):
        what = f"An element of {what if name.symbol not in (RETURNED, RESULT) else what[0].lower() + what[1:]}"
    when = "in both branches" if all(none) else "if the branch is taken" if none[0] else "if the branch isn't taken"
    cure = "Use a tensor in both branches, and a separate bool if you need to know whether it's set."
    return f"{what} is None {when}, and a graph can't hold None; TensorFlow can't build this. {cure}"
