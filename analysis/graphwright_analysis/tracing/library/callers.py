"""What runs functions as they are, or traces them anew: timers, savers, and what walks through values for them."""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.tracing.facts import TracedSaved
from graphwright_analysis.tracing.functions import traced_functions
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import NONE, ApiInstance, Constant, Scalar, Value

from . import distribution

Handler = Callable[[Run, Call], Value]


def _saved(run: Run, call: Call) -> Value:
    """`tf.saved_model.save`: it traces anew what was traced, and what has a signature."""
    saved = call.argument(0, "obj")
    for owner, traced in traced_functions.owned_by(run, saved):
        run.note(TracedSaved(run.fresh(), traced, owner))
    return NONE


def _strategy(run: Run, call: Call) -> Value:
    return ApiInstance(distribution.DEFAULT)


def _with_layout(run: Run, call: Call) -> Value:
    """`dtensor.call_with_layout(fn, layout, *args, **kwargs)`"""
    given = {name: value for name, value in call.named.items() if name not in ("fn", "layout")}
    return run.interpreter.call_value(run, call.argument(0), call.with_arguments(call.positional[2:], given))


def _watched(run: Run, call: Call) -> Value:
    """`tqdm(values)`: what is walked through stays the same."""
    return call.argument(0, "iterable")


def _timed(run: Run, call: Call) -> Value:
    """`timeit.timeit(function)`: it is called again and again."""
    statement = call.argument(0, "stmt")
    if not isinstance(statement, Constant):
        for _ in range(2):
            run.interpreter.call_value(run, statement, call.with_arguments([]))
    return Scalar(float)


HANDLERS: dict[str, Handler] = {
    "tf.saved_model.save": _saved,
    "tf.distribute.get_strategy": _strategy,
    "tf.experimental.dtensor.call_with_layout": _with_layout,
    **dict.fromkeys(("timeit.timeit", "timeit.repeat"), _timed),
    **dict.fromkeys(("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm"), _watched),
}
