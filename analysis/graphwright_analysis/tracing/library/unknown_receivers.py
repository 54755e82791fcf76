"""Methods of what isn't known, where the call itself tells: only a Dataset's `map` takes `num_parallel_calls`.

A method's name alone tells nothing: `map`, `batch` and `run` are methods of much else. What is called `ds` or
`train_dataset` is a Dataset, most likely.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import UNKNOWN, Api, Bound, Dataset, Function, Partial, Traced, Value

from . import datasets

Named = dict[str, Value]


def evaluate(run: Run, frame: Frame, node: gast.Call, positional: list[Value], named: Named) -> Value | None:
    """What the call gives, if it tells whose method it is."""
    if not isinstance(node.func, gast.Attribute):
        return None
    name = node.func.attr
    if _is_datasets(name, positional, named):
        return datasets.method(run, Dataset(), name, Call(frame, positional, named, node))
    if name in _MAPPED and positional and isinstance(positional[0], Function) and _is_called_dataset(node.func.value):
        with run.within(doubted=True):
            return datasets.method(run, Dataset(), name, Call(frame, positional, named, node))
    if name in ("run", "experimental_run_v2") and run.context.graph and _is_strategy(node.func.value):
        _replicated(run, frame, positional, named, node)
    return None


def _is_datasets(name: str, positional: list[Value], named: Named) -> bool:
    keywords = _KEYWORDS.get(name, frozenset())
    return not keywords.isdisjoint(named) or (name in _TUNED and any(_is_autotune(value) for value in positional[-1:]))


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


def _replicated(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.Call) -> None:
    """`strategy.run(step, args=(batch,))` inside a graph: the step becomes part of it, once for each replica."""
    step = positional[0] if positional else named.get("fn", UNKNOWN)
    target = step.target if isinstance(step, (Bound, Partial, Traced)) else step
    given = positional[1] if len(positional) > 1 else named.get("args")
    elements = held_values.elements_of(run, given) if given is not None else None
    if not isinstance(target, (Function, Bound)) or elements is None or "kwargs" in named or len(positional) > 2:
        return
    with run.beside():
        run.interpreter.call_value(run, step, Call(frame, list(elements), node=node))
