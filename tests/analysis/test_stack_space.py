"""Deep calls of the analysis don't get and return memory for their frames at each call."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from graphwright_analysis import tracing
from graphwright_analysis.stack_space import with_stack_space

resource = pytest.importorskip("resource")

CALLS = 400


def _deeper(depth: int, body: Callable[[], None]) -> None:
    if depth:
        _deeper(depth - 1, body)
    else:
        body()


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _most_faults(depths: range) -> int:
    """The number of page faults of many calls, at the depth with the most of them."""
    found = list[int]()

    def calls() -> None:
        before = _faults()
        for _ in range(CALLS):
            _deeper(12, lambda: None)
        found.append(_faults() - before)

    for depth in depths:
        _deeper(depth, calls)
    return max(found)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts page faults")
def test_no_depth_has_calls_that_allocate() -> None:
    depths = range(0, 400, 3)
    assert with_stack_space(_most_faults)(depths) < CALLS / 2


def test_arguments_results_and_errors_pass_through() -> None:
    @with_stack_space
    def divide(number: int, *, by: int) -> float:
        """Divide."""
        return number / by

    assert divide(6, by=3) == 2
    assert (divide.__name__, divide.__doc__) == ("divide", "Divide.")
    with pytest.raises(ZeroDivisionError):
        divide(1, by=0)


@pytest.mark.parametrize("entrance", [tracing.trace_module, tracing.exports_of])
def test_runs_of_a_file_have_stack_space(entrance: Callable[..., object]) -> None:
    assert entrance.__code__.co_stacksize == with_stack_space(entrance).__code__.co_stacksize
