"""Finds the comments of a file and the suppressions among them.

It doesn't know which rules there are: an unknown name is the caller's to judge.

`# graphwright: allow[rule-a, rule-b]` covers the findings on its logical line; alone on its line it covers the
next line of code. Without names it covers all rules. `allow-file` covers the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import Range

from .blocks import logical_lines, tokens

if TYPE_CHECKING:
    from .block import Module


@immutable
class Comment:
    """A comment with its `#`."""

    range: Range
    text: str


@immutable
class RuleName:
    """A rule's name as it is written in a suppression."""

    range: Range
    name: str


@immutable
class Suppression:
    """One `allow`; `covered` is the stretch it covers, if any, `rules` is empty where it allows every rule."""

    range: Range
    rules: tuple[RuleName, ...]
    covered: Range | None
    allows_all: bool

    def covers(self, rule: str, span: Range) -> bool:
        if self.covered is None or not self.covered.start <= span.start <= self.covered.end:
            return False
        return self.allows_all or any(name.name == rule for name in self.rules)


@immutable
class Suppressions:
    """All the suppressions of a file."""

    all: tuple[Suppression, ...] = ()

    def covers(self, rule: str, span: Range) -> bool:
        """Whether a finding of a rule is suppressed."""
        return any(suppression.covers(rule, span) for suppression in self.all)

    def unused(self, findings: Iterable[tuple[str, Range]]) -> tuple[tuple[Suppression, tuple[RuleName, ...]], ...]:
        """The suppressions that none of the findings needs, with the names in them that none needs.

        A suppression of all rules has no names: it is there with none if it is of no use.
        """
        found = tuple(findings)
        result: list[tuple[Suppression, tuple[RuleName, ...]]] = []
        for suppression in self.all:
            hits = {rule for rule, span in found if suppression.covers(rule, span)}
            idle = tuple(name for name in suppression.rules if name.name not in hits)
            if idle or not hits:
                result.append((suppression, idle))
        return tuple(result)

    def unknown(self, known: Collection[str]) -> tuple[RuleName, ...]:
        """The names that aren't rules."""
        return tuple(name for suppression in self.all for name in suppression.rules if name.name not in known)


def comments_in(text: str) -> tuple[Comment, ...]:
    """The comments of a text that begins where a statement may."""
    return tuple(
        Comment(Range(start, end), text[start:end])
        for kind, start, end in tokens(text, 0, len(text), brackets=False)
        if kind == "#"
    )


def suppressions(module: Module) -> Suppressions:
    """The suppressions of a module; only blocks that may hold one are looked at."""
    if _MARK not in module.text:
        return Suppressions()
    return Suppressions(tuple(_suppressions(module)))


_MARK = "graphwright:"
_ALLOW = re.compile(r"#\s*graphwright:\s*(allow(?:-file)?)(?![\w-])(?:\s*(\[)([^\]]*)\]?)?")
_RULE_NAME = re.compile(r"[^\s,]+")


def _suppressions(module: Module) -> Iterator[Suppression]:
    for block, start in zip(module.blocks, module.starts, strict=True):
        if _MARK not in block.text:
            continue
        lines = [Range(line.start, line.end) for line in logical_lines(block.text)]
        for comment in comments_in(block.text):
            for match in _ALLOW.finditer(comment.text):
                at = start + comment.range.start
                names = tuple(
                    RuleName(Range(at + name.start(), at + name.end()), name.group())
                    for name in _RULE_NAME.finditer(comment.text, *match.span(3) if match.group(2) else (0, 0))
                )
                covered: Range | None = Range(0, len(module.text))
                if match.group(1) == "allow":
                    covered = _covered(module, lines, start, comment.range.start)
                yield Suppression(Range(at + match.start(), at + match.end()), names, covered, match.group(2) is None)


def _covered(module: Module, lines: list[Range], block_start: int, comment_start: int) -> Range | None:
    """The logical line that a comment is on or, where it is on none, the next one; its line end is left out."""
    for line in lines:
        if comment_start < line.end:
            return _without_line_end(module.text, line.shifted(block_start))
    behind = block_start + comment_start
    for start, block in zip(module.starts, module.blocks, strict=True):
        if start > behind:
            for line in logical_lines(block.text):
                return _without_line_end(module.text, Range(start + line.start, start + line.end))
    return None


def _without_line_end(text: str, line: Range) -> Range:
    return Range(line.start, line.start + len(text[line.start : line.end].rstrip("\r\n")))
