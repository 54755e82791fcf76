"""`match` in what runs: each case is tested as Python tests it, by a description of its pattern.

Before:

    match point:
        case Point(x=0, y=b) if b > 1:
            ...

After:

    case = gw.patterns.match(point, gw.patterns.of_class(
        lambda: Point, (), ("x", "y"), (gw.patterns.value(lambda item: item == 0), gw.patterns.capture("b"))))
    if case.decided_by_python:
        b = case.bound["b"]
    if gw.both(case.test, lambda: (lambda b: b > 1)(case.bound["b"])):
        b = case.bound["b"]
        ...

What is shown has plainer tests, see `patterns`.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.flow.tree import kind_of

from graphwright.passes import logic
from graphwright.passes.synthesis import assignment, choice, constant, name, synthetic
from graphwright.passes.unit import Unit, walk


def choices(unit: Unit, node: gast.Match) -> list[Any]:
    """The statements that do what a `match` does."""
    captured = {bound for case in node.cases for bound in names_in(case.pattern)}
    is_name = isinstance(node.subject, gast.Name) and node.subject.id not in captured
    before, subject = named_subject(unit, node, is_name)
    orelse: list[Any] = []
    for case in reversed(node.cases):
        orelse = _case(unit, case, subject, orelse)
    return before + orelse


def named_subject(unit: Unit, node: Any, is_name: bool) -> tuple[list[Any], str]:
    """The name by which what is matched is known, and the statements that give it that name."""
    if is_name:
        return [], node.subject.id
    subject = _reserved(unit, "subject")
    return [assignment(unit, node, subject, node.subject)], subject


def names_in(pattern: gast.AST) -> list[str]:
    """The names that a pattern binds, in the order of its text."""
    found = [part.name if not isinstance(part, gast.MatchMapping) else part.rest for part in _patterns_in(pattern)]
    return list(dict.fromkeys(bound for bound in found if bound is not None))


def _patterns_in(pattern: gast.AST) -> list[Any]:
    kinds = ("MatchAs", "MatchStar", "MatchMapping")
    return [part for part in walk(pattern) if kind_of(part) in kinds]


def _reserved(unit: Unit, wanted: str) -> str:
    found = unit.fresh(wanted)
    unit.names.add(found)
    return found


def _case(unit: Unit, case: gast.match_case, subject: str, orelse: list[Any]) -> list[Any]:
    origin, guard = case.pattern, case.guard
    if isinstance(origin, gast.MatchAs) and origin.pattern is None:
        bind = [assignment(unit, origin, origin.name, name(unit, origin, subject))] if origin.name else []
        return [*bind, *([choice(unit, origin, guard, case.body, orelse)] if guard is not None else case.body)]
    found = _reserved(unit, "case")
    parts: dict[str, Any] = {}
    pattern = _text(unit, origin, parts)
    read = gast.Tuple([name(unit, origin, subject), *parts.values()], gast.Load())
    value = synthetic(unit, origin, read, f"{unit.alias}.patterns.match({subject}, {pattern})", **parts)
    before = [assignment(unit, origin, found, value)]
    bound = names_in(origin)

    def binds() -> list[Any]:
        return [assignment(unit, origin, each, _of_case(unit, origin, found, f'bound["{each}"]')) for each in bound]

    test = _of_case(unit, origin, found, "test")
    if guard is None:
        return [*before, choice(unit, origin, test, [*binds(), *case.body], orelse)]
    if logic.binds(guard):
        # What a guard binds, it binds in the function around, which no lambda can.
        held = _reserved(unit, "held")
        asked = choice(unit, guard, guard, [assignment(unit, guard, held, constant(unit, guard, True))], [])
        return [
            *before,
            assignment(unit, origin, held, constant(unit, origin, False)),
            choice(unit, origin, test, [*binds(), asked], []),
            choice(unit, origin, name(unit, origin, held), case.body, orelse),
        ]
    if bound:
        sure = _of_case(unit, origin, found, "decided_by_python", is_python=True)
        before.append(choice(unit, origin, sure, binds(), []))
    whole = _guarded(unit, case, found, bound)
    return [*before, choice(unit, origin, whole, [*binds(), *case.body], orelse)]


def _of_case(unit: Unit, origin: gast.AST, found: str, attribute: str, is_python: bool = False) -> Any:
    """What a tested case says: `case.test`; flow analyses see a read, or a condition that is surely Python's."""
    held = name(unit, origin, found)
    node = gast.Attribute(held, "built", gast.Load()) if is_python else gast.Tuple([held], gast.Load())
    return synthetic(unit, origin, node, f"{found}.{attribute}")


def _guarded(unit: Unit, case: Any, found: str, bound: list[str]) -> Any:
    """The test of a case and its guard, which sees what the pattern binds."""
    origin = case.pattern
    parameters = [gast.Name(each, gast.Param(), None, None) for each in bound]
    arguments = gast.arguments(parameters, [], None, [], [], None, [])
    function = synthetic(unit, origin, gast.Lambda(arguments, case.guard), "")
    given = ", ".join(f'{found}.bound["{each}"]' for each in bound)
    guard = f"(lambda {', '.join(bound)}: {{guard}})({given})" if bound else "{guard}"
    operands = [name(unit, origin, found), function]
    text = f"{unit.alias}.both({found}.test, lambda: {guard})"
    return synthetic(unit, origin, gast.BoolOp(gast.And(), operands), text, guard=case.guard)


# --- The description of a pattern


def _text(unit: Unit, pattern: Any, parts: dict[str, Any]) -> str:
    """The call that makes the description of a pattern; `parts` are the user's expressions in it."""
    operator = f"{unit.alias}.patterns"

    def inner(patterns: list[Any]) -> str:
        return "(" + "".join(f"{_text(unit, each, parts)}, " for each in patterns).rstrip(" ") + ")"

    if isinstance(pattern, gast.MatchValue):
        item = unit.fresh("item")
        return f"{operator}.value(lambda {item}: {item} == {_part(pattern.value, parts)})"
    if isinstance(pattern, gast.MatchSingleton):
        item = unit.fresh("item")
        test = f"is_none({item})" if pattern.value is None else f"is_({item}, {pattern.value})"
        return f"{operator}.value(lambda {item}: {unit.alias}.{test})"
    if isinstance(pattern, gast.MatchAs):
        if pattern.name is None:
            return f"{operator}.ANYTHING"
        within = f", {_text(unit, pattern.pattern, parts)}" if pattern.pattern is not None else ""
        return f'{operator}.capture("{pattern.name}"{within})'
    if isinstance(pattern, gast.MatchOr):
        return f"{operator}.one_of({inner(pattern.patterns)})"
    if isinstance(pattern, gast.MatchSequence):
        return f"{operator}.sequence({inner(pattern.patterns)})"
    if isinstance(pattern, gast.MatchStar):
        return f"{operator}.Rest({pattern.name!r})"
    if isinstance(pattern, gast.MatchMapping):
        keys = "".join(f"{_part(key, parts)}, " for key in pattern.keys)
        return f"{operator}.mapping(lambda: ({keys.rstrip(' ')}), {inner(pattern.patterns)}, {pattern.rest!r})"
    names = tuple(pattern.kwd_attrs)
    cls = _part(pattern.cls, parts)
    return f"{operator}.of_class(lambda: {cls}, {inner(pattern.patterns)}, {names!r}, {inner(pattern.kwd_patterns)})"


def _part(node: gast.AST, parts: dict[str, Any]) -> str:
    key = f"part{len(parts)}"
    parts[key] = node
    return f"{{{key}}}"
