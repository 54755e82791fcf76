"""A `match` on what the graph computes, written as `if` and `elif`.

Before:

    match op:
        case 0:
            total += x
        case 1 | 2 if x > 0:
            total -= x
        case other:
            total *= other

After:

    if op == 0:
        total += x
    elif (op == 1 or op == 2) and x > 0:
        total -= x
    else:
        other = op
        total *= other

Patterns of classes, mappings and sequences with a star stay a `match`, which is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject.flags import Flagged, FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, free_name, is_weak, with_texts
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def find(style: TensorFlow, facts: Facts) -> None:
    """Raise Flagged for a `match` that the graph decides, where a trace has shown that, or refuse it."""
    for node in facts.statements:
        refusal = _refusal(style, facts, node) if isinstance(node, gast.Match) else None
        if refusal is not None and style.known.seen is not None and facts.outer is None:
            raise Flagged({}, refusal, condition=node.lineno)
        if refusal is not None:
            raise refusal


def _refusal(style: Any, facts: Any, match: Any) -> ConversionError | None:
    parts = match.subject.elts if isinstance(match.subject, gast.Tuple) else [match.subject]
    if not all(style.is_python(part, facts) for part in parts):
        return ConversionError("the subject of this `match` is a tensor: use `if` and `elif`", line=match.lineno)
    for case in match.cases:
        if case.guard is not None and not style.is_python(case.guard, facts):
            return ConversionError("a `case` depends on a tensor: write it as `if` and `elif`", line=case.guard.lineno)
    return None


def with_branches(text: str, function: Any, line: int) -> FlaggedText | None:
    """The text of a function with the `match` in a line as `if` and `elif`; None where that can't be done."""
    match = next((part for part in walk(function) if isinstance(part, gast.Match) and part.lineno == line), None)
    if match is None:
        return None
    try:
        return _Branches(text, function, match).written()
    except Unsuited:
        return None


@dataclass
class _Tests:
    """What a case asks for, and what it binds."""

    texts: list[str] = field(default_factory=list[str])
    bound: dict[str, str] = field(default_factory=dict[str, str])


