"""A tuple, list or dict carried by a graph loop has a different structure after one iteration.

## What it does

Compares the structure of each name that a graph `for` or `while` carries, before the first iteration and after one,
and the state of `tf.scan`. A list doesn't match a tuple, nor a namedtuple a plain tuple; the order of dict keys
doesn't matter.

## Why it is bad

The graph has the same set of tensors for the name across all iterations. TensorFlow can't build the loop:

    TypeError: 'pair' does not have the same nested structure after one iteration.

In plain Python the name just takes the new value, so the code runs until it is traced.

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

`list-append-in-graph-control-flow` covers lists that a loop grows or shrinks. `tf.while_loop` and `tf.foldl` compare
the number of tensors, not how they are nested. For a cell of `RNN`, the number of states and their
sizes are compared.
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
        states = "state" if loop.returned == 1 else "states"
        returned = f"a state of size {loop.returned}" if loop.of_sizes else f"{loop.returned} {states}"
        counts = f"`{loop.name}` returns {returned}, but its `state_size` declares {loop.wanted}"
        advice = "every state with the size that it had" if loop.of_sizes else "every state, in the same order"
        message = f"{counts}; Keras can't build the loop over the steps. Return {advice}."
        yield Finding(loop.place, message, confidence=loop.confidence)
        return
    for name in loop.names:
        found = structures.difference(name.before, name.after, loop.converter)
        if found is None or _is_resized_list(name) or (loop.over in _FLATTENED and not _other_count(name)):
            continue
        before, after = found
        places = ((name.before_place, before), (name.after_place, after))
        yield Finding(
            loop.place,
            f"`{name.symbol}` is {before} before this loop and {after} after one iteration, so "
            f"{loop.converter.maker} can't build the loop. Start with the structure that the iterations produce.",
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
