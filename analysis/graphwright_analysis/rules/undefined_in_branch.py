"""A name is bound in only one branch of a graph `if`, and is read after it.

## What it does

Checks the names and attributes that an `if` in the graph sets or deletes. Those read later must be bound in both
branches. Names that a branch reads must be bound, too: both branches are traced, so an unbound name fails even if the
branch isn't taken.

## Why it is bad

Both branches of a graph `if` are traced, and both must provide a value for each name that is used later. TensorFlow
can't build the `if`:

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

An `if` whose condition isn't known to be a tensor is treated as plain Python. Not reported: a name that a branch binds
only under another Python condition, a name inside a graph loop that isn't bound before the loop (TensorFlow blames the
loop), and attributes of an instance whose creation isn't seen or that code outside the file can reach.
`key-added-in-graph-control-flow` covers dict keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import unset_sides
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import BranchName, StagedBranch, UnboundRead
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import UNDEFINED


@rule(family="undefined", severity=Severity.ERROR, judges=(StagedBranch, UnboundRead), fixable=True)
def judge(fact: StagedBranch | UnboundRead, view: View) -> Iterator[Finding]:
    if isinstance(fact, StagedBranch):
        # Graphwright builds such a branch all the same.
        yield from _of_branch(fact, view) if fact.converter is Converter.AUTOGRAPH else ()
    elif fact.loop is None and fact.kind is ConstructKind.MAPPED_FUNCTION:
        told = f"`{fact.symbol}` isn't defined; Python raises NameError while this function is traced"
        message = f"{told}. Define or import it."
        yield Finding(fact.place, message, ((fact.construct, "the function is traced here"),), (), fact.confidence)
    elif fact.loop is None:
        message = (
            f"`{fact.symbol}` is unbound here, which fails even if the branch isn't taken: both branches of an `if` "
            f"in the graph are traced. Bind `{fact.symbol}` first."
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