class _Branches(SourceEdits):
    """One `match` in the text of one function."""

    def __init__(self, text: str, function: Any, match: Any) -> None:
        super().__init__(text, function)
        self.match, self.rows = match, text.splitlines()
        self.names = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        self.setup = list[str]()
        if any(_is_long_text(part) for part in walk(match)) or "\t" in text:
            raise Unsuited

    def replaced(self, node: Any) -> str | None:
        return None

    def written(self) -> FlaggedText:
        """The whole text, with the line that each of its lines comes from."""
        first, last, column = self.match.lineno, self.match.end_lineno, self.match.col_offset
        subjects = self._subjects()
        indent = " " * column
        if self.rows[first - 1][:column] != indent:
            raise Unsuited
        lines = [(row, number) for number, row in enumerate(self.rows[: first - 1], 1)]
        branches = [pair for position in range(len(self.match.cases)) for pair in self._branch(position, subjects)]
        lines += [(indent + each, first) for each in self.setup]
        lines += branches
        lines += [(row, number) for number, row in enumerate(self.rows[last:], last + 1)]
        return FlaggedText("\n".join(row for row, _ in lines) + "\n", tuple(number for _, number in lines))

    def _subjects(self) -> list[str]:
        """What each part of the subject is called; it is evaluated once."""
        subject = self.match.subject
        parts = subject.elts if isinstance(subject, gast.Tuple) else [subject]
        found: list[str] = []
        for part in parts:
            if isinstance(part, (gast.Starred, gast.NamedExpr)):
                raise Unsuited
            text = self.read(part)
            if not isinstance(part, (gast.Name, gast.Constant)):
                name = free_name("subject", self.names)
                self.names.add(name)
                self.setup.append(f"{name} = {text}")
                text = name
            found.append(text)
        return found

    def _branch(self, position: int, subjects: list[str]) -> Iterator[tuple[str, int]]:
        """The lines of a case, each with its line in the text before."""
        case, column = self.match.cases[position], self.match.col_offset
        head = next(number for number in range(case.pattern.lineno, 0, -1) if _begins_case(self.rows[number - 1]))
        body = case.body[0]
        if body.lineno != head and self._has_header_over_lines(case, head):
            raise Unsuited
        tests = self._tests(case.pattern, subjects)
        self._refuse_shared(case, tests)
        if case.guard is not None:
            guard = with_texts(self.read(case.guard), tests.bound)
            tests.texts.append(f"({guard})" if tests.texts and is_weak(case.guard) else guard)
        word = "elif" if position else "if"
        if not tests.texts and (position == 0 or position + 1 < len(self.match.cases)):
            raise Unsuited
        yield " " * column + (f"{word} {_all_of(tests.texts)}:" if tests.texts else "else:"), head
        inner = " " * (column + 4)
        for name, text in tests.bound.items():
            if self._is_read(name, case.guard):
                yield f"{inner}{name} = {text}", head
        if body.lineno == head:
            yield inner + self.rows[head - 1][body.col_offset :], head
        end = self._end_of(position)
        shift = body.col_offset - column - 4 if body.lineno > head else 0
        for number in range(head + 1, end + 1):
            yield self.rows[number - 1][min(shift, _indent_of(self.rows[number - 1])) :], number

    def _is_read(self, name: str, guard: Any) -> bool:
        """Whether a name is read anywhere but in a guard."""
        own = {*walk(guard)} if guard is not None else set[Any]()
        named = [part for part in walk(self.function) if isinstance(part, gast.Name) and part.id == name]
        return any(isinstance(part.ctx, gast.Load) and part not in own for part in named)

    def _end_of(self, position: int) -> int:
        """The last line of a case."""
        cases = self.match.cases
        return self.match.end_lineno if position + 1 == len(cases) else cases[position + 1].pattern.lineno - 1

    def _has_header_over_lines(self, case: Any, head: int) -> bool:
        last = case.guard if case.guard is not None else case.pattern
        return last.end_lineno != head

    def _tests(self, pattern: Any, subjects: list[str]) -> _Tests:
        found = _Tests()
        if len(subjects) == 1:
            self._note(pattern, subjects[0], found)
            return found
        if isinstance(pattern, gast.MatchAs) and pattern.name is None and pattern.pattern is None:
            return found
        if isinstance(pattern, gast.MatchOr):
            sides = [self._tests(each, subjects) for each in pattern.patterns]
            if any(side.bound or not side.texts for side in sides):
                raise Unsuited
            found.texts.append(" or ".join(_all_of(side.texts) for side in sides))
            return found
        if not isinstance(pattern, gast.MatchSequence) or len(pattern.patterns) != len(subjects):
            raise Unsuited
        for part, subject in zip(pattern.patterns, subjects, strict=True):
            self._note(part, subject, found)
        return found

    def _note(self, pattern: Any, subject: str, found: _Tests) -> None:
        if isinstance(pattern, gast.MatchValue):
            found.texts.append(f"{subject} == {self.read(pattern.value)}")
        elif isinstance(pattern, gast.MatchSingleton):
            found.texts.append(f"{subject} is {pattern.value}")
        elif isinstance(pattern, gast.MatchOr):
            parts = _Tests()
            for part in pattern.patterns:
                if not isinstance(part, (gast.MatchValue, gast.MatchSingleton)):
                    raise Unsuited
                self._note(part, subject, parts)
            found.texts.append(" or ".join(parts.texts))
        elif isinstance(pattern, gast.MatchAs):
            if pattern.pattern is not None:
                self._note(pattern.pattern, subject, found)
            if pattern.name is not None:
                found.bound[pattern.name] = subject
        else:
            raise Unsuited

    def _refuse_shared(self, case: Any, tests: _Tests) -> None:
        """Refuse a guarded case whose names are used elsewhere: Python binds them even if the guard is false."""
        for name in tests.bound if case.guard is not None else ():
            binding = [each for each in self.match.cases if name in _captured(each.pattern)]
            own = {part for each in binding for part in walk(each)}
            if any(isinstance(part, gast.Name) and part.id == name for part in walk(self.function) if part not in own):
                raise Unsuited


def _all_of(texts: list[str]) -> str:
    """One condition for several."""
    parts = [f"({each})" if len(texts) > 1 and " or " in each and each[0] != "(" else each for each in texts]
    return " and ".join(parts)


def _captured(pattern: Any) -> set[str]:
    """The names that a pattern binds."""
    return {part.name for part in walk(pattern) if isinstance(part, (gast.MatchAs, gast.MatchStar)) and part.name}


def _begins_case(row: str) -> bool:
    return row.lstrip().startswith("case")


def _indent_of(row: str) -> int:
    return len(row) - len(row.lstrip())


def _is_long_text(node: Any) -> bool:
    return isinstance(node, (gast.Constant, gast.JoinedStr)) and node.lineno != node.end_lineno
