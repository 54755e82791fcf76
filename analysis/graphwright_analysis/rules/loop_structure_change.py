"""A tuple, list or dict that a loop in the graph carries has another structure after one turn.

## What it does

Compares the structure of each name that a staged `for` or `while` carries before the first turn and after one, and
that of the state of `tf.scan`. A list isn't a tuple, a namedtuple isn't a plain one; the order of a dict's keys is
free.

## Why it is bad

The graph keeps the same set of tensors for the name from turn to turn. TensorFlow refuses to build the loop:

    TypeError: 'pair' does not have the same nested structure after one iteration.

As plain Python the name just takes the new value, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(xs):
    pair = (tf.constant(0.0),)
    for x in xs:  # error
        pair = (x, x)
    return pair[0]

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs):
    pair = (tf.constant(0.0), tf.constant(0.0))
    for x in xs:
        pair = (x, x)
    return pair[0]

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(TypeError, match="'pair' does not have the same nested structure after one iteration"):
    bad.f(x)
assert good.f(x).numpy() == 3.0
```

## Limits

A list that a loop makes longer or shorter is the matter of `list-append-in-graph-control-flow`. `tf.while_loop` and
`tf.foldl` compare how many tensors there are, not how they are nested. Of a cell of `RNN` the number of states counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import LoopName, StagedLoop, StatesChanged
from graphwright_analysis.values import structures
from graphwright_analysis.values.structures import Structure

_FLATTENED = frozenset({"tf.while_loop", "tf.foldl", "tf.foldr", "Dataset.reduce"})


@rule(family="consistency", severity=Severity.ERROR, judges=(StagedLoop, StatesChanged))
def judge(loop: StagedLoop | StatesChanged, view: View) -> Iterator[Finding]:
    if isinstance(loop, StatesChanged):
        counts = f"`{loop.name}` returns {loop.returned} states and gets {loop.wanted}, as its `state_size` says"
        message = f"{counts}: Keras can't build the loop over the steps. Return each state, in the same order."
        yield Finding(loop.place, message, confidence=loop.confidence)
        return
    for name in loop.names:
        found = structures.difference(name.before, name.after)
        if found is None or _is_resized_list(name) or (loop.over in _FLATTENED and not _other_count(name)):
            continue
        before, after = found
        places = ((name.before_place, before), (name.after_place, after))
        yield Finding(
            loop.place,
            f"`{name.symbol}` is {before} before this loop and {after} after one iteration; "
            f"{loop.converter.maker} can't build the loop. Start it with the structure that each "
            "iteration leaves.",
            tuple((place, f"{what} here") for place, what in places if place is not None),
            (),
            loop.confidence,
        )


def _other_count(name: LoopName) -> bool:
    """Whether there surely are more or fewer tensors after one turn, however they are nested."""
    before, after = list(structures.flat(name.before)), list(structures.flat(name.after))
    return len(before) != len(after) and None not in {structures.kind_of(value) for value in (*before, *after)}


def _is_resized_list(name: LoopName) -> bool:
    before, after = name.before, name.after
    if not isinstance(before, Structure) or not isinstance(after, Structure):
        return False
    return before.kind == after.kind == "list" and len(before.items) != len(after.items)
