"""Python writes, logs or sleeps while a function is traced.

## What it does

Finds `logging` calls, writes to open files, `time.sleep`, `gc.collect` and progress bars in graph code.

## Why it is bad

Python code runs only while tracing. Something that should happen on every call happens once, and nothing reports it.

## Bad

```python
import logging

import tensorflow as tf

@tf.function
def step(x):
    logging.warning("a step of training")  # error
    return x + 1
```

## Good

```python
import tensorflow as tf

@tf.function
def step(x):
    tf.print("a step of training")
    return x + 1
```

## Evidence

```python
import logging

records = []
handler = logging.Handler()
handler.emit = records.append
logging.getLogger().addHandler(handler)
for number in range(3):
    bad.step(bad.tf.constant(number))
logging.getLogger().removeHandler(handler)
assert [record.getMessage() for record in records].count("a step of training") == 1
assert good.step(good.tf.constant(1)).numpy() == 2
```

## Limits

Debug and info messages are ignored: they are often meant to report tracing.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import OutsideCall
from graphwright_analysis.values.domain import ApiInstance, Composite, Constant, Scalar, Tensor, Value

_LOGS = frozenset({"critical", "debug", "error", "exception", "info", "log", "warn", "warning"})
_DONE = frozenset({"time.sleep", "tqdm.tqdm.write", "tqdm.write", "sys.stdout.write", "sys.stderr.write", "os.system"})
_LOGGER = ApiInstance("logging.Logger")
_LOGGERS = ("logging.", "absl.logging.", "tf.compat.v1.logging.", "tf.logging.")


@rule(family="effects", severity=Severity.WARNING, judges=OutsideCall)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    if not call.in_graph or call.attempted:
        return
    if call.name == "open" and call.receiver is None and _writes(call) and not call.uncertain:
        yield Finding(
            call.place,
            "The file is opened and written only while the function is traced, not when the graph runs. Write it "
            "outside the function, or in tf.py_function.",
        )
        return
    logger = call.receiver == _LOGGER
    if not call.dropped or (call.receiver is not None and not logger):
        return
    last = call.name.rpartition(".")[2]
    if (logger or call.name.startswith(_LOGGERS)) and last in _LOGS:
        tensor = any(_shows(argument.value) for argument in call.arguments)
        if not tensor and (last in ("debug", "info") or call.uncertain):
            return
        advice = "Use tf.print to write on every call."
    elif call.name in _DONE:
        advice = "Call it outside the function, or in tf.py_function."
    else:
        return
    yield Finding(
        call.place,
        f"`{call.name}` runs only while the function is traced, not when the graph runs. {advice}",
    )


def _writes(call: OutsideCall) -> bool:
    """Whether `open` is told to write, and to where is known while tracing."""
    given = [a for a in call.arguments if a.name == "mode" or a.name is None]
    mode = next((a.value for a in given if a.name == "mode"), given[1].value if len(given) > 1 else None)
    path = call.arguments[0].value if call.arguments else None
    if not isinstance(mode, Constant) or not isinstance(mode.value, str) or isinstance(path, Tensor):
        return False
    return mode.value[:1] in ("a", "w", "x")


def _shows(value: Value) -> bool:
    return isinstance(value, (Tensor, Composite)) or (isinstance(value, Scalar) and value.holds_tensor)
