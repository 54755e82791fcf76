"""What runs functions as they are, or traces them anew: timers, savers, and what walks through values for them."""

from __future__ import annotations

from collections.abc import Callable

import gast

from graphwright_analysis.tracing.facts import TracedSaved
from graphwright_analysis.tracing.functions import traced_functions
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import NONE, UNKNOWN, ApiInstance, Constant, Scalar, Value

from . import distribution

Named = dict[str, Value]
Handler = Callable[[Run, Frame, "list[Value]", Named, "gast.AST | None"], Value]


def _saved(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`tf.saved_model.save`: it traces anew what was traced, and what has a signature."""
    saved = positional[0] if positional else named.get("obj", UNKNOWN)
    for owner, traced in traced_functions.owned_by(run, saved):
        run.note(TracedSaved(run.fresh(), traced, owner))
    return NONE


def _strategy(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return ApiInstance(distribution.DEFAULT)


def _with_layout(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`dtensor.call_with_layout(fn, layout, *args, **kwargs)`"""
    given = {name: value for name, value in named.items() if name not in ("fn", "layout")}
    return run.interpreter.call_value(
        run, positional[0] if positional else UNKNOWN, Call(frame, positional[2:], given, node)
    )


def _watched(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`tqdm(values)`: what is walked through stays the same."""
    return positional[0] if positional else named.get("iterable", UNKNOWN)


def _timed(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`timeit.timeit(function)`: it is called again and again."""
    statement = positional[0] if positional else named.get("stmt", UNKNOWN)
    if not isinstance(statement, Constant):
        for _ in range(2):
            run.interpreter.call_value(run, statement, Call(frame, node=node))
    return Scalar(float)


HANDLERS: dict[str, Handler] = {
    "tf.saved_model.save": _saved,
    "tf.distribute.get_strategy": _strategy,
    "tf.experimental.dtensor.call_with_layout": _with_layout,
    **dict.fromkeys(("timeit.timeit", "timeit.repeat"), _timed),
    **dict.fromkeys(("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm"), _watched),
}
