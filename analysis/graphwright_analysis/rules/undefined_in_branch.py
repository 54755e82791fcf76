"""A name is bound on one side of a staged `if` only, and is read after it.

## What it does

Looks at every `if` that becomes part of the graph, and at the names and attributes that it sets or deletes. Those
that are read later must be bound on both sides. So must be what it reads itself: both sides are traced, and a name
that is bound nowhere fails whether or not the branch is taken.

## Why it is bad

Both sides of a staged `if` are traced, and both must give a value for each name that lives on. TensorFlow refuses
to build the `if`:

    ValueError: 'scale' must also be initialized in the else branch

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        scale = tf.constant(2.0)
    return x * scale
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    scale = tf.constant(1.0)
    if tf.reduce_sum(x) > 0:
        scale = tf.constant(2.0)
    return x * scale
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
with pytest.raises(ValueError, match="'scale' must also be initialized in the else branch"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [2.0, 4.0]
assert good.f(-x).numpy().tolist() == [-1.0, -2.0]
assert fixed.f(x).numpy().tolist() == [2.0, 4.0]
```

## Limits

An `if` whose condition isn't known to be a tensor is taken for plain Python. A name that one side binds only under a
further Python condition isn't reported. Inside a staged loop, a name that isn't bound before the loop is the loop's
matter, since TensorFlow blames the loop, and isn't reported here. Nor are attributes of an instance that isn't seen
to be made, or that code outside the file has got hold of. The keys of dicts are the matter of
`key-added-in-graph-control-flow`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import defaults, insertion
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import RESULT, RETURNED, BranchName, StagedBranch, UnboundRead
from graphwright_analysis.values.domain import MAYBE, UNDEFINED, Value


@rule(family="undefined", severity=Severity.ERROR, judges=(StagedBranch, UnboundRead), fixable=True, true_for=AUTOGRAPH)
def judge(fact: StagedBranch | UnboundRead, view: View) -> Iterator[Finding]:
    if isinstance(fact, StagedBranch):
        yield from _of_branch(fact, view)
    elif fact.loop is None:
        message = (
            f"`{fact.symbol}` isn't bound anywhere here, and both sides of a branch in the graph are traced: this "
            f"fails whether or not the branch is taken. Bind `{fact.symbol}` first."
        )
        yield Finding(fact.place, message, ((fact.construct, "the branch"),), (), fact.confidence)


def _of_branch(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        sides = (name.body, name.orelse)
        if name.symbol in (RETURNED, RESULT) or "[" in name.symbol or MAYBE in sides or sides.count(UNDEFINED) != 1:
            continue
        bound, place = (name.orelse, name.orelse_place) if name.body is UNDEFINED else (name.body, name.body_place)
        related = [(place, f"`{name.symbol}` is bound here")] if place is not None and not _is_deleted(name) else []
        if name.deleted is not None:
            related.append((name.deleted, f"`{name.symbol}` is deleted here"))
        if name.read is not None:
            related.append((name.read, f"`{name.symbol}` is read here"))
        repairs = tuple(_repairs(branch, name, bound, view))
        yield Finding(branch.place, _message(name), tuple(related), repairs, branch.confidence)


def _is_deleted(name: BranchName) -> bool:
    return name.before is not UNDEFINED


def _message(name: BranchName) -> str:
    symbol, refused = f"`{name.symbol}`", "TensorFlow will refuse to build"
    if _is_deleted(name):
        return f"{symbol} is deleted on one side of this `if` only; {refused} it. Leave {symbol} bound on both sides."
    when = "isn't" if name.body is UNDEFINED else "is"
    told = f"{symbol} is bound only if the branch {when} taken"
    return f"{told}; {refused} this `if`. Bind {symbol} before the `if`, or on the other side as well."


def _repairs(branch: StagedBranch, name: BranchName, bound: Value, view: View) -> Iterator[Repair]:
    default = defaults.neutral(bound, view.tensorflow)
    if default is None or _is_deleted(name):
        return
    edit = insertion.line_before(branch.statement, f"{name.symbol} = {default}")
    if edit is not None:
        yield Repair(f"Bind `{name.symbol}` to {default} before the `if`", (edit,))
    edit = insertion.added_else(branch.statement, f"{name.symbol} = {default}")
    if edit is not None:
        yield Repair(f"Bind `{name.symbol}` to {default} in an `else`", (edit,))
