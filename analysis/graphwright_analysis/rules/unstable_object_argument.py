"""A `tf.function` receives a new object, or a different structure, on every call.

## What it does

Finds calls of traced functions in loops with an argument that is created each time (a lambda, `obj.method`, a
generator, a `functools.partial`, an instance), or whose list length, dict keys, or None-or-tensor change between
calls. An instance that Python can't hash, such as one of a plain `@dataclass`, is an error: TensorFlow raises
TypeError.

## Why it is bad

TensorFlow compares such objects by identity, and structures by their form, so it retraces the function for each. A
bound method is a new object each time you look it up.

    WARNING: 5 out of the last 5 calls to <function apply> triggered tf.function retracing.

## Bad

```python
import tensorflow as tf

traces = []

@tf.function
def apply(x, fn):
    traces.append(1)
    return fn(x)

for _ in range(6):
    last = apply(tf.ones([2]), lambda t: t + 1)  # error
```

## Good

```python
import tensorflow as tf

traces = []

@tf.function
def apply(x, fn):
    traces.append(1)
    return fn(x)

increase = lambda t: t + 1
for _ in range(6):
    last = apply(tf.ones([2]), increase)
```

## Evidence

```python
assert len(bad.traces) == 6
assert len(good.traces) == 1
assert len(fixed.traces) == 1
```

## Limits

Objects that define `__eq__` or `__hash__`, and frozen dataclasses, are assumed equal. Two structures in two calls
aren't reported, except a list and a tuple of the same length.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import tensor_arguments
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import ArgumentUnhashable, Retraced, Varying
from graphwright_analysis.tracing.facts.retracing import Difference


@rule(family="retracing", severity=Severity.WARNING, judges=(Retraced, ArgumentUnhashable), fixable=True)
def judge(call: Retraced | ArgumentUnhashable, view: View) -> Iterator[Finding]:
    if isinstance(call, ArgumentUnhashable):
        yield Finding(call.place, _refused(call), confidence=call.confidence, severity=Severity.ERROR)
        return
    cause = call.varying[0]
    if cause.how not in (Difference.FRESH, Difference.STRUCTURE, Difference.KIND):
        return
    edits = tensor_arguments.hoisted(call, cause) if cause.how is Difference.FRESH else None
    yield Finding(
        call.place,
        f"{_what(cause)}, so `{call.name}` is retraced for each: {call.frequency}. {_remedy(cause)}",
        tuple((other, "this call adds another trace") for other in call.others),
        () if edits is None else (Repair(f"Create `{cause.parameter}` once, before the loop", edits),),
        call.confidence,
    )


def _refused(call: ArgumentUnhashable) -> str:
    what = f"`{call.parameter}` {'contains' if call.inside else 'is'} a `{call.class_name}`"
    why = f"whose field `{call.field}` can't be hashed" if call.field else "which compares by value and has no hash"
    remedy = "Use a frozen dataclass, or one with `eq=False`, or define `__hash__`."
    if call.field:
        remedy = "Pass a NamedTuple or a tf.experimental.ExtensionType."
    function = f"`{call.name}`" if call.name else "the function"
    return f"{what}, {why}: TensorFlow can't use it as a trace key for {function} and raises TypeError. {remedy}"


def _what(cause: Varying) -> str:
    name = f"`{cause.parameter}`"
    if cause.how is Difference.KIND:
        return f"{name} is a list in one call and a tuple in another"
    if cause.how is Difference.STRUCTURE:
        return f"{name} changes structure between calls (number of elements, keys, or None)"
    return f"{name} is a new {cause.fresh or 'object'} on every call"


def _remedy(cause: Varying) -> str:
    if cause.how is Difference.KIND:
        return "Always pass the same type."
    if cause.how is Difference.STRUCTURE:
        return "Always pass the same structure, for example a stacked tensor or a neutral value."
    numbers = ("generator", "list of numbers", "number")
    return "Pass a tensor." if cause.fresh in numbers else "Create it once and reuse it."
