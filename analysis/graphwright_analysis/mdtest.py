"""Tests written in Markdown: a heading is a test, its code blocks are files, comments say what is expected.

`# error: [rule]` (or warning, information, hint) stands on the line of a finding; `reveal(x)  # revealed: ...` says
what is known of `x` there. A block in `toml` holds the settings. `account` writes down all that is told, to be compared
with a snapshot. This module reads, compares and writes down; the test suite runs it.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from .diagnostics import Diagnostic
from .ide.values import describe
from .immutability import immutable
from .project import Project
from .proving import proved
from .settings import Settings
from .settings_files import tomllib
from .syntax import Module
from .text import Range
from .tracing import Trace

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"#.*?\b(error|warning|information|hint): \[([\w-]+)\]")
_MORE = re.compile(r"\b(error|warning|information|hint): \[([\w-]+)\]")
_REVEALED = re.compile(r"# revealed: (.*?)\s*$")


@immutable
class Section:
    """One test: its headings joined, and its blocks as (language, text)."""

    title: str
    blocks: tuple[tuple[str, str], ...]


def sections(markdown: str) -> Iterator[Section]:
    """The tests of a document, one for each heading that has code under it."""
    pieces = re.split(r"^(#+ .+)$", re.sub(r"^```.*?^```$", _shielded, markdown, flags=re.M | re.S), flags=re.M)
    title: list[str] = []
    for heading, body in zip(pieces[1::2], pieces[2::2], strict=True):
        marks, _, name = heading.partition(" ")
        title[len(marks) - 1 :] = [name.strip()]
        blocks = tuple((m.group(1), m.group(2)) for m in _FENCE.finditer(body.replace("\0", "#")))
        if blocks:
            yield Section(" / ".join(title), blocks)


def _shielded(match: re.Match[str]) -> str:
    """Code may hold lines that look like headings."""
    return match.group(0).replace("#", "\0")


def problems(section: Section) -> list[str]:
    """Where what is found differs from what the comments say; empty if they agree."""
    project, paths = project_of(section)
    found: list[str] = []
    for path in paths:
        module, diagnostics = project.module(path), project.check(path)
        found += _differences(module, diagnostics)
        found += _told_twice(module, diagnostics)
        found += _revealed(module, project.trace(path))
    return found


def account(section: Section) -> str:
    """All that is told of a test, finding by finding: where, what, related places and what fixes would write."""
    project, paths = project_of(section)
    lines: list[str] = []
    for path in paths:
        module, diagnostics = project.module(path), proved(project, path, project.check(path))
        lines += [f"{path}:"] if len(paths) > 1 and diagnostics else []
        lines += (line for diagnostic in diagnostics for line in _in_full(module, diagnostic))
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


@functools.lru_cache(maxsize=1)
def project_of(section: Section) -> tuple[Project, tuple[str, ...]]:
    """The test's files in a project with its settings, and their names."""
    project = Project(None, _settings(section))
    paths: list[str] = []
    for number, (language, text) in enumerate(section.blocks, 1):
        if language == "python":
            paths.append(f"block{number}.py")
            project.set_text(paths[-1], text)
    return project, tuple(paths)


def _settings(section: Section) -> Settings:
    for language, text in section.blocks:
        if language == "toml":
            table: dict[str, Any] = tomllib.loads(text)
            return Settings.from_mapping(table.get("tool", {}).get("graphwright", {}), section.title)
    return Settings()


def _differences(module: Module, diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    wanted: list[tuple[int, str, str]] = []
    for number, line in enumerate(module.text.splitlines(), 1):
        if _EXPECTED.search(line):
            wanted += [(number, m.group(1), m.group(2)) for m in _MORE.finditer(line[line.index("#") :])]
    found = [(module.lines.line_of(d.range.start) + 1, d.severity.label, d.rule) for d in diagnostics]
    missed = [f"line {line}: no {label} [{rule}]" for line, label, rule in _without(wanted, found)]
    surplus = [f"line {line}: unexpected {label} [{rule}]" for line, label, rule in _without(found, wanted)]
    return missed + surplus


def _without(
    entries: Sequence[tuple[int, str, str]], others: Sequence[tuple[int, str, str]]
) -> list[tuple[int, str, str]]:
    return [entry for entry in entries if entry not in others]


def _told_twice(module: Module, diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    counts = Counter((module.lines.line_of(d.range.start) + 1, d.range, d.rule, d.message) for d in diagnostics)
    return [f"line {line}: [{rule}] is told {count} times" for (line, _, rule, _), count in counts.items() if count > 1]


def _in_full(module: Module, diagnostic: Diagnostic) -> Iterator[str]:
    span = module.text[diagnostic.range.start : diagnostic.range.end]
    at = span.partition("\n")[0]
    yield f"{_span(module, diagnostic.range)} {diagnostic.severity.label} [{diagnostic.rule}] «{at}»"
    yield f"    {diagnostic.message}"
    for tag in diagnostic.tags:
        yield f"    shown as {tag.value}"
    for related in diagnostic.related:
        yield f"    {_span(module, related.range)} {related.message}"
    for fix in diagnostic.fixes:
        yield f"    {'certain fix' if fix.certain else 'fix'}: {fix.title}"
        for edit in fix.edits:
            before = module.text[edit.range.start : edit.range.end]
            yield f"        {_span(module, edit.range)} {before!r} -> {edit.text!r}"


def _span(module: Module, span: Range) -> str:
    """Lines and columns from 1, the end after the last character."""
    (line, column), (last, end) = module.lines.line_column(span.start), module.lines.line_column(span.end)
    return f"{line + 1}:{column + 1}-{last + 1}:{end + 1}"


def _revealed(module: Module, trace: Trace) -> list[str]:
    found: list[str] = []
    lines = module.text.splitlines()
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "reveal"):
                    continue
                line = module.lines.line_of(module.range_of(block, node).start)
                match = _REVEALED.search(lines[line])
                wanted = match.group(1) if match else "(nothing)"
                got = describe(trace.values.get(node.args[0])) or "unknown"
                if got != wanted:
                    found.append(f"line {line + 1}: revealed {got}, expected {wanted}")
    return found
