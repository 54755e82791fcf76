"""Python or NumPy random numbers are drawn while a function is traced.

## What it does

Finds calls of `random.*` and `np.random.*`, and of generators created outside with `random.Random` or
`np.random.default_rng`, in graph code: under `tf.function`, and in functions passed to a Dataset. In the `call` of a
Keras layer or model that the file doesn't fit, the severity is one lower.

## Why it is bad

The number is drawn once, while tracing, and becomes a constant of the graph. Every later call, and every element of a
Dataset, uses the same number. Nothing reports it.

## Bad

```python
import numpy as np
import tensorflow as tf

@tf.function
def noise():
    return tf.constant(np.random.rand())  # error
```

## Good

```python
import tensorflow as tf

@tf.function
def noise():
    return tf.random.uniform([])
```

## Evidence

```python
assert bad.noise() == bad.noise()
assert good.noise() != good.noise()
assert fixed.noise() != fixed.noise()
```

## Limits

Seeding is ignored, and so are generators that the function itself creates with a seed: they draw the same numbers
eagerly. Code in `tf.py_function` or `tf.numpy_function` runs every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright_analysis.diagnostics import Severity
from graphwright_analysis.fixes import replacing
from graphwright_analysis.rule import Finding, Repair, View, rule
from graphwright_analysis.tracing.facts import OutsideCall
from graphwright_analysis.values.domain import ApiInstance

_SILENT = re.compile(
    r"(seed|getstate|setstate|get_state|set_state|Random|SystemRandom|RandomState|default_rng|Generator|SeedSequence"
    r"|MT19937|PCG64|Philox|BitGenerator|spawn|bit_generator)$"
)
_FOR_EFFECT = frozenset({"shuffle"})


@rule(family="effects", severity=Severity.WARNING, judges=OutsideCall, fixable=True)
def judge(call: OutsideCall, view: View) -> Iterator[Finding]:
    name = call.name
    drawer = call.receiver.name if isinstance(call.receiver, ApiInstance) else name if call.receiver is None else ""
    if not drawer.startswith(("random.", "np.random.")):
        return
    last = name.rpartition(".")[2]
    if not call.in_graph or _SILENT.search(last) or (call.dropped and last not in _FOR_EFFECT):
        return
    edits = _with_tensorflow(call, view.tensorflow)
    yield Finding(
        call.place,
        f"`{name}` runs only while the function is traced, so every call uses the same random numbers. "
        "Use tf.random, or pass the numbers as an argument.",
        (),
        () if edits is None else (Repair("Use tf.random", edits),),
        call.confidence,
    )


def _with_tensorflow(call: OutsideCall, tensorflow: str | None) -> replacing.Edits | None:
    """The same draw from `tf.random`, where the arguments say all of it."""
    if tensorflow is None or any(argument.name is not None for argument in call.arguments):
        return None
    given = [replacing.text_of(argument.place) for argument in call.arguments]
    uniform, normal = f"{tensorflow}.random.uniform", f"{tensorflow}.random.normal"
    made = None
    if call.name in ("np.random.rand", "np.random.random", "random.random") and not given:
        made = f"{uniform}([])"
    elif call.name in ("np.random.randn",) and not given:
        made = f"{normal}([])"
    elif call.name == "random.uniform" and len(given) == 2:
        made = f"{uniform}([], {given[0]}, {given[1]})"
    elif call.name in ("random.gauss", "random.normalvariate") and len(given) == 2:
        made = f"{normal}([], {given[0]}, {given[1]})"
    elif call.name == "random.randint" and len(given) == 2:
        made = f"{uniform}([], {given[0]}, {given[1]} + 1, {tensorflow}.int32)"
    return None if made is None else replacing.tensor_instead(call, made, tensorflow)
