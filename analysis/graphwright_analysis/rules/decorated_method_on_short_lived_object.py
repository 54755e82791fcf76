"""A method under `@tf.function` is called once on each of many instances.

## What it does

Finds loops that make instances of a class and call a traced method of each of them once, and traced methods that are
called on an instance which nothing holds (`Agent().act(x)`).

## Why it is bad

Each instance has traces of its own: the method is traced for every one of them, for a single call.

    WARNING: 5 out of the last 5 calls to <function Agent.act> triggered tf.function retracing.

An instance that nothing else holds is gone when the method is traced, because TensorFlow keeps it weakly:

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

Instances that are called more than once, or that code which isn't followed gets hold of, are no finding.
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
            f"Nothing holds this `{fact.class_name}` but the call: TensorFlow keeps it weakly, and it is None when "
            f"`{fact.method}` is traced. Give it a name first.",
            ((fact.used, "this reads an attribute of None"),),
            (),
            fact.confidence,
        )
        return
    related = () if fact.call is None else ((fact.call, "the only call of each instance"),)
    yield Finding(
        fact.place,
        f"Every iteration makes a new `{fact.class_name}`, and each traces `{fact.method}` for a single call. "
        "Make one instance outside the loop, or put the graph code into a function of the module.",
        related,
        (),
        fact.confidence,
    )
