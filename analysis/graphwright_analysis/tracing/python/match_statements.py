"""`match` statements, which AutoGraph leaves as they are: Python chooses the case while tracing."""

from __future__ import annotations

from typing import Any

import gast

from graphwright_analysis.tracing.library import instance_checks, operator_results
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Outcome, State, joined
from graphwright_analysis.tracing.noting import python_use, storing
from graphwright_analysis.tracing.reading.conditions import truth
from graphwright_analysis.values.domain import UNKNOWN, Tuple, Value

from . import expressions, statements


def match_(run: Run, frame: Frame, node: gast.Match) -> Outcome:
    """Run a `match`: the case that surely fits, or any that may be the one."""
    subject = expressions.evaluate(run, frame, node.subject)
    if _compares(node):
        python_use.unconverted_truth(run, frame, node.subject, subject, "match")
    before = run.state
    result = Outcome(None)
    ends: list[State] = []
    for case in node.cases:
        run.state = before.fork()
        fits = _taken(run, frame, case, subject)
        if fits is False:
            continue
        outcome = statements.execute(run, frame, case.body)
        result.absorb(outcome)
        if outcome.normal is not None:
            ends.append(outcome.normal)
        if fits:
            break
    else:
        ends.insert(0, before)
    run.state = before
    result.normal = joined(ends)
    return result


def _taken(run: Run, frame: Frame, case: Any, subject: Value) -> bool | None:
    """Whether a case is surely the one, or surely not; what it captures is bound then."""
    fits = _fits(run, frame, case.pattern, subject)
    if fits is False:
        return False
    _capture(run, frame, case.pattern, subject)
    if case.guard is None:
        return fits
    guard = expressions.evaluate(run, frame, case.guard)
    python_use.unconverted_truth(run, frame, case.guard, guard, "match")
    holds = truth(guard)
    return False if holds is False else fits and holds


def _fits(run: Run, frame: Frame, pattern: Any, subject: Value) -> bool | None:
    """Whether a value surely fits a pattern, or surely doesn't."""
    if isinstance(pattern, gast.MatchValue):
        value = expressions.evaluate(run, frame, pattern.value)
        return truth(operator_results.compared(run, gast.Eq(), subject, value))
    if isinstance(pattern, gast.MatchSingleton):
        single = expressions.evaluate(run, frame, gast.Constant(pattern.value, None))
        return truth(operator_results.compared(run, gast.Is(), subject, single))
    if isinstance(pattern, gast.MatchAs):
        return True if pattern.pattern is None else _fits(run, frame, pattern.pattern, subject)
    if isinstance(pattern, gast.MatchOr):
        found = [_fits(run, frame, each, subject) for each in pattern.patterns]
        return True if True in found else None if None in found else False
    if isinstance(pattern, gast.MatchSequence) and isinstance(subject, Tuple) and not _has_star(pattern):
        if len(pattern.patterns) != len(subject.items):
            return False
        found = [_fits(run, frame, *pair) for pair in zip(pattern.patterns, subject.items, strict=True)]
        return False if False in found else None if None in found else True
    if isinstance(pattern, gast.MatchClass):
        fits = instance_checks.is_instance(subject, expressions.evaluate(run, frame, pattern.cls))
        return fits if fits is False or not (pattern.patterns or pattern.kwd_patterns) else None
    return None


def _capture(run: Run, frame: Frame, pattern: Any, subject: Value) -> None:
    """Bind the names in a pattern, as far as it is known to what."""
    if isinstance(pattern, gast.MatchSequence) and isinstance(subject, Tuple) and not _has_star(pattern):
        for each, item in zip(pattern.patterns, subject.items, strict=False):
            _capture(run, frame, each, item)
        return
    for child in gast.walk(pattern):
        for captured in (getattr(child, "name", None), getattr(child, "rest", None)):
            if captured is not None:
                value = subject if child is pattern and _is_subject(run, frame, child, subject) else UNKNOWN
                storing.bind_name(run, frame, getattr(captured, "id", captured), value, pattern)


def _is_subject(run: Run, frame: Frame, pattern: Any, subject: Value) -> bool:
    """Whether a pattern captures the subject, of which is known what it is in that case."""
    if not isinstance(pattern, gast.MatchAs):
        return False
    return not _asks_for_class(pattern) or bool(_fits(run, frame, pattern, subject))


def _asks_for_class(pattern: Any) -> bool:
    return any(isinstance(part, gast.MatchClass) for part in gast.walk(pattern))


def _has_star(pattern: Any) -> bool:
    return any(isinstance(each, gast.MatchStar) for each in pattern.patterns)


def _compares(node: gast.Match) -> bool:
    """Whether the first case that can't be told without a comparison compares values."""
    patterns: list[gast.AST] = [case.pattern for case in node.cases]
    patterns = [p.patterns[0] if isinstance(p, gast.MatchOr) else p for p in patterns]
    first = next((p for p in patterns if not isinstance(p, gast.MatchSingleton)), None)
    return isinstance(first, gast.MatchValue)
