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
from graphwright_analysis.fixes import unset_sides
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import BranchName, StagedBranch, UnboundRead
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import UNDEFINED


@rule(family="undefined", severity=Severity.ERROR, judges=(StagedBranch, UnboundRead), fixable=True)
def judge(fact: StagedBranch | UnboundRead, view: View) -> Iterator[Finding]:
    if isinstance(fact, StagedBranch):
        # Graphwright builds such a branch all the same.
        yield from _of_branch(fact, view) if fact.converter is Converter.AUTOGRAPH else ()
    elif fact.loop is None:
        message = (
            f"`{fact.symbol}` isn't bound anywhere here, and both branches of an `if` in the graph are traced: this "
            f"fails whether or not the branch is taken. Bind `{fact.symbol}` first."
        )
        yield Finding(fact.place, message, ((fact.construct, "the branch"),), (), fact.confidence)


def _of_branch(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        if not name.is_bound_once:
            continue
        symbol, place = f"`{name.symbol}`", name.orelse_place if name.body is UNDEFINED else name.body_place
        related = [(place, f"{symbol} is bound here")] if place is not None and not name.is_deleted else []
        if name.deleted is not None:
            related.append((name.deleted, f"{symbol} is deleted here"))
        if name.read is not None:
            related.append((name.read, f"{symbol} is read here"))
        repairs = tuple(unset_sides.repairs(branch, name, view.tensorflow))
        yield Finding(branch.place, _message(name), tuple(related), repairs, branch.confidence)


def _message(name: BranchName) -> str:
    symbol, refused = f"`{name.symbol}`", "TensorFlow can't build"
    if name.is_deleted:
        return f"{symbol} {name.bound}; {refused} it. Leave {symbol} bound in both branches."
    return f"{symbol} {name.bound}; {refused} this `if`. Bind {symbol} before the `if`, or in the other branch too."
