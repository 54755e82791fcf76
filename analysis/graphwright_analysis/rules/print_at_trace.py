"""A tensor is printed or formatted while its function is traced.

## What it does

Finds `print` of a tensor in graph code, and strings formatted from a tensor (`f"{loss}"`, `str(loss)`, `"%s" % loss`)
and passed to TensorFlow. A `print` of plain text is ignored: it shows when a function is traced. So is one with the
word *tracing*, *traced* or *retracing*; *trace* lowers the severity.

## Why it is bad

Python code runs only while tracing, when tensors have no values yet. It prints the name of the tensor, and nothing on
later calls:

    loss = Tensor("Square:0", shape=(), dtype=float32)

## Bad

```python
import tensorflow as tf

@tf.function
def step(x):
    loss = tf.square(x)
    print(f"loss = {loss}")  # error
    return loss

step(tf.constant(2.0))
```

## Good

```python
import tensorflow as tf

@tf.function
def step(x):
    loss = tf.square(x)
    tf.print("loss =", loss)
    return loss

step(tf.constant(2.0))
```

## Evidence

```python
import contextlib
import io

text = io.StringIO()
with contextlib.redirect_stdout(text):
    bad.step(bad.tf.constant(3.0))
    bad.step(bad.tf.constant(4.0))
assert text.getvalue() == ""
assert good.step(good.tf.constant(3.0)).numpy() == 9.0
assert fixed.step(fixed.tf.constant(3.0)).numpy() == 9.0
```

## Limits

Strings for errors and assertions are ignored, and so is printing shapes and dtypes, which are known while tracing.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import replacing, sources
from graphwright_analysis.rule import AUTOGRAPH, Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import OutsideCall
from graphwright_analysis.values.domain import Composite, Scalar, Tensor, Tuple, Value, Variable, is_likely

_PRINTS = frozenset({"print", "pprint.pprint"})
_OF_TRACING = frozenset({"retrace", "retraced", "retraces", "retracing", "traced", "tracing"})


@rule(family="effects", severity=Severity.WARNING, judges=OutsideCall, fixable=True, true_for=AUTOGRAPH)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    if not call.in_graph or call.attempted or call.receiver is not None:
        return
    values = [argument.value for argument in call.arguments]
    if call.name in _PRINTS:
        likely = any(map(is_likely, values))
        sure = any(_tensor(value) or _text(value) for value in values)
        words = frozenset[str]().union(*map(sources.words_written, call.arguments))
        if not (likely or sure) or words & _OF_TRACING:
            return
        # A trace may be the matrix's.
        sure = sure and words.isdisjoint({"trace", "traces"})
        edits = replacing.tf_print(call, view.tensorflow) if call.name == "print" and view.tensorflow else None
        yield Finding(
            call.place,
            "This prints only while the function is traced, and shows a symbolic tensor instead of its value. "
            "Use tf.print to print the value on every call.",
            (),
            () if edits is None else (Repair("Replace with tf.print", edits),),
            Confidence.CERTAIN if sure else Confidence.LIKELY,
        )
    elif call.name.startswith("tf.") and any(map(_text, values)):
        yield Finding(
            call.place,
            "This text is formatted while tracing, so it shows a symbolic tensor, such as Tensor('x:0'), instead of "
            "its value. Use tf.strings.format, tf.strings.join or tf.print.",
        )


def _tensor(value: Value) -> bool:
    if isinstance(value, Tuple):
        return any(map(_tensor, value.items))
    return isinstance(value, (Tensor, Variable, Composite))


def _text(value: Value) -> bool:
    return isinstance(value, Scalar) and value.holds_tensor
