"""Python numbers that start a loop of the graph: the dtype that Graphwright gives them where a turn can't use int32.

It tries the others that a failure is about, as the run time does; AutoGraph doesn't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphwright_analysis.tracing.facts import OperationRefused
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Cell, Outcome, State
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, dtype_of, python_kind

Turn = Callable[[State], Outcome]
Clash = frozenset[str]
"""The dtypes that don't fit each other in one place."""

_TRIALS = 3


def fit(run: Run, carried: Sequence[Cell], before: State, start: State, turn: Turn) -> None:
    """Give the numbers that a loop starts with the dtypes with which a turn can be traced, as far as there are some."""
    if not run.context.by_graphwright:
        return
    seeds = {cell: family for cell in carried if (family := _family(before.content(cell))) is not None}
    if not seeds:
        return
    values = dict(run.seen.values)
    clashes = _clashes(run, seeds, start, turn)
    for _ in range(_TRIALS):
        for cell, dtype in _trials(seeds, start, clashes):
            tried = start.fork()
            tried.set(*cell, Tensor(dtype, (), number=True))
            left = _clashes(run, seeds, tried, turn)
            if len(left) < len(clashes):
                start.set(*cell, Tensor(dtype, (), number=True))
                clashes = left
                break
        else:
            break
    run.seen.values = values


def _family(content: object) -> frozenset[str] | None:
    """The dtypes that a Python number may become."""
    if not isinstance(content, (Constant, Scalar)):
        return None
    kind = python_kind(content)
    if kind is int:
        return dtypes.INTEGERS | dtypes.FLOATS
    return dtypes.FLOATS if kind is float else None


def _trials(seeds: dict[Cell, frozenset[str]], start: State, clashes: list[Clash]) -> Iterator[tuple[Cell, str]]:
    for cell, family in seeds.items():
        own = dtype_of(start.value(*cell))
        for clash in dict.fromkeys(clashes):
            if own in clash:
                yield from ((cell, other) for other in sorted(clash & family - {own}))


def _clashes(run: Run, seeds: dict[Cell, frozenset[str]], start: State, turn: Turn) -> list[Clash]:
    """Which dtypes don't fit each other in a turn that begins with these values."""
    with run.looking_again(), run.within(carrying=True):
        known = len(run.seen.facts)
        after = turn(start).normal
        refused = [fact for fact in list(run.seen.facts)[known:] if isinstance(fact, OperationRefused)]
    found = [_pair(fact.first.value, fact.second.value) for fact in refused if fact.kind == "dtype" and fact.second]
    if after is not None:
        found += [_pair(start.value(*cell), after.value(*cell)) for cell in seeds]
    return [pair for pair in found if len(pair) == 2]


def _pair(first: Value, second: Value) -> Clash:
    return frozenset(dtype for dtype in (dtype_of(first), dtype_of(second)) if dtype is not None)
