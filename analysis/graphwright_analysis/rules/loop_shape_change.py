"""A name carried by a graph loop has a different shape after one iteration.

## What it does

Compares the static shape of each name that a graph `while`, or a `for` over a tensor, range or iterator, carries,
before the first iteration and after one; likewise the state of `tf.while_loop`, `tf.scan`, `tf.foldl` and `tf.foldr`.
A shape may become more specific, but not less. Shapes declared by `set_loop_options` are trusted.
Graphwright's loops may change shapes; they are reported if an operation doesn't fit what the first iteration leaves.

## Why it is bad

TensorFlow fixes the static shape of loop variables before the first iteration, and can't build the loop:

    ValueError: 'out' has shape (0,) before the loop, but shape (1,) after one iteration. Use
    tf.autograph.experimental.set_loop_options to set shape invariants.

Eagerly a tensor may have a different shape in each iteration, so the code runs until it is traced.

## Bad

```python
import tensorflow as tf

@tf.function
def f(xs):
    out = tf.zeros([0])
    for x in xs:  # error
        out = tf.concat([out, [x]], 0)
    return out

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(xs):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for x in xs:
        out = out.write(out.size(), x)
    return out.stack()

def main():
    return f(tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 3.0])
with pytest.raises(ValueError, match=r"'out' has shape \\(0,\\) before the loop, but shape \\(1,\\) after"):
    bad.f(x)
assert good.f(x).numpy().tolist() == [1.0, 3.0]
assert fixed.f(x).numpy().tolist() == [1.0, 3.0]
```

## Limits

A `for` over a Dataset doesn't compare shapes and isn't reported. Only known sizes are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import concatenation, loop_shapes
from graphwright_analysis.rule import WITHOUT_PROMOTION, Finding, View, rule
from graphwright_analysis.tracing.facts import LoopName, StagedLoop
from graphwright_analysis.values import shapes, structures
from graphwright_analysis.values.domain import UNDEFINED, Variable, dtype_of, shape_of
from graphwright_analysis.values.shapes import Shape


@rule(family="consistency", severity=Severity.ERROR, judges=StagedLoop, fixable=True)
def judge(loop: StagedLoop, view: View) -> Iterator[Finding]:
    changing = [(name, found) for name in loop.names if (found := _changed(name)) is not None]
    if loop.refused_next is not None:
        changing = changing[:1]
    elif not loop.compares_shapes or loop.converter not in WITHOUT_PROMOTION:
        return
    declared = loop_shapes.declared(loop, [name for name, _ in changing], view.tensorflow)
    for name, found in changing:
        before, after = (shapes.text(shape) for shape in found)
        changed = f"`{name.symbol}` has shape {before} before this loop and {after} after one iteration, so"
        places = ((name.before_place, before), (name.after_place, after))
        bound = [(place, f"shape {shape} here") for place, shape in places if place is not None]
        if (refused := loop.refused_next) is not None:
            said = f"{changed} `{refused.operation}` fails in the second one, when the graph runs: {refused.words}."
            there, confidence = (refused.place, "this fails then"), max(loop.confidence, refused.confidence)
            yield Finding(loop.place, f"{said} Keep the shape.", (*bound, there), (), confidence)
            continue
        ways = f", keep the shape, or declare it with `{loop.declares}`" if loop.declares else " or keep the shape"
        yield Finding(
            loop.place,
            f"{changed} {loop.converter.maker} can't build the loop. Collect rows in a tf.TensorArray{ways}.",
            tuple(bound),
            (*concatenation.repairs(loop.place, name, view.tensorflow), *declared),
            loop.confidence,
        )


def _changed(name: LoopName) -> tuple[Shape, Shape] | None:
    if name.invariant is not None or structures.difference(name.before, name.after) is not None:
        return None
    for first, second in structures.leaves(name.before, name.after):
        before, after = shape_of(first), shape_of(second)
        dtypes = dtype_of(first), dtype_of(second)
        clash = None not in dtypes and dtypes[0] != dtypes[1]
        judged = first is not UNDEFINED and not isinstance(second, Variable) and not clash
        if judged and not shapes.conforms(after, before):
            return before, after
    return None
