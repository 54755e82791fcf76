"""A method under `@tf.function` is called once on each of many instances.

## What it does

Finds loops that create instances of a class and call a traced method once on each, and traced methods called on a
temporary instance (`Agent().act(x)`).

## Why it is bad

Each instance has its own traces, so the method is traced for every instance, for a single call.

    WARNING: 5 out of the last 5 calls to <function Agent.act> triggered tf.function retracing.

A temporary instance is gone by the time the method is traced, because TensorFlow holds only a weak reference to it:

    AttributeError: 'NoneType' object has no attribute 'w'

## Bad

```python
import tensorflow as tf

traces = []

class Agent:
    @tf.function
    def act(self, x):
        traces.append(1)
        return x * 2

for _ in range(6):
    agent = Agent()  # error
    agent.act(tf.ones([2]))
```

## Good

```python
import tensorflow as tf

traces = []

class Agent:
    @tf.function
    def act(self, x):
        traces.append(1)
        return x * 2

agent = Agent()
for _ in range(6):
    agent.act(tf.ones([2]))
```

## Evidence

```python
assert len(bad.traces) == 6
assert len(good.traces) == 1
```

## Limits

Instances that are called more than once, or that escape to code that isn't followed, aren't reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.rule import Finding, View, rule
from graphwright_analysis.tracing.facts import InstancesTraced, TemporaryReceiver


@rule(family="retracing", severity=Severity.WARNING, judges=(InstancesTraced, TemporaryReceiver))
def judge(fact: InstancesTraced | TemporaryReceiver, view: View) -> Iterator[Finding]:
    if isinstance(fact, TemporaryReceiver):
        yield Finding(
            fact.place,
            f"This `{fact.class_name}` is a temporary, and TensorFlow holds only a weak reference to it: `self` is "
            f"None when `{fact.method}` is traced. Assign the instance to a name first.",
            ((fact.used, "this reads an attribute of None"),),
            (),
            fact.confidence,
        )
        return
    related = () if fact.call is None else ((fact.call, "the only call of each instance"),)
    yield Finding(
        fact.place,
        f"Each iteration creates a new `{fact.class_name}`, and each instance traces `{fact.method}` for a single "
        "call. Create one instance outside the loop, or move the graph code to a module-level function.",
        related,
        (),
        fact.confidence,
    )
