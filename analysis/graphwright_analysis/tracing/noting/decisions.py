"""Notes how each visit of an `if`, a loop or a conditional expression was decided: by the graph, by Python, or open.

What is staged is decided in `python`; here it is put into words for the editor.
"""

from __future__ import annotations

from graphwright_analysis.tracing.facts.decisions import (
    EAGER,
    GRAPH,
    OPEN,
    PYTHON,
    REFUSED,
    Decided,
    Decision,
    Decisions,
    DecisionVerdict,
)
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import Tensor, Value, Variable
from graphwright_analysis.values.kinds import is_no_tensor


def note(
    run: Run, frame: Frame, node: Decided, value: Value, over: LoopControl | None, turns: int | None = None
) -> None:
    """Note what a visit has decided; `over` is given where it is the graph that decides."""
    found = run.seen.decided.get(node)
    if found is None:
        found = run.seen.decided[node] = Decisions(frame.block)
    verdict = _verdict(run, frame, value, over)
    found.seen.setdefault(Decision(verdict, value, over, turns if verdict == PYTHON else None, frame.unconverted))


def _verdict(run: Run, frame: Frame, value: Value, over: LoopControl | None) -> DecisionVerdict:
    if not run.context.graph:
        return EAGER
    if over:
        return GRAPH
    if isinstance(value, (Tensor, Variable)):
        # One that was made outside holds a number, and Python may look at it.
        eager = isinstance(value, Tensor) and value.eager
        # Graphwright may write a generator as a function that calls the body of a loop.
        return REFUSED if frame.unconverted and not eager and not run.context.leaves_generator(frame) else OPEN
    return PYTHON if is_no_tensor(value) else OPEN
