"""A `match` over plain values, written as a chain of `if`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place

from .parsed import BlockTree, parsed


def repairs(place: Place | None) -> tuple[Repair, ...]:
    """Where every pattern is a literal, several of them, or `_`, and the subject is a name or an attribute."""
    tree = None if place is None else parsed(place)
    node = None if tree is None or place is None else tree.at(place)
    if tree is None or place is None or not isinstance(node, ast.Match):
        return ()
    subject, whole = tree.source(node.subject), tree.span(node)
    if not isinstance(node.subject, (ast.Name, ast.Attribute)):
        return ()
    indent = tree.text[tree.text.rfind("\n", 0, whole.start) + 1 : whole.start]
    text = tree.text[whole.start : whole.end]
    if indent.strip() or '"""' in text or "'''" in text or "\\\n" in text:
        return ()
    pieces: list[str] = []
    end = tree.span(node.subject).end
    for number, case in enumerate(node.cases):
        head = _head(tree, case, subject, number == 0)
        body = _body(tree, case, indent)
        if head is None or body is None:
            return ()
        line = tree.text.rfind("\n", 0, tree.span(case.pattern).start) + 1
        pieces += [*_comments(tree.text[end:line]), f"{head}{body}"]
        end = max(tree.text.find("\n", tree.span(case.body[-1]).end), 0)
    made = f"\n{indent}".join(pieces)
    return (Repair("Replace with `if` and `elif`", ((Place(place.block, whole), made),)),)


def _comments(between: str) -> Iterator[str]:
    """The comments behind the head of a `match`, or between two of its cases."""
    rows = (row.strip(": \t\r") for row in between.split("\n"))
    return (row for row in rows if row.startswith("#"))


def _head(tree: BlockTree, case: ast.match_case, subject: str, first: bool) -> str | None:
    if case.guard is not None:
        return None
    pattern = case.pattern
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return None if first else "else:"
    options = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    tests: list[str] = []
    for option in options:
        if isinstance(option, ast.MatchSingleton):
            tests.append(f"{subject} is {option.value!r}")
        elif isinstance(option, ast.MatchValue):
            tests.append(f"{subject} == {tree.source(option.value)}")
        else:
            return None
    return f"{'if' if first else 'elif'} {' or '.join(tests)}:"


def _body(tree: BlockTree, case: ast.match_case, indent: str) -> str | None:
    """What stands after the colon of a case, one step further left."""
    first, last = tree.span(case.body[0]), tree.span(case.body[-1])
    line = tree.text.rfind("\n", 0, first.start) + 1
    end = tree.text.find("\n", last.end)
    trailing = tree.text[last.end : end if end >= 0 else len(tree.text)]
    if tree.text[line : first.start].strip():
        return (
            f" {tree.text[first.start : last.end]}{trailing}" if "\n" not in tree.text[first.start : last.end] else None
        )
    head = tree.span(case.pattern).end
    comment, _, above = tree.text[head:line].partition("\n")
    comment = comment.strip().removeprefix(":").rstrip()
    if comment.strip() and not comment.strip().startswith("#"):
        return None
    rows = f"{above}{tree.text[line : last.end]}{trailing}".split("\n")
    outer = tree.text.rfind("\n", 0, head) + 1
    width = len(tree.text[outer:head]) - len(tree.text[outer:head].lstrip()) - len(indent)
    if any(row.strip() and row[:width].strip() for row in rows):
        return None
    return "\n".join([comment, *(row[width:] if row.strip() else "" for row in rows)])
