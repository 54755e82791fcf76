"""What `itertools` makes: iterators of which at most the elements are known."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import EACH_TURN, UNKNOWN, Scalar, Tensor, Value, Variable
from graphwright_analysis.values.domain import Sequence as Elements


def made(run: Run, name: str, arguments: Sequence[Value]) -> Value:
    """What `itertools` makes: iterators of which at most the elements are known."""
    if name == "itertools.count" and not any(isinstance(value, (Tensor, Variable)) for value in arguments):
        return Elements(Scalar(int, EACH_TURN))
    if name == "itertools.cycle" and arguments:
        return Elements(held_values.element_of(run, arguments[0]))
    escapes.forget(run, *arguments)
    return UNKNOWN
