"""From facts to findings: runs the rules over a trace and lays what they say out in the file.

A rule that fails loses what it would have said of one fact, is logged, and costs nothing else.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .diagnostics import Confidence, Diagnostic, Edit, Fix, Related
from .rule import Finding, Repair, Rule, View, all_rules
from .settings import Settings
from .syntax import Module, suppressions
from .text import Range
from .tracing import Fact, Place, Trace

log = logging.getLogger(__name__)

_IMPORT = re.compile(r"^\s*import\s+tensorflow(?:\.compat\.v2)?(?:\s+as\s+(\w+))?\s*(?:#.*)?$", re.MULTILINE)
_FROM = re.compile(r"^\s*import\s+.*\btensorflow\s+as\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Report:
    """What is told of a file."""

    diagnostics: tuple[Diagnostic, ...]


def report(module: Module, trace: Trace, settings: Settings) -> Report:
    """The findings of all rules that the settings want, without what comments in the file allow."""
    view = View(_tensorflow_name(module))
    found: dict[tuple[str, Range, str], Diagnostic] = {}
    for rule, finding in _findings(trace, view):
        diagnostic = _told(rule, finding, module, settings)
        if diagnostic is not None:
            found.setdefault((diagnostic.rule, diagnostic.range, diagnostic.message), diagnostic)
    if found:
        allowed = suppressions(module)
        found = {k: d for k, d in found.items() if not any(allowed.covers(n, d.range) for n in (d.rule, d.family))}
    return Report(tuple(sorted(found.values(), key=lambda d: (d.range, d.severity, d.rule, d.message))))


def _findings(trace: Trace, view: View) -> Iterator[tuple[Rule, Finding]]:
    """What the rules say of a trace; of the starts that weren't traced again it is known already."""
    for seen in trace.starts:
        text = view, trace.told_of(seen)
        if text not in seen.judged:
            seen.judged = {text: tuple(_judged(trace.facts_of(seen), view))}
        yield from seen.judged[text]
    yield from _judged(trace.gathered, view)


def _judged(facts: Iterable[Fact], view: View) -> Iterator[tuple[Rule, Finding]]:
    judges = _judges()
    for fact in facts:
        for rule in judges.get(type(fact), ()):
            try:
                yield from [(rule, finding) for finding in rule.judge(fact, view)]
            except Exception:
                log.exception("the rule %s failed; what it would say of one place is lost", rule.name)


@functools.cache
def _judges() -> dict[type, list[Rule]]:
    """The rules for each kind of fact."""
    found: dict[type, list[Rule]] = {}
    for rule in all_rules():
        for kind in rule.judges:
            found.setdefault(kind, []).append(rule)
    return found


def _told(rule: Rule, finding: Finding, module: Module, settings: Settings) -> Diagnostic | None:
    if finding.place.block not in module.starts_of:
        # In a file that this one imports, which is judged by itself.
        return None
    stated = rule.severity if finding.severity is None else finding.severity
    natural = stated if finding.confidence is Confidence.CERTAIN else stated.lowered()
    severity = settings.severity_of(rule, natural)
    if severity is None or finding.confidence is Confidence.POSSIBLE:
        return None
    return Diagnostic(
        rule.name,
        rule.family,
        severity,
        _range(module, finding.place),
        finding.message,
        tuple(Related(_range(module, at), message) for at, message in finding.related if at.block in module.starts_of),
        tuple(_fix(module, r) for r in finding.repairs if all(at.block in module.starts_of for at, _ in r.edits)),
        finding.tags,
    )


def _range(module: Module, place: Place) -> Range:
    return place.range.shifted(module.start_of(place.block))


def _fix(module: Module, repair: Repair) -> Fix:
    edits = tuple(Edit(_range(module, place), text) for place, text in repair.edits)
    return Fix(repair.title, edits, repair.certain)


def _tensorflow_name(module: Module) -> str | None:
    """How the file spells TensorFlow, where it imports the whole module."""
    match = module.first(_IMPORT)
    if match is not None:
        return match.group(1) or "tensorflow"
    match = module.first(_FROM)
    return match.group(1) if match is not None else None
