"""Graph code uses an operation that works only on eager tensors.

## What it does

Finds `.numpy()`, `.item()`, `.tolist()` and other methods that a symbolic tensor doesn't have, tensors formatted as
numbers (`f"{x:.3f}"`, `"%d" % x`) or passed to `open` and `os.path`, and `model.fit`, `predict` and `evaluate`.
Methods that no tensor has (`append`, `decode`) are also reported in eager code, such as the body of `tf.py_function`.

## Why it is bad

During tracing, tensors have no values.

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

Code in a `try` that catches the error, or under a `tf.executing_eagerly()` test, is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Confidence, Severity
from graphwright_analysis.fixes import symbolic_values
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import OutsideCall, TensorFormatted
from graphwright_analysis.tracing.facts.calls import NOT_OF_TENSORS, ONLY_OF_EAGER_TENSORS, ONLY_OF_VARIABLES
from graphwright_analysis.values.domain import ApiInstance, Tensor, Variable, is_likely

_MODELS = frozenset({"fit", "predict", "evaluate", "predict_on_batch"})
_MADE_AS = ("tf.keras.Sequential", "tf.keras.Model", "tf.keras.models.", "tf.keras.applications.")
_FILES = ("os.path.", "cv2.", "PIL.")
_READERS = frozenset({"open", "json.dumps", "json.loads", "os.listdir", "os.makedirs", "pathlib.Path"})


@rule(family="effects", severity=Severity.ERROR, judges=(OutsideCall, TensorFormatted), fixable=True)
def judge(fact: OutsideCall | TensorFormatted, view: View) -> Iterator[Finding]:
    if isinstance(fact, TensorFormatted):
        message = f"A symbolic tensor can't be formatted by {fact.how}: it has no value during tracing."
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
            f"`{fact.name}` can't be called inside a traced function: it runs its own loop over eager data. "
            "Call the model directly instead.",
        )


def _function(call: OutsideCall) -> Iterator[Finding]:
    known = call.name in _READERS or call.name.startswith(_FILES)
    if known and any(isinstance(a.value, Tensor) for a in call.arguments):
        yield Finding(
            call.place,
            f"`{call.name}` receives a symbolic tensor, which has no value during tracing, so the call fails. "
            "Use a TensorFlow function, such as tf.io.read_file, or tf.py_function.",
        )


def _finding(call: OutsideCall, confidence: Confidence, tensorflow: str | None) -> Finding:
    dot = symbolic_values.dot_of(call.place, call.function, call.name)
    plain = call.name == "numpy" and not call.arguments
    tensor = call.receiver if isinstance(call.receiver, Tensor) else None
    words = f"A symbolic tensor has no `{call.name}`: it has no value during tracing. "
    instead = "tf.py_function"
    if not call.in_graph:
        words, instead = f"A tensor has no `{call.name}`: Python raises AttributeError. ", "call `.numpy()` first"
    advice = f"Use a TensorFlow function, or {instead}."
    if call.name in ONLY_OF_VARIABLES:
        words = f"A tensor has no `{call.name}`, and neither has a slice of a variable: Python raises AttributeError. "
        advice = "Compute the new value and use `assign`."
    fixes = symbolic_values.left_out(call.place, dot, tensor, tensorflow) if plain and tensor is not None else ()
    return Finding(call.place, f"{words}{advice}", (), fixes, confidence)
