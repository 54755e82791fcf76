"""Whether a test is sure, and what makes a condition or a loop part of the graph.

What follows from it is in `python`.
"""

from __future__ import annotations

from graphwright_analysis.tracing.facts.loops import LoopSource
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import (
    Bound,
    Class,
    Composite,
    Constant,
    Dataset,
    DType,
    Function,
    Tensor,
    Traced,
    Tuple,
    Value,
    Variable,
)


def truth(value: Value) -> bool | None:
    """Whether a Python test on the value is surely true or surely false."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Function, Class, Traced, Bound, DType)):
        return True
    return None


def condition_in_graph(run: Run, frame: Frame, test: Value) -> bool:
    """Whether a condition of this value makes its statement part of the graph."""
    return run.context.graph and frame.converted and isinstance(test, (Tensor, Variable))


def iterated_in_graph(run: Run, frame: Frame, iterated: Value) -> LoopSource | None:
    """What a loop over this value iterates in the graph, or None where it is a Python loop."""
    return walked_as(iterated) if run.context.graph and frame.converted else None


def walked_as(iterated: Value) -> LoopSource | None:
    """What a loop over this value iterates where it is converted, or None where it is a Python loop."""
    if isinstance(iterated, Tensor):
        return "range" if iterated.is_range else "tensor"
    if isinstance(iterated, Variable):
        return "tensor"
    if isinstance(iterated, Composite):
        return "tensor"
    if isinstance(iterated, Dataset):
        return "iterator" if iterated.iterator else "dataset"
    return None
