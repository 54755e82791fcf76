"""A tensor decides whether a Python loop ends or continues.

## What it does

Finds loops in traced functions that stay in Python, over a `range`, a list, or `while True`, with a `break` or
`return` inside an `if` on a tensor. Also finds a `while` whose condition is a Python value before the first iteration
and a tensor after it.

## Why it is bad

A Python loop is unrolled while tracing, when the tensor has no value yet. TensorFlow raises:

    NotImplementedError: break and return statements which depend on a TF condition are not supported in Python for
    loops. Did you intend to make it a TF loop?

For a `while`, TensorFlow raises: `The condition of while loop started as non-Tensor, then changed to Tensor.`

## Bad

```python
import tensorflow as tf

@tf.function
def g(x):
    for i in range(10):  # error
        if tf.reduce_sum(x) > 5:
            break
        x += 1
    return x
```

## Good

```python
import tensorflow as tf

@tf.function
def g(x):
    for i in tf.range(10):
        if tf.reduce_sum(x) > 5:
            break
        x += 1
    return x
```

## Evidence

```python
import pytest
import tensorflow as tf

x = tf.constant([1.0, 2.0])
with pytest.raises(NotImplementedError, match="not supported in Python for loops"):
    bad.g(x)
assert good.g(x).numpy().tolist() == [3.0, 4.0]
assert fixed.g(x).numpy().tolist() == [3.0, 4.0]
```

## Limits

Only loops known to run in Python are reported: not those over an unknown parameter, nor over a `range` of one.
`continue` under a tensor condition is fine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import PythonLoopLeft


@rule(family="conversion", severity=Severity.ERROR, judges=PythonLoopLeft, fixable=True, true_for=AUTOGRAPH)
def judge(left: PythonLoopLeft, view: View) -> Iterator[Finding]:
    if left.how == "test":
        told = "The condition of this loop starts as a Python value and becomes a tensor after one iteration"
        cure = "Start with a tensor: use tf.constant."
    else:
        told = f"This loop runs in Python, but whether it reaches its `{left.how}` depends on a tensor"
        staged = "write `while tf.constant(True)`" if left.kind == "while" else "loop over tf.range or a tensor"
        cure = f"Make it a graph loop: {staged}."
    related = ((left.place, f"the `{left.how}`"),) if left.how != "test" else ()
    message = f"{told}; TensorFlow can't build it. {cure}"
    yield Finding(left.loop, message, related, tuple(_repairs(left, view)), left.confidence)


def _repairs(left: PythonLoopLeft, view: View) -> Iterator[Repair]:
    """A loop of the graph instead, where nothing in the rest of the block could need the Python one."""
    text, span, tensorflow = left.loop.block.text, left.loop.range, view.tensorflow
    head, line = text[span.start : span.end], text[text.rfind("\n", 0, span.start) + 1 : span.start]
    rest = text[span.end :]
    if tensorflow is None or left.how != "break" or re.search(r"\.(append|extend|pop)\(|\[[^\]:]*\]", rest):
        return
    if head == "True":
        yield Repair(f"Use {tensorflow}.constant(True)", ((left.loop, f"{tensorflow}.constant(True)"),))
    target = re.fullmatch(r"\s*for (\w+) in ", line)
    if target and head.startswith("range(") and not re.search(rf"\b{target.group(1)}\b", rest):
        yield Repair(f"Use {tensorflow}.{head}", ((left.loop, f"{tensorflow}.{head}"),))
