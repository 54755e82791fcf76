"""From facts to findings: runs the rules over a trace and lays what they say out in the file.

A rule that fails loses what it would have said of one fact, is logged, and costs nothing else.
"""

from __future__ import annotations

import difflib
import functools
import itertools
import logging
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace

import gast

from .allowances import unused_allows
from .diagnostics import Confidence, Diagnostic, Edit, Fix, Related
from .families import FAMILIES, rule_names
from .reports import CutRun, Report, order
from .rule import Finding, Repair, Rule, View, all_rules
from .settings import Settings
from .syntax import Block, Module, suppressions
from .text import Range
from .tracing import Fact, Place, Sites, Trace
from .tracing.facts import RuleUnknown
from .values.converters import Converter

log = logging.getLogger(__name__)

_NO_FUNCTIONS: Mapping[gast.AST, str] = {}

FindFile = Callable[[Block], "tuple[str, Module] | None"]
"""The other file that has a block, by path and module."""

_Found = dict[tuple[str, Range], "tuple[Diagnostic, gast.AST | None]"]
"""Findings by rule and place, each with the function of whose arguments nothing was known."""


def report(
    module: Module,
    trace: Trace,
    settings: Settings,
    elsewhere: FindFile = lambda block: None,
    is_own: bool = True,
) -> Report:
    """The findings of all rules that the settings want, without what comments in the file allow.

    The trace may be one of another file that has called something of this one, unless it `is_own`.
    """
    view = View(module)
    found: _Found = {}
    for function, (rule, finding, sites) in itertools.chain(_findings(trace, view), _about_comments(module, view)):
        diagnostic = _told(rule, finding, module, settings, elsewhere)
        if diagnostic is not None and sites:
            reached = tuple(_reached(module, trace, sites, diagnostic.range, elsewhere))
            diagnostic = replace(diagnostic, related=(*diagnostic.related, *reached))
        if diagnostic is not None:
            # A rule reports a place once, whoever calls it and whatever else is wrong there.
            key = diagnostic.rule, diagnostic.range
            if key not in found or _rank(diagnostic, function) < _rank(*found[key]):
                found[key] = diagnostic, function
    found, unused = _allowed(module, trace, settings, found, view, is_own)
    ordered = sorted(found.values(), key=lambda each: order(each[0]))
    functions = functions_in(module) if any(function for _, function in ordered) else _NO_FUNCTIONS
    return Report(
        tuple(diagnostic for diagnostic, _ in ordered),
        tuple(None if function is None else functions.get(function) for _, function in ordered),
        unused,
    )


def _allowed(
    module: Module, trace: Trace, settings: Settings, found: _Found, view: View, is_own: bool
) -> tuple[_Found, tuple[Diagnostic, ...]]:
    """The findings that no comment in the file allows, and those about comments that allow nothing in its own run.

    The run of another file may need the latter comments.
    """
    allowed = suppressions(module)
    if not allowed.all:
        return found, ()
    named = [(name, each.range) for each, _ in found.values() for name in (each.rule, each.family)]
    left = {
        key: each
        for key, each in found.items()
        if not any(allowed.covers(name, each[0].range) for name in (each[0].rule, each[0].family))
    }
    idle = allowed.unused(named) if is_own else ()
    facts = [(fact, ()) for fact in unused_allows(module, trace, settings, idle)] if idle else []
    unused = (_told(rule, finding, module, settings, lambda block: None) for rule, finding, _ in _judged(facts, view))
    return left, tuple(each for each in unused if each is not None)


def _rank(diagnostic: Diagnostic, function: gast.AST | None) -> tuple[bool, int]:
    """What is sure comes first, and then what is worst."""
    return function is not None, diagnostic.severity


def functions_in(module: Module) -> Mapping[gast.AST, str]:
    """The functions and methods at a file's top level, with their qualified names."""
    found: dict[gast.AST, str] = {}
    for block in module.blocks:
        around = f"{_class_name(block)}." if block.parts else ""
        for piece in block.pieces:
            for statement in piece.statements:
                if isinstance(statement, gast.FunctionDef):
                    found[statement] = around + statement.name
                elif isinstance(statement, gast.ClassDef):
                    methods = (each for each in statement.body if isinstance(each, gast.FunctionDef))
                    found |= {method: f"{statement.name}.{method.name}" for method in methods}
    return found


def cut_runs(module: Module, trace: Trace) -> tuple[CutRun, ...]:
    """What of a file its own run had to cut, in the order of the text."""
    found: list[CutRun] = []
    for seen in trace.starts:
        if seen.cut is None or seen.silent or seen.block is None:
            continue
        own = next(iter(seen.block.statements), None) if seen.node is None else seen.node
        place = None if own is None else trace.moved(Place(seen.block, seen.block.range_of(own)))
        if place is None or place.block not in module.starts_of:
            continue
        at = _range(module, place)
        reached = None if seen.cut.reached is None else _line(module, trace.moved(seen.cut.reached))
        name = seen.name if seen.node is not None else getattr(own, "name", seen.name)
        found.append(CutRun(_shortened(name), at, _line(module, place), reached, seen.cut.hurried))
    return tuple(sorted(found, key=lambda each: each.range))


