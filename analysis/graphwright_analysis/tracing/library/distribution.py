"""What a distribution strategy runs, and the Datasets that it hands out."""

from __future__ import annotations

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import UNKNOWN, ApiInstance, Dataset, Tuple, Value

Named = dict[str, Value]

STRATEGIES = "tf.distribute."
"""Below which the classes of strategies stand."""
DEFAULT = f"{STRATEGIES}Strategy"


def method(run: Run, strategy: ApiInstance, name: str, call: Call) -> Value:
    """What a method of a strategy runs and gives; what its replicas have together isn't known."""
    if name in ("run", "experimental_run_v2"):
        _replicated(run, call, strategy, call.by_name("fn", "args", "kwargs"))
    elif name == "experimental_distribute_dataset":
        return Dataset()
    elif name in ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function"):
        run.interpreter.call_value(run, call.argument(0), call.with_arguments([UNKNOWN]))
        return Dataset()
    elif name != "scope":
        escapes.forget(run, *call.values)
    return UNKNOWN


def _replicated(run: Run, call: Call, strategy: ApiInstance, given: Named) -> None:
    """`strategy.run(step, args=(batch,))`: each replica calls the step."""
    step = given.get("fn", UNKNOWN)
    elements = held_values.elements_of(run, given.get("args", Tuple(())))
    if elements is None or "kwargs" in given:
        escapes.forget(run, step, *given.values())
        return
    # Each of several replicas may trace it, or a copy of it.
    several = not run.context.graph and strategy.name != DEFAULT
    with run.within(doubts=run.context.doubts + several):
        run.interpreter.call_value(run, step, call.with_arguments(elements))
