"""The time, or something else that changes between calls, is read while a function is traced.

## What it does

Finds `time.time`, `time.perf_counter`, `datetime.now`, `uuid.uuid4` and the like in graph code.

## Why it is bad

Python calls it once, while tracing, and the result becomes a constant of the graph. Every later call sees the time of
the first trace, and a duration measures how long tracing took. Nothing reports it.

## Bad

```python
import time

import tensorflow as tf

@tf.function
def now():
    return tf.constant(time.time(), tf.float64)  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def now():
    return tf.timestamp()
```

## Evidence

```python
import time

first = bad.now(), good.now(), fixed.now()
time.sleep(0.05)
assert bad.now() == first[0]
assert good.now() > first[1]
assert fixed.now() > first[2]
```

## Limits

Environment variables are ignored: most code means to read settings while tracing.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import OutsideCall

_CLOCKS = frozenset(
    f"time.{clock}{unit}" for clock in ("time", "perf_counter", "monotonic", "process_time") for unit in ("", "_ns")
)
_DATES = frozenset(
    {
        "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
        "time.strftime", "time.localtime", "time.gmtime", "time.ctime",
    }
)  # fmt: skip
_IDENTITIES = frozenset({"uuid.uuid1", "uuid.uuid4", "os.urandom", "secrets.token_hex", "secrets.randbelow"})


@rule(family="effects", severity=Severity.WARNING, judges=OutsideCall, fixable=True)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    if not call.in_graph or call.dropped or call.receiver is not None:
        return
    repairs: tuple[Repair, ...] = ()
    if call.name in _CLOCKS:
        if call.name == "time.time" and not call.arguments and view.tensorflow is not None:
            edits = replacing.tensor_instead(call, f"{view.tensorflow}.timestamp()", view.tensorflow)
            repairs = () if edits is None else (Repair("Use tf.timestamp", edits),)
        advice = "Use tf.timestamp, or measure the time outside the function."
    elif call.name in _DATES:
        advice = "Use tf.timestamp, or pass it in as a tensor."
    elif call.name in _IDENTITIES:
        advice = "Pass it in as a tensor."
    else:
        return
    message = f"`{call.name}` runs only while the function is traced, and every later call reuses that value. {advice}"
    yield Finding(call.place, message, (), repairs)
