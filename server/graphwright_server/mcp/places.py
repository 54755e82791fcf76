"""What the analysis knows about a line or a function, as tools return it. Nothing of the user's is run."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import graphwright
import graphwright_analysis as analysis
from graphwright_analysis import immutable

from graphwright_server.lsp.locating import function_in
from graphwright_server.wording import plural

from .results import Page, more_text, shortened
from .workspace import RefusedRequest, Workspace


@immutable(slots=False)
class KnownFact:
    """What is known of the expression at a column."""

    column: int
    text: str
    known: str


@immutable(slots=False)
class FactsResult:
    """What is known on one line of a file; call again with `offset=next_offset` if there is more."""

    path: str
    line: int
    source: str
    facts: tuple[KnownFact, ...]
    total: int
    next_offset: int | None


@immutable(slots=False)
class GraphCode:
    """Generated code of a function, or why there is none and at which line."""

    path: str
    function: str
    code: str
    refused: str | None = None
    refused_line: int | None = None


@immutable(slots=False)
class ListedRule:
    """A rule in a list."""

    rule: str
    family: str
    severity: str
    fixable: bool
    summary: str


@immutable(slots=False)
class Explanation:
    """The page of a rule, or a list of rules."""

    page: str
    rules: tuple[ListedRule, ...] = ()


@immutable(slots=False)
class TracedFunction:
    """A function that TensorFlow traces, and why it isn't analyzed in full."""

    path: str
    line: int
    name: str
    status: str
    reasons: tuple[str, ...]


@immutable(slots=False)
class CoverageResult:
    """How much of the traced functions the analysis follows; `functions` are those with gaps.

    Call again with `offset=next_offset` if there are more.
    """

    traced: int
    followed: int
    functions: tuple[TracedFunction, ...]
    total: int
    next_offset: int | None
    names: dict[str, int]


def explanation_of(name: str) -> Explanation:
    """The page of a rule, the rules of a family, or all rules."""
    rule = analysis.find_rule(name) if name else None
    if rule is not None:
        return Explanation(rule.page)
    rules = [each for each in analysis.all_rules() if name in ("", each.family)]
    if not rules:
        names = [*analysis.FAMILIES, *(each.name for each in analysis.all_rules())]
        close = difflib.get_close_matches(name, names, n=3)
        hint = f"Did you mean {', '.join(close)}?" if close else "Call explain without a rule to list all."
        raise RefusedRequest(f"There is no rule or family {name!r}. {hint}")
    return Explanation(
        analysis.FAMILIES.get(name, ""),
        tuple(ListedRule(each.name, each.family, each.severity.label, each.fixable, each.summary) for each in rules),
    )


def explanation_text(result: Explanation) -> str:
    """The page, or a line for each rule."""
    lines = [f"{each.rule} ({each.family}, {each.severity}): {each.summary}" for each in result.rules]
    return "\n".join([*([result.page.strip()] if result.page else []), *lines])


def facts_of_line(workspace: Workspace, path: str, line: int, name: str | None, page: Page) -> FactsResult:
    """What is known of each name and keyword on a line; of one name only if that is given."""
    lines = workspace.project.module(path).lines
    if not 1 <= line <= len(lines.starts):
        raise RefusedRequest(f"{workspace.shown(path)} has {len(lines.starts)} lines; there is no line {line}.")
    span = lines.line_range(line - 1)
    source = lines.text[span.start : span.end]
    words = dict.fromkeys(_WORD.findall(source))
    if name is not None and name not in words:
        raise RefusedRequest(f"{workspace.shown(path)}:{line} has no name {name}. Names: {', '.join(words) or 'none'}.")
    facts = tuple(_facts(workspace, path, span.start, source, name))
    return FactsResult(workspace.shown(path), line, source, page.of(facts), len(facts), page.following(facts))


def facts_text(result: FactsResult) -> str:
    """The facts as text, in the order of the line."""
    parts = [f"{result.path}:{result.line}: {result.source.strip()}"]
    parts += [f"`{each.text}` (column {each.column}): {each.known}" for each in result.facts]
    if not result.facts:
        parts.append("Nothing is known here. `coverage` shows which functions aren't analyzed.")
    if result.next_offset is not None:
        parts.append(more_text("facts", result.total, result.next_offset))
    return "\n".join(parts)


