"""A Python list changes its length inside a graph loop or branch.

## What it does

Follows every list created outside a graph loop, branch or mapped function, and finds where its length changes inside:
`append`, `extend`, `insert`, `pop`, `remove`, `clear`, `+=`, `del`, and rebinding its name to a longer list.

## Why it is bad

The body of a graph loop is traced once, and so is each branch of a graph `if`. The list gains one element however
often the loop runs. Reading a tensor from it after the loop fails far from the cause:

    InaccessibleTensorError: <tf.Tensor 'while/Cast:0' shape=() dtype=float32> is out of scope and cannot be used here.

`len(out)`, and elements that are Python numbers, are silently wrong.

## Bad

```python
import tensorflow as tf

@tf.function
def f(n):
    out = []
    for i in tf.range(n):
        out.append(tf.cast(i, tf.float32))  # error
    return tf.stack(out)
```

## Good

```python
import tensorflow as tf

@tf.function
def f(n):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(n):
        out = out.write(out.size(), tf.cast(i, tf.float32))
    return out.stack()
```

## Evidence

```python
import pytest
import tensorflow as tf

n = tf.constant(4)
with pytest.raises(ValueError, match="is out of scope and cannot be used here"):
    bad.f(n)
assert good.f(n).numpy().tolist() == [0.0, 1.0, 2.0, 3.0]
assert fixed.f(n).numpy().tolist() == [0.0, 1.0, 2.0, 3.0]
```

## Limits

A list that is only reachable through unknown code isn't followed. Assigning to an existing position (`out[0] = x`) in
the loop itself works and isn't reported.

Under Graphwright's converter, such a list grows in the graph. Only lists whose elements differ in dtype or structure,
or aren't tensors, numbers, tuples, lists or dicts, are reported there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import list_to_tensor_array
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import ListChanged
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.values.converters import Converter

_CONSTRUCTS: dict[ConstructKind, Literal["loop", "branch", "function"]] = {
    ConstructKind.LOOP: "loop",
    ConstructKind.BRANCH: "branch",
    ConstructKind.CONDITIONAL_EXPRESSION: "branch",
    ConstructKind.MAPPED_FUNCTION: "function",
}


@rule(family="collections", severity=Severity.ERROR, judges=ListChanged, fixable=True)
def judge(change: ListChanged, view: View) -> Iterator[Finding]:
    name = f"`{change.symbol}`" if change.symbol is not None else "This"
    kind = _CONSTRUCTS[change.construct_kind]
    if change.converter is not Converter.AUTOGRAPH and kind != "function":
        if change.mixture is not None:
            related = ((change.construct, f"this {kind} becomes part of the graph"),)
            yield Finding(change.place, f"{name} {change.mixture.in_list}", related, (), change.confidence)
        return
    related = [(change.construct, f"this {kind} becomes part of the graph")]
    if change.created is not None:
        related.insert(0, (change.created, "the list is created here, outside"))
    rewrite = list_to_tensor_array.rewrite(change, view.tensorflow)
    repairs = () if rewrite is None else (Repair(f"Make `{change.symbol}` a tf.TensorArray", rewrite),)
    yield Finding(change.place, f"{name} {_what_happens(kind)}", tuple(related), repairs, change.confidence)


def _what_happens(kind: Literal["loop", "branch", "function"]) -> str:
    if kind == "loop":
        return (
            "is a Python list that changes only once, however many times this loop runs: the loop becomes part of the "
            "graph, and its body is traced once. Use a tf.TensorArray."
        )
    if kind == "branch":
        return (
            "is a Python list that changes even if this branch isn't taken: the `if` becomes part of the graph, and "
            "both branches are traced. Compute a tensor in both branches instead, for example with tf.boolean_mask."
        )
    return (
        "is a Python list that changes only once: this function is traced once for all elements. "
        "Return the value from the function instead."
    )
