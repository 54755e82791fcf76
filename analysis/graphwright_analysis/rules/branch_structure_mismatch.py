"""A name or return value has a different structure in each branch of a graph `if`.

## What it does

Compares the tuples, lists, dicts and single tensors that the two branches of an `if` in the graph give to each name
that is used later, to a conditional expression and to the return value, and what the functions passed to `tf.cond`,
`tf.case` and `tf.switch_case` return. A list doesn't match a tuple, nor a namedtuple a plain tuple; the order of dict
keys doesn't matter.

## Why it is bad

After the `if` the graph has one set of tensors, whichever branch ran. TensorFlow can't build the `if`:

    TypeError: 'out' must have the same nested structure in the main and else branches

In plain Python each branch can have its own value, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:  # error
        out = {'a': x}
    else:
        out = {'a': x, 'b': x}
    return out['a']
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        out = {'a': x, 'b': tf.zeros_like(x)}
    else:
        out = {'a': x, 'b': x}
    return out['a']

f(tf.constant([1.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="'out' must have the same nested structure in the main and else branches"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
```

## Limits

Unknown values, such as arguments without annotations, aren't compared. `none-in-branch` covers None in one branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import StagedBranch, branches
from graphwright_analysis.values import structures
from graphwright_analysis.values.converters import Converter


@rule(family="consistency", severity=Severity.ERROR, judges=StagedBranch)
def judge(branch: StagedBranch, view: View) -> Iterator[Finding]:
    for name in branch.names:
        confidence = branch.confidence
        found = structures.difference(name.body, name.orelse, branch.converter)
        if found is None and branch.converter is Converter.AUTOGRAPH:
            # How long the other list is isn't known; that it is empty as well is unlikely.
            found, confidence = structures.emptied(name.body, name.orelse), confidence.lowered
        if found is None:
            continue
        subject = branches.subject(name.symbol)
        body, orelse = found
        places = ((name.body_place, body), (name.orelse_place, orelse))
        yield Finding(
            branch.place,
            f"{subject} is {body} if the branch is taken and {orelse} otherwise, so "
            f"{branch.converter.maker} can't build this {branch.called}. Use the same structure in both branches.",
            tuple((place, f"{what} here") for place, what in places if place is not None),
            (),
            confidence,
        )
