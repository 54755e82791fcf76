"""`set_loop_options` isn't the first statement of the loop, or declares a shape that the loop doesn't keep.

## What it does

Finds `tf.autograph.experimental.set_loop_options` in the body of a graph loop after its first statement. Compares the
shapes that it declares, and those passed to `tf.while_loop`, with the shapes before the first iteration and after one.

## Why it is bad

After the first statement, the call makes AutoGraph leave the **whole function** unconverted, with only a log line. The
loop then fails:

    OperatorNotAllowedInGraphError: Iterating over a symbolic `tf.Tensor` is not allowed.

If the loop doesn't keep a declared shape, TensorFlow can't build it:

    ValueError: 'out' has shape (0,) before the loop, which does not conform with the shape invariant (2,).

## Bad

```python
import tensorflow as tf

@tf.function
def f(xs):
    out = tf.zeros([0])
    for x in xs:
        y = x * 2
        tf.autograph.experimental.set_loop_options(shape_invariants=[(out, tf.TensorShape([None]))])  # error
        out = tf.concat([out, [y]], 0)
    return out

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs):
    out = tf.zeros([0])
    for x in xs:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(out, tf.TensorShape([None]))])
        out = tf.concat([out, [x * 2]], 0)
    return out

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Iterating over a symbolic"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [2.0, 6.0]
assert fixed.f(x).numpy().tolist() == [2.0, 6.0]
```

## Limits

Shapes aren't compared in a loop over a Dataset. Shapes that aren't written as a `tf.TensorShape` are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import insertion, loop_shapes
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import LoopOptionsMisplaced, StagedLoop
from graphwright_analysis.values import structures
from graphwright_analysis.values.domain import StaticShape, Tuple
from graphwright_analysis.values.structures import Structure


@rule(family="consistency", severity=Severity.ERROR, judges=(StagedLoop, LoopOptionsMisplaced), fixable=True)
def judge(fact: StagedLoop | LoopOptionsMisplaced, view: View) -> Iterator[Finding]:
    if isinstance(fact, LoopOptionsMisplaced):
        yield _misplaced(fact)
        return
    for name in fact.names if fact.compares_shapes else ():
        if isinstance(name.invariant, StaticShape) and isinstance(name.before, (Tuple, Structure)):
            what = f"is {structures.described(name.before)}, but a single shape is declared for it"
            advice, related = "Declare a shape for each part, in the same structure.", ()
        elif (found := loop_shapes.misfit(name)) is not None:
            what, related = found
            advice = "Declare None for every axis that changes."
        else:
            continue
        message = f"`{name.symbol}` {what}; TensorFlow can't build the loop. {advice}"
        yield Finding(fact.place, message, related, (), fact.confidence)


def _misplaced(fact: LoopOptionsMisplaced) -> Finding:
    moved = insertion.line_moved_before(fact.statement, fact.first)
    return Finding(
        fact.place,
        "`set_loop_options` isn't the first statement in this loop, so AutoGraph leaves the whole function "
        "unconverted and the loop fails. Move it to the top of the loop body.",
        ((fact.loop, "the loop"),),
        (Repair("Move it to the top of the loop", moved, certain=True),) if moved else (),
        fact.confidence,
    )
