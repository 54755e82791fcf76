"""`tf.cond` or `tf.while_loop` receives the result of a function instead of the function.

## What it does

Finds tensors and numbers passed as the branches of `tf.cond`, or as the condition and body of `tf.while_loop`.

## Why it is bad

TensorFlow calls the branches itself, each in its own graph. If you call them first, both have already run, and their
results aren't callable:

    TypeError: 'true_fn' must be callable.

## Bad

```python
import tensorflow as tf

@tf.function
def f(flag, x):
    def head():
        return x[0]

    def total():
        return tf.reduce_sum(x)

    return tf.cond(flag, head(), total())  # error

def drive():
    return f(tf.constant(True), tf.constant([1.0, 2.0]))
```

## Good

```python
import tensorflow as tf

@tf.function
def f(flag, x):
    def head():
        return x[0]

    def total():
        return tf.reduce_sum(x)

    return tf.cond(flag, head, total)

def drive():
    return f(tf.constant(True), tf.constant([1.0, 2.0]))
```

## Evidence

```python
import pytest

with pytest.raises(TypeError, match="must be callable"):
    bad.drive()
assert good.drive().numpy() == 1.0
assert fixed.drive().numpy() == 1.0
```

## Limits

Only values known to be tensors or Python numbers are reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes.replacing import text_of
from graphwright_analysis.fixes.sources import quoted
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import Argument, OutsideCall
from graphwright_analysis.values.domain import Array, Tensor, Variable, python_kind

_FUNCTIONS = {"tf.cond": (1, 2), "tf.while_loop": (0, 1)}
"""At which positions they take functions."""
_NAMED = frozenset({"true_fn", "false_fn", "cond", "body"})


@rule(family="conversion", severity=Severity.ERROR, judges=OutsideCall, fixable=True)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    places = _FUNCTIONS.get(call.name)
    if places is None:
        return
    positional = [argument for argument in call.arguments if argument.name is None]
    given = [positional[at] for at in places if at < len(positional)]
    given += [argument for argument in call.arguments if argument.name in _NAMED]
    wrong = [argument for argument in given if _is_value(argument)]
    if call.attempted or not wrong:
        return
    texts = [quoted(argument.place) for argument in wrong]
    edits = tuple((argument.place, text_of(argument.place)[:-2]) for argument in wrong)
    called = all(text_of(argument.place).endswith("()") for argument in wrong)
    yield Finding(
        call.place,
        f"{' and '.join(texts)} {'is a value' if len(wrong) == 1 else 'are values'}, but `{call.name}` expects "
        "callables; TensorFlow raises TypeError. Pass the function itself, or a lambda.",
        (),
        (Repair("Pass the function", edits),) if called else (),
    )


def _is_value(argument: Argument) -> bool:
    return isinstance(argument.value, (Tensor, Variable, Array)) or python_kind(argument.value) in (int, float, bool)