def graph_code(workspace: Workspace, path: str, name: str, style: Literal["graphwright", "tensorflow"]) -> GraphCode:
    """The graph code of a function, made from its text."""
    project = workspace.project
    found = analysis.specs_by_name(project, path, name)
    located = None if found is None else function_in(project, path, found.range.start)
    if located is None:
        names = ", ".join(analysis.function_names(project, path)) or "none"
        raise RefusedRequest(f"{workspace.shown(path)} has no function {name}. Functions: {names}.")
    preview = graphwright.previews.preview(located, style, project.text(path))
    refused = preview.refused
    return GraphCode(
        workspace.shown(path),
        located.name,
        shortened(preview.text),
        refused and refused.message,
        refused and refused.line + 1,
    )


def graph_code_text(result: GraphCode) -> str:
    """The code, or the reason why there is none."""
    if result.refused is not None:
        return f"{result.path}:{result.refused_line}: `{result.function}` can't be converted: {result.refused}"
    return result.code


def coverage_of(
    workspace: Workspace, paths: list[str], page: Page, progress: Callable[[int, int], None]
) -> CoverageResult:
    """How far the analysis follows the functions that TensorFlow traces in the files."""
    survey = analysis.Survey(workspace.project)
    files = list(workspace.files([Path(path) for path in paths]))
    readable: list[str] = []
    for number, path in enumerate(files):
        progress(number, len(files))
        try:
            survey.add(path)
            readable.append(path)
        except analysis.Unreadable:
            continue
    found = [(path, each) for path in readable for each in survey.functions(path)]
    names = Counter[str]()
    for _, each in found:
        names.update({kind.value: count for kind, count in each.names.items()})
    partly = [_traced_function(workspace, path, each) for path, each in found if each.reasons]
    followed, shown = len(found) - len(partly), page.of(partly)
    return CoverageResult(len(found), followed, shown, len(partly), page.following(partly), dict(names))


def coverage_text(result: CoverageResult) -> str:
    """The functions with gaps, and the totals."""
    parts: list[str] = []
    for each in result.functions:
        parts.append(f"{each.path}:{each.line}: `{each.name}`: {each.status}")
        parts += [f"  {reason}" for reason in each.reasons]
    if result.next_offset is not None:
        parts.append(more_text("coverage", result.total, result.next_offset))
    parts.append(f"{result.followed} of {plural(result.traced, 'traced function')} analyzed in full.")
    return "\n".join(parts)


def _traced_function(workspace: Workspace, path: str, each: analysis.FunctionCoverage) -> TracedFunction:
    lines = workspace.project.module(path).lines
    line = lines.line_of(each.range.start) + 1
    reasons = tuple(f"line {lines.line_of(reason.range.start) + 1}: {reason.why}" for reason in each.reasons)
    return TracedFunction(workspace.shown(path), line, each.name, each.status.value, reasons)


def _facts(workspace: Workspace, path: str, start: int, source: str, name: str | None) -> Iterator[KnownFact]:
    seen = set[analysis.Range]()
    for match in _WORD.finditer(source):
        if name is not None and match[0] != name:
            continue
        hover = analysis.hover(workspace.project, path, start + match.start())
        if hover is None or hover.range in seen:
            continue
        seen.add(hover.range)
        text = workspace.project.text(path)[hover.range.start : hover.range.end]
        yield KnownFact(match.start() + 1, text.partition("\n")[0], _plain(hover.markdown))


def _plain(markdown: str) -> str:
    """Markdown without fences and without links, which lead to files outside the workspace."""
    text = _LINK.sub("", markdown)
    return re.sub(r"\n{2,}", "\n", _FENCE.sub("", text)).strip()


_WORD = re.compile(r"[A-Za-z_]\w*")
_FENCE = re.compile(r"^```\w*\n?", re.MULTILINE)
_LINK = re.compile(r" ?\[[^\]]*\]\((?:file|command)[^)]*\)")
