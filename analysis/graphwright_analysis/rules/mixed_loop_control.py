"""A Python loop is left, or goes on, by what a tensor says.

## What it does

Looks at the loops of traced functions that stay Python, over a `range`, a list, or `while True`, and finds those with
a `break` or `return` inside an `if` whose condition is a tensor. So too the `while` whose condition is a Python value
before the first turn and a tensor after it.

## Why it is bad

A Python loop is unrolled while tracing, and nobody knows then what the tensor will be. TensorFlow refuses:

    NotImplementedError: break and return statements which depend on a TF condition are not supported in Python for
    loops. Did you intend to make it a TF loop?

Of a `while` it says: `The condition of while loop started as non-Tensor, then changed to Tensor.`

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

A loop is reported only where it is sure to be Python: not over a parameter of which nothing is known, nor over a
`range` of one. `continue` under a tensor is fine and isn't reported.
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
        told = "The condition of this loop is a Python value at first and a tensor after the first iteration"
        cure = "Make it a tensor from the start, with tf.constant."
    else:
        told = f"This is a Python loop, and whether its `{left.how}` is reached depends on a tensor"
        again = "`tf.constant(True)` in the condition" if left.kind == "while" else "tf.range or a loop over a tensor"
        cure = f"Make it a loop of the graph, with {again}."
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
        yield Repair(f"Write {tensorflow}.constant(True)", ((left.loop, f"{tensorflow}.constant(True)"),))
    target = re.fullmatch(r"\s*for (\w+) in ", line)
    if target and head.startswith("range(") and not re.search(rf"\b{target.group(1)}\b", rest):
        yield Repair(f"Write {tensorflow}.{head}", ((left.loop, f"{tensorflow}.{head}"),))
