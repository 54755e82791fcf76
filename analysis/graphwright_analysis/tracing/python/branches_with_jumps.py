"""What meets in the graph where a `break` or `continue` leaves a staged branch of a staged loop.

AutoGraph makes a variable of the `break`, so both sides of its branch come out of the `if` all the same, and puts what
follows under a branch of its own. Which branches and loops these are is in `staging` and `staged_loops`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import gast

from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import BranchName, LoopName
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Outcome, State, joined
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import NONE, UNDEFINED, Tensor, Variable, dtype_of
from graphwright_analysis.values.joining import staged

from . import staging


def sides(body: Outcome, orelse: Outcome) -> tuple[State, State] | None:
    """The states that meet after a branch which a `break` or `continue` leaves; None of any other."""
    if body.returns or orelse.returns or not (_leaves(body) or _leaves(orelse)):
        return None
    first, second = (joined(_ends(side), staging.behind) for side in (body, orelse))
    return None if first is None or second is None else (first, second)


def live_around(run: Run, frame: Frame, node: gast.If) -> frozenset[Symbol]:
    """The symbols that the loop around a branch carries or leaves."""
    function = name_lookup.frame_function(frame)
    loops = run.flow.loops_around(function, node)
    if not loops:
        return frozenset()
    live = run.flow.liveness_of(function)
    return frozenset(live.live_in(loops[-1]) | live.live_out(loops[-1]))


def bound(names: Iterable[BranchName]) -> list[BranchName]:
    """The names that both sides bind to something: of the others `unbound_names` has its own account."""
    return [name for name in names if not {UNDEFINED, NONE} & {name.body, name.orelse}]


def turned(name: LoopName, ending: LoopName) -> LoopName:
    """A name after a turn; `ending` is what it is at the end of a turn that isn't cut short.

    Where the ways through a turn disagree, and tensors decide which is taken, what the whole turn leaves still has to
    be what there was before.
    """
    whole, before = ending.after, staged(name.before)
    if not isinstance(whole, Tensor) or not isinstance(before, (Tensor, Variable)):
        return name
    differ = None not in (whole.dtype, before.dtype) and whole.dtype != before.dtype
    if not differ or dtype_of(name.after) is not None:
        return name
    return replace(name, after=Tensor(whole.dtype), after_place=ending.after_place)


def _ends(side: Outcome) -> Iterator[State]:
    yield from (state for state in (side.normal, *side.breaks, *side.continues) if state is not None)


def _leaves(side: Outcome) -> bool:
    return bool(side.breaks or side.continues)
