"""`match`.

Before:

    match command:
        case 0:
            x = -x
        case (a, b) if a > b:
            x = a

After:

    def otherwise(x):
        def then(x):
            a = command[0]
            b = command[1]
            x = a
            return x
        return gw.if_(
            gw.and_(gw.is_sequence(command, 2), lambda: (lambda a, b: a > b)(command[0], command[1])),
            then,
            gw.unchanged,
            x,
        )
    x = gw.if_(command == 0, lambda x: -x, otherwise, x)

A `match` that only looks at structure stays as it is: no tensor decides it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from graphwright.passes import asked_classes, exact_patterns, logic
from graphwright.passes.synthesis import assignment, choice, constant, name, synthetic
from graphwright.passes.unit import Unit, walk


@dataclass(slots=True)
class Pattern:
    """What a pattern asks (`tests` with the parts of the user's in them) and binds (names and how they are got)."""

    tests: list[str] = field(default_factory=lambda: list[str]())
    parts: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    binds: list[tuple[str, str]] = field(default_factory=lambda: list[tuple[str, str]]())
    compares: bool = False


class _CannotSay(Exception):
    """A pattern that has no equal in plain tests."""


def as_choices(unit: Unit, node: gast.Match) -> list[Any]:
    """The statements that do what a `match` does; the `match` itself where it is Python's."""
    if unit.pairs and not all(isinstance(case.pattern, gast.MatchAs) and case.guard is None for case in node.cases):
        return exact_patterns.choices(unit, node)
    if not any(map(_may_compare, node.cases)):
        return [node]
    before, subject = exact_patterns.named_subject(unit, node, isinstance(node.subject, gast.Name))
    try:
        patterns = [_read(unit, case.pattern, subject) for case in node.cases]
    except _CannotSay:
        return [node]
    orelse: list[Any] = []
    for case, pattern in reversed(list(zip(node.cases, patterns, strict=True))):
        orelse = _case(unit, case, pattern, subject, orelse)
    return before + orelse


def _case(unit: Unit, case: gast.match_case, pattern: Pattern, subject: str, orelse: list[Any]) -> list[Any]:
    origin = case.pattern
    binds: list[Any] = []
    for bound, access in pattern.binds:
        read = [name(unit, origin, subject), *pattern.parts.values()]
        value = synthetic(unit, origin, gast.Tuple(read, gast.Load()), access, **pattern.parts)
        binds.append(assignment(unit, origin, bound, value))
    if not pattern.tests and case.guard is None:
        return [*binds, *case.body]
    if not pattern.tests:
        return [*binds, choice(unit, origin, case.guard, case.body, orelse)]
    if case.guard is not None and logic.binds(case.guard):
        # What a guard binds, it binds in the function around, which no lambda can.
        held = unit.fresh("held")
        unit.names.add(held)
        before = assignment(unit, origin, held, constant(unit, origin, False))
        asked = [*binds, assignment(unit, case.guard, held, case.guard)]
        alone = _test(unit, None, pattern, subject, origin)
        return [
            before,
            choice(unit, origin, alone, asked, []),
            choice(unit, origin, name(unit, origin, held), case.body, orelse),
        ]
    test = _test(unit, case, pattern, subject, origin)
    return [choice(unit, origin, test, [*binds, *case.body], orelse)]


def _test(unit: Unit, case: gast.match_case | None, pattern: Pattern, subject: str, origin: gast.AST) -> Any:
    """What a case asks of its subject; without the guard if there is no `case`."""
    texts, parts = _grouped(pattern.tests), dict(pattern.parts)
    read = [name(unit, origin, subject), *parts.values()]
    guard = None if case is None else case.guard
    if guard is not None:
        names = ", ".join(bound for bound, _ in pattern.binds)
        accesses = ", ".join(access for _, access in pattern.binds)
        texts.append(f"(lambda {names}: {{guard}})({accesses})" if names else "{guard}")
        parts["guard"] = guard
        read.append(_function(unit, case, [bound for bound, _ in pattern.binds]))
    text = texts[-1]
    for earlier in reversed(texts[:-1]):
        text = f"{unit.alias}.and_({earlier}, lambda: {text})"
    if not pattern.compares and guard is None:
        function = name(unit, origin, "isinstance")
        return synthetic(unit, origin, gast.Call(function, read, []), text, **parts)
    return synthetic(unit, origin, gast.Tuple(read, gast.Load()), text, **parts)


def _grouped(tests: list[str]) -> list[str]:
    """Neighbouring tests that Python decides as one."""
    groups: list[str] = []
    for test in tests:
        if groups and _is_pythons(test) and _is_pythons(groups[-1]):
            groups[-1] += f" and {test}"
        else:
            groups.append(test)
    return groups


def _is_pythons(test: str) -> bool:
    return "==" not in test and ".or_(" not in test


def _function(unit: Unit, case: Any, parameters: list[str]) -> Any:
    """The guard as a function of what its pattern binds, for the flow analyses."""
    names = [gast.Name(bound, gast.Param(), None, None) for bound in parameters]
    arguments = gast.arguments(names, [], None, [], [], None, [])
    return synthetic(unit, case.pattern, gast.Lambda(arguments, case.guard), "")


def _read(unit: Unit, pattern: gast.AST, access: str) -> Pattern:
    found = Pattern()
    _collect(unit, pattern, access, found)
    return found


def _collect(unit: Unit, pattern: gast.AST, access: str, found: Pattern) -> None:
    if isinstance(pattern, gast.MatchValue):
        found.tests.append(f"{access} == {{{_part(found, pattern.value)}}}")
        found.compares = True
    elif isinstance(pattern, gast.MatchSingleton):
        is_value = f"is_none({access})" if pattern.value is None else f"is_({access}, {pattern.value})"
        found.tests.append(f"{unit.alias}.{is_value}")
        found.compares = True
    elif isinstance(pattern, gast.MatchAs):
        if pattern.pattern is not None:
            _collect(unit, pattern.pattern, access, found)
        if pattern.name is not None:
            found.binds.append((pattern.name, access))
    elif isinstance(pattern, gast.MatchOr):
        _alternatives(unit, pattern, access, found)
    elif isinstance(pattern, gast.MatchSequence):
        _sequence(unit, pattern, access, found)
    elif isinstance(pattern, gast.MatchMapping):
        _mapping(unit, pattern, access, found)
    elif isinstance(pattern, gast.MatchClass):
        _class(unit, pattern, access, found)
    else:
        raise _CannotSay


def _part(found: Pattern, node: gast.AST) -> str:
    key = f"part{len(found.parts)}"
    found.parts[key] = node
    return key


def _alternatives(unit: Unit, pattern: gast.MatchOr, access: str, found: Pattern) -> None:
    texts: list[str] = []
    bound: list[dict[str, str]] = []
    for alternative in pattern.patterns:
        inner = Pattern(parts=found.parts)
        _collect(unit, alternative, access, inner)
        bound.append(dict(inner.binds))
        text = inner.tests[-1] if inner.tests else "True"
        for earlier in reversed(inner.tests[:-1]):
            text = f"{unit.alias}.and_({earlier}, lambda: {text})"
        texts.append(text)
        found.compares |= inner.compares
    text = texts[-1]
    for earlier in reversed(texts[:-1]):
        text = f"{unit.alias}.or_({earlier}, lambda: {text})"
    found.tests.append(text)
    for name_bound in bound[0]:
        value = bound[-1][name_bound]
        for test, each in reversed(list(zip(texts[:-1], bound[:-1], strict=True))):
            value = f"{unit.alias}.if_({test}, lambda: {each[name_bound]}, lambda: {value})"
        found.binds.append((name_bound, value))


def _sequence(unit: Unit, pattern: gast.MatchSequence, access: str, found: Pattern) -> None:
    stars = [number for number, part in enumerate(pattern.patterns) if isinstance(part, gast.MatchStar)]
    count = len(pattern.patterns)
    if not stars:
        found.tests.append(f"{unit.alias}.is_sequence({access}, {count})")
    else:
        found.tests.append(f"{unit.alias}.is_sequence({access}, {count - 1}, or_more=True)")
    for number, part in enumerate(pattern.patterns):
        if not isinstance(part, gast.MatchStar):
            place = number if not stars or number < stars[0] else number - count
            _collect(unit, part, f"{access}[{place}]", found)
        elif part.name is not None:
            end = number - count + 1
            found.binds.append((part.name, f"list({access}[{number}:{end if end else ''}])"))


def _mapping(unit: Unit, pattern: Any, access: str, found: Pattern) -> None:
    keys = [f"{{{_part(found, key)}}}" for key in pattern.keys]
    listed = f"({', '.join(keys)}{',' if len(keys) == 1 else ''})"
    found.tests.append(f"{unit.alias}.is_mapping({access}, {listed})")
    for key, part in zip(keys, pattern.patterns, strict=True):
        if not isinstance(part, gast.MatchAs) or part.pattern is not None or part.name is not None:
            if not isinstance(pattern.keys[keys.index(key)], gast.Constant):
                raise _CannotSay
            _collect(unit, part, f"{access}[{_shown(pattern.keys[keys.index(key)].value)}]", found)
    if pattern.rest is not None:
        if any(not isinstance(key, gast.Constant) for key in pattern.keys):
            raise _CannotSay
        plain = "".join(f"{_shown(key.value)}, " for key in pattern.keys)
        found.binds.append((pattern.rest, f"{unit.alias}.rest_of({access}, ({plain.rstrip(' ')}))"))


def _shown(value: object) -> str:
    """A constant in a template."""
    return repr(value).replace("{", "{{").replace("}", "}}")


def _class(unit: Unit, pattern: gast.MatchClass, access: str, found: Pattern) -> None:
    kind = f"{{{_part(found, pattern.cls)}}}"
    found.tests.append(f"{asked_classes.operator_of_pattern(unit.alias, pattern)}({access}, {kind})")
    itself = isinstance(pattern.cls, gast.Name) and pattern.cls.id in _THEMSELVES
    for number, part in enumerate(pattern.patterns):
        if itself:
            _collect(unit, part, access, found)
            continue
        found.tests.append(f"{unit.alias}.has_position({access}, {number})")
        _collect(unit, part, f"{unit.alias}.at_position({access}, {number})", found)
    for attribute, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        found.tests.append(f'hasattr({access}, "{attribute}")')
        _collect(unit, part, f"{access}.{attribute}", found)


def _may_compare(case: gast.match_case) -> bool:
    """Whether a case may ask the graph: by a value, which a tensor may equal, by a guard, or for a number's class."""
    return case.guard is not None or any(map(asked_classes.may_ask_graph, walk(case.pattern)))


_THEMSELVES = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
)