def _shortened(name: str) -> str:
    """The name of a function, or as much of the first line of a statement as can be read in a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


_LONGEST_NAME = 60


def _line(module: Module, place: Place) -> int:
    return module.lines.line_of(_range(module, place).start) + 1


def called_in(module: Module, trace: Trace) -> Set[str]:
    """The functions of a file that a run surely calls, by their qualified names."""
    called = trace.called
    if not called:
        return frozenset()
    functions = functions_in(module)
    return {functions[node] for node in called & functions.keys()}


def _class_name(block: Block) -> str:
    statement = block.statements[0]
    return statement.name if isinstance(statement, gast.ClassDef) else ""


_Judged = tuple[Rule, Finding, Sites]


def _about_comments(module: Module, view: View) -> Iterator[tuple[None, _Judged]]:
    """What the rules say of the comments that allow findings."""
    known = (*FAMILIES, *rule_names())
    for unknown in suppressions(module).unknown(known):
        block, start = module.blocks[at := bisect_right(module.starts, unknown.range.start) - 1], module.starts[at]
        nearest = next(iter(difflib.get_close_matches(unknown.name, known, 1)), None)
        fact = RuleUnknown(Place(block, unknown.range.shifted(-start)), unknown.name, nearest)
        yield from ((None, judged) for judged in _judged([(fact, ())], view))


def _findings(trace: Trace, view: View) -> Iterator[tuple[gast.AST | None, _Judged]]:
    """What the rules say of a trace, each with the function of whose arguments nothing was known; of the starts that
    weren't traced again it is known already."""
    for seen in trace.starts:
        text = view, trace.told_of(seen)
        if text not in seen.judged:
            seen.judged = {text: tuple(_judged(zip(trace.facts_of(seen), seen.facts.values(), strict=True), view))}
        for judged in seen.judged[text]:
            yield seen.supposed, judged
    for judged in _judged(((fact, ()) for fact in trace.gathered), view):
        yield None, judged


def _judged(facts: Iterable[tuple[Fact, Sites]], view: View) -> Iterator[_Judged]:
    judges = _judges()
    for fact, sites in facts:
        for rule in judges.get((type(fact), fact.converter), ()):
            try:
                yield from [
                    (rule, _doubted(finding) if fact.doubted else finding, sites) for finding in rule.judge(fact, view)
                ]
            except Exception:
                log.exception("the rule %s failed; what it would say of one place is lost", rule.name)


def _doubted(finding: Finding) -> Finding:
    return replace(finding, confidence=finding.confidence.lowered)


@functools.cache
def _judges() -> dict[tuple[type, Converter], list[Rule]]:
    """The rules for each kind of fact, by who converts the code."""
    found: dict[tuple[type, Converter], list[Rule]] = {}
    for rule in all_rules():
        for kind in itertools.product(rule.judges, rule.true_for):
            found.setdefault(kind, []).append(rule)
    return found


def _told(rule: Rule, finding: Finding, module: Module, settings: Settings, elsewhere: FindFile) -> Diagnostic | None:
    if finding.place.block not in module.starts_of:
        # It is told of another file.
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
        tuple(_related(module, finding.related, elsewhere)),
        tuple(_fix(module, r) for r in finding.repairs if all(at.block in module.starts_of for at, _ in r.edits)),
        finding.tags,
    )


def _related(module: Module, related: Iterable[tuple[Place, str]], elsewhere: FindFile) -> Iterator[Related]:
    for place, message in related:
        if place.block in module.starts_of:
            yield Related(_range(module, place), message)
        elif (other := elsewhere(place.block)) is not None:
            yield Related(_range(other[1], place), message, other[0])


def _reached(module: Module, trace: Trace, sites: Sites, at: Range, elsewhere: FindFile) -> Iterator[Related]:
    """The calls by which a place in the file is reached, the last one first, where they lead through other files."""
    called = [(trace.moved(Place(block, block.range_of(node))), _called_in(block, node)) for block, node in sites]
    if all(place.block in module.starts_of for place, _ in called):
        return
    for related in _related(module, [(place, f"{name} is called here") for place, name in reversed(called)], elsewhere):
        # A finding in a call is no news of where that stands.
        if related.path is not None or not (related.range.start <= at.start and at.end <= related.range.end):
            yield replace(related, is_call=True)


def _called_in(block: Block, call: gast.AST) -> str:
    name = block.range_of(call.func) if isinstance(call, gast.Call) else block.range_of(call)
    text = block.text[name.start : name.end]
    return f"`{text}`" if len(text) <= _LONGEST and "\n" not in text else "it"


_LONGEST = 60


def _range(module: Module, place: Place) -> Range:
    return place.range.shifted(module.start_of(place.block))


def _fix(module: Module, repair: Repair) -> Fix:
    edits = tuple(Edit(_range(module, place), text) for place, text in repair.edits)
    return Fix(repair.title, edits, repair.certain, repair.incomplete)
