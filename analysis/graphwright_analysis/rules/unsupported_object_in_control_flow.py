"""A function, layer or other plain object is bound in a graph branch or carried by a graph loop.

## What it does

Checks the names that are used after an `if` in the graph, that a graph loop carries, and that branches return, for
functions, classes, Keras layers and instances of classes that TensorFlow can't take apart.

## Why it is bad

The graph chooses a branch at run time, and can pass on only tensors. TensorFlow can't build it:

    TypeError: To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or
    None values; ... found return value of type function, which is not a Tensor or ExtensionType.

In plain Python any object can be bound, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        act = tf.nn.relu  # error
    else:
        act = tf.nn.tanh
    return act(x)
```

## Good

```python
import tensorflow as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = tf.nn.relu(x)
    else:
        y = tf.nn.tanh(x)
    return y
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="must return zero or more Tensors or ExtensionTypes or None values"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
```

## Limits

Instances of classes with an outside base other than `tf.Module` and Keras, with unknown decorators, or with methods
that convert or iterate are ignored. An attribute set in a method that the loop calls isn't seen here.

Under Graphwright's converter, what is the same object in both cases can be bound, and so can objects of one class, and
functions, layers and others that can be called. A function that holds what its branch makes fails, and isn't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import BranchName, LoopName, StagedBranch, StagedLoop, branches
from graphwright_analysis.values import graph_elements
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import NONE, UNDEFINED


@rule(family="collections", severity=Severity.ERROR, judges=(StagedBranch, StagedLoop))
def judge(fact: StagedBranch | StagedLoop, view: View) -> Iterator[Finding]:
    for name in fact.names:
        found = _in(name, fact.converter)
        if found is None:
            continue
        what, place = found
        subject = branches.subject(name.symbol)
        where, advice = (
            ("bound in a graph branch", "Use it inside each branch, and bind the result")
            if isinstance(fact, StagedBranch)
            else ("carried by a graph loop", "Create and use it inside the loop")
        )
        verb, maker = where.partition(" ")[0], fact.converter.maker
        yield Finding(
            place or fact.place,
            f"{subject} is {what} {where}, and {maker} can't build this: only {_PARTS[maker]}, can be {verb} there. "
            f"{advice}.",
            ((fact.place, "this becomes part of the graph"),) if place is not None else (),
            (),
            fact.confidence,
        )


_PARTS = {
    "TensorFlow": "tensors, or tuples, dicts and namedtuples of tensors",
    "Graphwright": "tensors, functions, objects of one class, or tuples, lists and dicts of these",
}


def _in(name: BranchName | LoopName, converter: Converter) -> tuple[str, Place | None] | None:
    is_of_branch = isinstance(name, BranchName)
    sides = (name.body, name.orelse) if is_of_branch else (name.after, name.before)
    places = (name.body_place, name.orelse_place) if is_of_branch else (name.after_place, name.after_place)
    if {NONE, UNDEFINED} & set(sides):
        return None
    found = graph_elements.refused_choice(sides, converter)
    if found is None:
        return None
    what, side = found
    return what, places[side] or (None if is_of_branch else name.before_place)
