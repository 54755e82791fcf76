"""Python numbers, and lists of numbers, that start a loop of the graph: what Graphwright makes of them there.

Where a turn can't use int32, it tries the dtypes that a failure is about, as the run time does; a list that a turn
replaces by a tensor is one from the start. AutoGraph does neither.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

from graphwright_analysis.tracing.facts import Fact, OperationRefused, StagedBranch
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Cell, Outcome, State
from graphwright_analysis.tracing.reading.held_values import as_tensor, elements_of
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, dtype_of, python_kind
from graphwright_analysis.values.tensorflow.operands import is_collection

Turn = Callable[[State], Outcome]
Clash = frozenset[str]
"""The dtypes that don't fit each other in one place."""

_TRIALS = 3
_NUMBERS = (bool, int, float, complex)


def fit(run: Run, carried: Sequence[Cell], before: State, start: State, turn: Turn) -> None:
    """Give the numbers that a loop starts with the dtypes with which a turn can be traced, as far as there are some."""
    if not run.context.by_graphwright:
        return
    seeds = {cell: family for cell in carried if (family := _family(before.content(cell))) is not None}
    if not seeds:
        return
    with _values_kept(run):
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


def stack_lists(run: Run, carried: Sequence[Cell], before: State, start: State, turn: Turn) -> State:
    """The state before the loop, in which lists that a turn replaces by tensors are tensors; so they are in `start`."""
    if not run.context.by_graphwright:
        return before
    lists = {cell: before.value(*cell) for cell in carried if _is_list_of_numbers(run, before.value(*cell))}
    if not lists:
        return before
    with _values_kept(run):
        tensors = _replacing(run, lists, start, turn)
    _set_all(start, tensors)
    return _set_all(before.fork(), tensors)


def _replacing(run: Run, lists: Mapping[Cell, Value], start: State, turn: Turn) -> dict[Cell, Tensor]:
    """The lists in whose place a turn leaves a tensor, as tensors; Python numbers take the dtype of that one."""
    left, facts = _tried(run, start, turn)
    ends = {cell: left.value(*cell) for cell in lists} if left is not None else {}
    replaced = {cell: end for cell, end in ends.items() if not is_collection(end)}
    tensors = {cell: _of_dtype(as_tensor(run, lists[cell]), end) for cell, end in replaced.items()}
    if not tensors:
        return {}
    again, more = _tried(run, _set_all(start.fork(), tensors), turn)
    if again is None or _mixed(more) > _mixed(facts):
        return {}
    ends = {cell: again.value(*cell) for cell in tensors}
    return {cell: _of_dtype(tensors[cell], end) for cell, end in ends.items() if _fits(tensors[cell], end)}


def _is_list_of_numbers(run: Run, value: Value) -> bool:
    """Whether TensorFlow can make one tensor of a list or tuple of numbers, possibly in such lists."""
    if not is_collection(value):
        return False
    parts = elements_of(run, value)
    return bool(parts) and all(
        _is_list_of_numbers(run, part) or isinstance(part, Tensor) or python_kind(part) in _NUMBERS for part in parts
    )


def _mixed(facts: Sequence[Fact]) -> int:
    """How many names are a tensor on one side of a branch only."""
    names = [name for fact in facts if isinstance(fact, StagedBranch) for name in fact.names]
    return sum(isinstance(name.body, Tensor) != isinstance(name.orelse, Tensor) for name in names)


def _of_dtype(tensor: Tensor, like: Value) -> Tensor:
    dtype = dtype_of(like) if isinstance(like, Tensor) else None
    return Tensor(dtype or tensor.dtype, tensor.shape)


def _set_all(state: State, tensors: Mapping[Cell, Tensor]) -> State:
    for cell, tensor in tensors.items():
        state.set(*cell, tensor)
    return state


def _fits(tensor: Tensor, left: Value) -> bool:
    shape = left.shape if isinstance(left, Tensor) else None
    return isinstance(left, Tensor) and (shape is None or tensor.shape is None or len(shape) == len(tensor.shape))


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
    after, facts = _tried(run, start, turn)
    refused = [fact for fact in facts if isinstance(fact, OperationRefused)]
    found = [_pair(fact.first.value, fact.second.value) for fact in refused if fact.kind == "dtype" and fact.second]
    if after is not None:
        found += [_pair(start.value(*cell), after.value(*cell)) for cell in seeds]
    return [pair for pair in found if len(pair) == 2]


def _tried(run: Run, start: State, turn: Turn) -> tuple[State | None, Sequence[Fact]]:
    """What a turn leaves and notes, without a trace of it but for the values of expressions."""
    with run.looking_again(), run.within(carrying=True):
        known = len(run.seen.facts)
        after = turn(start).normal
        return after, list(run.seen.facts)[known:]


@contextmanager
def _values_kept(run: Run) -> Generator[None]:
    """Put the values of expressions back that are found out in trials."""
    values = dict(run.seen.values)
    yield
    run.seen.values = values


def _pair(first: Value, second: Value) -> Clash:
    return frozenset(dtype for dtype in (dtype_of(first), dtype_of(second)) if dtype is not None)
