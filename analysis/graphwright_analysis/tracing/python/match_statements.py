"""`match` statements, which AutoGraph leaves as they are: Python chooses the case while tracing."""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Outcome, State, joined
from graphwright_analysis.tracing.noting import python_use, storing
from graphwright_analysis.values.domain import UNKNOWN

from . import expressions, statements


def match_(run: Run, frame: Frame, node: gast.Match) -> Outcome:
    """Run a `match`: any case may be the one."""
    subject = expressions.evaluate(run, frame, node.subject)
    if _compares(node):
        python_use.unconverted_truth(run, frame, node.subject, subject, "match")
    before = run.state
    result = Outcome(None)
    ends: list[State] = []
    irrefutable = False
    for case in node.cases:
        run.state = before.fork()
        for child in gast.walk(case.pattern):
            for captured in (getattr(child, "name", None), getattr(child, "rest", None)):
                if captured is not None:
                    storing.bind_name(run, frame, getattr(captured, "id", captured), UNKNOWN, case.pattern)
        outcome = statements.execute(run, frame, case.body)
        result.absorb(outcome)
        if outcome.normal is not None:
            ends.append(outcome.normal)
        wildcard = isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None
        irrefutable = irrefutable or (wildcard and case.guard is None)
    result.normal = joined(ends if irrefutable else [before, *ends])
    return result


def _compares(node: gast.Match) -> bool:
    """Whether the first case that can't be told without a comparison compares values."""
    patterns: list[gast.AST] = [case.pattern for case in node.cases]
    patterns = [p.patterns[0] if isinstance(p, gast.MatchOr) else p for p in patterns]
    first = next((p for p in patterns if not isinstance(p, gast.MatchSingleton)), None)
    return isinstance(first, gast.MatchValue)
