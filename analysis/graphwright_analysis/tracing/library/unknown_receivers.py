"""Methods of what isn't known, where the call itself tells: only a Dataset's `map` takes `num_parallel_calls`.

A method's name alone tells nothing: `map`, `batch` and `run` are methods of much else. What is called `ds` or
`train_dataset` is a Dataset, most likely.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import Api, Bound, Dataset, Function, Partial, Traced, Value

from . import datasets


def evaluate(run: Run, call: Call) -> Value | None:
    """What the call gives, if it tells whose method it is."""
    if not isinstance(call.node, gast.Call) or not isinstance(call.node.func, gast.Attribute):
        return None
    name, owner = call.node.func.attr, call.node.func.value
    if _is_datasets(name, call):
        return datasets.method(run, Dataset(), name, call)
    if name in _MAPPED and isinstance(call.argument(0), Function) and _is_called_dataset(owner):
        with run.within(doubted=True):
            return datasets.method(run, Dataset(), name, call)
    if name in ("run", "experimental_run_v2") and run.context.graph and _is_strategy(owner):
        _replicated(run, call)
    return None


def _is_datasets(name: str, call: Call) -> bool:
    keywords = _KEYWORDS.get(name, frozenset())
    tuned = name in _TUNED and any(_is_autotune(value) for value in call.positional[-1:])
    return tuned or not keywords.isdisjoint(call.named)


def _is_autotune(value: Value) -> bool:
    return isinstance(value, Api) and value.name in ("tf.data.AUTOTUNE", "tf.data.experimental.AUTOTUNE")


_KEYWORDS = {
    "map": frozenset({"num_parallel_calls", "deterministic"}),
    "interleave": frozenset({"num_parallel_calls", "cycle_length", "block_length", "deterministic"}),
    "shuffle": frozenset({"reshuffle_each_iteration"}),
    "padded_batch": frozenset({"padded_shapes", "padding_values"}),
}
_MAPPED = frozenset({"map", "filter", "flat_map", "interleave"})
_TUNED = frozenset({"map", "prefetch"})


def _is_called_dataset(receiver: gast.AST) -> bool:
    """Whether a name says that it is a Dataset, be it that its methods were called before."""
    while isinstance(receiver, gast.Call) and isinstance(receiver.func, gast.Attribute):
        receiver = receiver.func.value
    name = receiver.attr if isinstance(receiver, gast.Attribute) else getattr(receiver, "id", "")
    return name.lower().endswith(("dataset", "_ds")) or name == "ds"


def _is_strategy(receiver: gast.AST) -> bool:
    name = receiver.attr if isinstance(receiver, gast.Attribute) else getattr(receiver, "id", "")
    return name.strip("_").endswith("strategy")


def _replicated(run: Run, call: Call) -> None:
    """`strategy.run(step, args=(batch,))` inside a graph: the step becomes part of it, once for each replica."""
    step, given = call.argument(0, "fn"), call.argument(1, "args")
    target = step.target if isinstance(step, (Bound, Partial, Traced)) else step
    elements = held_values.elements_of(run, given)
    if not isinstance(target, (Function, Bound)) or elements is None:
        return
    if "kwargs" in call.named or len(call.positional) > 2:
        return
    with run.beside():
        run.interpreter.call_value(run, step, call.with_arguments(elements))
