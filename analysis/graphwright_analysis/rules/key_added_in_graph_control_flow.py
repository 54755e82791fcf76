"""A dict gains or loses a key in one branch of a graph `if`, or in a graph loop.

## What it does

Checks the constant keys of dicts that an `if` in the graph sets or deletes in only one branch, and those that are
first set in a loop over a dataset or iterator, or in a branch inside a loop.

## Why it is bad

The graph carries a dict that exists before the branch key by key, and both branches must have the same keys.
TensorFlow can't build the `if`:

    ValueError: 'out['b']' must also be initialized in the else branch

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    out = {"a": x}
    if tf.reduce_sum(x) > 0:  # error
        out["b"] = tf.constant(2.0)
    return out["a"] + out["b"]
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    out = {"a": x, "b": tf.constant(0.0)}
    if tf.reduce_sum(x) > 0:
        out["b"] = tf.constant(2.0)
    return out["a"] + out["b"]
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
with pytest.raises(ValueError, match="must also be initialized in the else branch"):
    bad.f(x)
assert good.f(x).numpy().tolist() == fixed.f(x).numpy().tolist() == [3.0, 4.0]
assert good.f(-x).numpy().tolist() == fixed.f(-x).numpy().tolist() == [-1.0, -2.0]
```

## Limits

Other rules cover keys that aren't constants. A key that every iteration of a loop over a tensor sets is fine:
TensorFlow creates a placeholder for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.starting_values import set_before
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import BranchName, StagedBranch, UnseededName
from graphwright_analysis.values.domain import MAYBE, UNDEFINED, Value


@rule(family="collections", severity=Severity.ERROR, judges=(StagedBranch, UnseededName), fixable=True)
def judge(fact: StagedBranch | UnseededName, view: View) -> Iterator[Finding]:
    if isinstance(fact, UnseededName):
        refused = fact.left is not None or not fact.can_stand_in or fact.over in ("dataset", "iterator")
        if fact.before is UNDEFINED and "[" in fact.symbol and refused:
            related = ((fact.bound, "it is set here"),) if fact.bound is not None else ()
            repairs = tuple(_repairs(fact.statement, fact.symbol, fact.after, view))
            yield Finding(fact.place, _message(fact.symbol, "loop", "before"), related, repairs, fact.confidence)
        return
    for name in fact.names:
        sides = (name.body, name.orelse)
        if "[" in name.symbol and MAYBE not in sides and sides.count(UNDEFINED) == 1:
            yield _of_branch(fact, name, view)


def _of_branch(branch: StagedBranch, name: BranchName, view: View) -> Finding:
    bound, place = (name.orelse, name.orelse_place) if name.body is UNDEFINED else (name.body, name.body_place)
    if name.before is not UNDEFINED:
        related = ((name.deleted, "it is deleted here"),) if name.deleted is not None else ()
        return Finding(branch.place, _message(name.symbol, "if", "deleted"), related, (), branch.confidence)
    related = ((place, "it is set here"),) if place is not None else ()
    repairs = tuple(_repairs(branch.statement, name.symbol, bound, view))
    return Finding(branch.place, _message(name.symbol, "if", "before"), related, repairs, branch.confidence)


def _message(symbol: str, kind: Literal["if", "loop"], when: Literal["before", "deleted"]) -> str:
    if when == "deleted":
        told, cure = "is deleted in only one branch of this `if`", "Leave it in both branches."
    elif kind == "if":
        told, cure = "is set in only one branch of this `if`", "Set it before the `if`, or in the other branch too."
    else:
        told, cure = "isn't set before this loop", "Set it before the loop."
    return f"`{symbol}` {told}, and a dict's keys can't change inside a graph; TensorFlow can't build this. {cure}"


def _repairs(statement: Place, symbol: str, value: Value, view: View) -> Iterator[Repair]:
    return set_before(statement, symbol, value, view.tensorflow, f"Set `{symbol}`", "first")
