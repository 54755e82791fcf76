"""Notes names of a staged loop that a branch in it sets on one side and leaves unset on the other.

What a loop needs to begin with is noted by `noting.unbound_names`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.flow import total_activity
from graphwright_analysis.tracing.facts import UnsetInTurn
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import Outcome, State
from graphwright_analysis.tracing.noting.unbound_names import UNSEEDED
from graphwright_analysis.values.domain import Unknown, Value

from . import symbols


def note_branch(
    run: Run, frame: Frame, node: gast.If, rest: Sequence[gast.stmt], before: State, sides: tuple[Outcome, Outcome]
) -> None:
    """Note names of the loop around that a staged branch sets on one side and leaves unset on the other."""
    loop = next((c.place for c in reversed(run.context.constructs) if c.kind is ConstructKind.LOOP), None)
    if loop is None or not run.context.unbound_before_loop:
        return
    ends = [_ends(side) for side in sides]
    if not all(ends):
        return
    activity, more = run.flow.activity_in(node), total_activity(rest)
    for symbol in sorted(activity.writes | activity.deletes | more.writes):
        if str(symbol) not in run.context.unbound_before_loop or not _is_unset(
            symbols.read(run, frame, symbol, before)
        ):
            continue
        found = [{_is_unset(symbols.read(run, frame, symbol, state)) for state in side} for side in ends]
        if found in ([{True}, {False}], [{False}, {True}]):
            run.note(UnsetInTurn(str(symbol), place_of(frame, node.test), loop))


def _ends(outcome: Outcome) -> list[State]:
    normal = [] if outcome.normal is None else [outcome.normal]
    return [*normal, *outcome.breaks, *outcome.continues]


def _is_unset(value: Value) -> bool | None:
    """Whether the value is still what it was before the loop; None where nobody knows."""
    if value in UNSEEDED:
        return True
    return None if isinstance(value, Unknown) and not value.bound else False
