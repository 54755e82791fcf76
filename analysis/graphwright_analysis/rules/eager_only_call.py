"""Something that works on eager tensors only is done in code that becomes part of a graph.

## What it does

Finds `.numpy()`, `.item()`, `.tolist()` and other methods that a symbolic tensor doesn't have, tensors formatted as
numbers (`f"{x:.3f}"`, `"%d" % x`) or given to `open` and `os.path`, and `model.fit`, `predict` and `evaluate`. Methods
that no tensor has (`append`, `decode`) are found in eager code as well, such as what `tf.py_function` runs.

## Why it is bad

While a function is traced its tensors have no values.

    AttributeError: 'SymbolicTensor' object has no attribute 'numpy'

## Bad

```python
import tensorflow as tf

@tf.function
def total(x):
    y = tf.reduce_sum(x)
    return y.numpy()  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def total(x):
    y = tf.reduce_sum(x)
    return y
```

## Evidence

```python
import pytest
import tensorflow as tf

with pytest.raises(AttributeError, match="no attribute 'numpy'"):
    bad.total(tf.constant([1.0, 2.0]))
assert good.total(tf.constant([1.0, 2.0])).numpy() == 3.0
assert fixed.total(tf.constant([1.0, 2.0])).numpy() == 3.0
```

## Limits

What stands in a `try` that catches the error, or under a test of `tf.executing_eagerly()`, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import symbolic_values
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import OutsideCall, TensorFormatted
from graphwright_analysis.tracing.facts.calls import NOT_OF_TENSORS, ONLY_OF_EAGER_TENSORS
from graphwright_analysis.values.domain import ApiInstance, Tensor, Variable, is_likely

_MODELS = frozenset({"fit", "predict", "evaluate", "train_on_batch", "test_on_batch", "predict_on_batch"})
_MADE_AS = ("tf.keras.Sequential", "tf.keras.Model", "tf.keras.models.", "tf.keras.applications.")
_FILES = ("os.path.", "cv2.", "PIL.")
_READERS = frozenset({"open", "json.dumps", "json.loads", "os.listdir", "os.makedirs", "pathlib.Path"})


@rule(family="effects", severity=Severity.ERROR, judges=(OutsideCall, TensorFormatted), fixable=True)
def judge(fact: OutsideCall | TensorFormatted, view: View) -> Iterator[Finding]:
    if isinstance(fact, TensorFormatted):
        message = f"A symbolic tensor can't be formatted by {fact.how}: it has no value while the function is traced."
        yield Finding(fact.place, f"{message} Use tf.strings.format, tf.strings.as_string or tf.print.")
        return
    if fact.attempted or fact.meant_for_others or (fact.receiver is None and not fact.in_graph):
        return
    if fact.receiver is None:
        yield from _function(fact)
    elif isinstance(fact.receiver, Tensor):
        # What a condition that isn't known lets through may well have the method.
        if fact.name in ONLY_OF_EAGER_TENSORS or (fact.name in NOT_OF_TENSORS and not fact.uncertain):
            yield _finding(fact, Confidence.LIKELY if fact.uncertain else Confidence.CERTAIN, view.tensorflow)
    elif (isinstance(fact.receiver, Variable) or is_likely(fact.receiver)) and fact.name == "numpy":
        yield _finding(fact, Confidence.LIKELY if is_likely(fact.receiver) else Confidence.CERTAIN, None)
    elif isinstance(fact.receiver, ApiInstance) and fact.name in _MODELS and fact.receiver.name.startswith(_MADE_AS):
        yield Finding(
            fact.place,
            f"`{fact.name}` can't be called while a function is traced: it runs a loop of its own over eager data. "
            "Call the model itself instead.",
        )


def _function(call: OutsideCall) -> Iterator[Finding]:
    known = call.name in _READERS or call.name.startswith(_FILES)
    if known and any(isinstance(a.value, Tensor) for a in call.arguments):
        yield Finding(
            call.place,
            f"`{call.name}` receives a symbolic tensor here, which has no value while the function is traced; the "
            "call will fail. Use TensorFlow's own functions, such as tf.io.read_file, or tf.py_function.",
        )


def _finding(call: OutsideCall, confidence: Confidence, tensorflow: str | None) -> Finding:
    dot = symbolic_values.dot_of(call.place, call.function, call.name)
    plain = call.name == "numpy" and not call.arguments
    tensor = call.receiver if isinstance(call.receiver, Tensor) else None
    words = f"A symbolic tensor has no `{call.name}`: while the function is traced, it has no value. "
    instead = "tf.py_function"
    if not call.in_graph:
        words, instead = f"A tensor has no `{call.name}`: Python raises AttributeError. ", "work on its `.numpy()`"
    return Finding(
        call.place,
        f"{words}Use TensorFlow's own functions, or {instead}.",
        (),
        symbolic_values.left_out(call.place, dot, tensor, tensorflow) if plain and tensor is not None else (),
        confidence,
    )
