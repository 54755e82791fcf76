"""What `%%gw` shows below a cell, as HTML and as text. It finds out nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from graphwright.explaining import counted

MOST_CAUSES = 5


@dataclass(frozen=True)
class ShownFinding:
    """A finding with the place where a reader of the notebook finds it."""

    place: str
    severity: str
    rule: str
    message: str


@dataclass(frozen=True)
class ShownFunction:
    """A function that the cell traced."""

    name: str
    traces: int
    seconds: float
    causes: tuple[str, ...] = ()
    remedy: str = ""


@dataclass(frozen=True)
class CellReport:
    """All that is shown; a hinted line is its number and pieces of code with a hint after each but the last."""

    findings: tuple[ShownFinding, ...]
    hinted: tuple[tuple[str, tuple[str, ...]], ...]
    functions: tuple[ShownFunction, ...]
    subject: str


def as_text(report: CellReport) -> str:
    lines = [f"{each.place}: {each.severity}: {each.message} [{each.rule}]" for each in report.findings]
    lines = lines or [f"No findings in {report.subject}."]
    for function in report.functions:
        lines.append(f"{function.name}: {counted(function.traces, 'trace')} in {function.seconds:.3g} s")
        lines += [f"    {cause}" for cause in function.causes[:MOST_CAUSES]]
        lines += [f"    {function.remedy}"] if function.remedy else []
    lines += [f"{number:>4}  {''.join(pieces)}" for number, pieces in report.hinted]
    return "\n".join(lines)


def as_html(report: CellReport) -> str:
    return f'<div class="graphwright-cell"><style>{STYLE}</style>{"".join(_parts(report))}</div>'


def _parts(report: CellReport) -> Iterator[str]:
    if not report.findings:
        yield f'<p class="good">No findings in {escape(report.subject)}.</p>'
    for each in report.findings:
        yield (
            f'<p class="{escape(each.severity)}"><b>{escape(each.severity)}</b> {escape(each.place)}: '
            f"{code_marked(each.message)} <span>{escape(each.rule)}</span></p>"
        )
    for function in report.functions:
        name = f"<code>{escape(function.name)}</code>"
        kind = "warning" if function.causes else "good"
        made = counted(function.traces, "trace")
        yield f'<p class="{kind}">{name}: {made} <span>{function.seconds:.3g} s</span></p>'
        causes = [f"<li>{code_marked(cause)}</li>" for cause in function.causes[:MOST_CAUSES]]
        more = len(function.causes) - MOST_CAUSES
        causes += [f"<li>and {more} more</li>"] if more > 0 else []
        yield f"<ul>{''.join(causes)}</ul>" if causes else ""
        yield f"<p>{code_marked(function.remedy)}</p>" if function.remedy else ""
    if report.hinted:
        rows = "\n".join(f"{number:>4}  {_hinted(pieces)}" for number, pieces in report.hinted)
        yield f"<details><summary>dtypes and shapes</summary><pre>{rows}</pre></details>"


def _hinted(pieces: tuple[str, ...]) -> str:
    return "".join(f"<i>{escape(text)}</i>" if index % 2 else escape(text) for index, text in enumerate(pieces))


def code_marked(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


STYLE = """
.graphwright-cell { border-left: 3px solid #8c959f; padding: 2px 0 2px 12px; margin: 4px 0; line-height: 1.5; }
.graphwright-cell p { margin: 2px 0; }
.graphwright-cell ul { margin: 0 0 2px; }
.graphwright-cell span, .graphwright-cell summary { opacity: .65; font-size: 90%; }
.graphwright-cell summary { cursor: pointer; }
.graphwright-cell .error b { color: #d1242f; }
.graphwright-cell .warning b, .graphwright-cell .warning code { color: #bc7000; }
.graphwright-cell .information b { color: #218bff; }
.graphwright-cell .good::before { content: "\\2713\\00a0"; color: #2da44e; }
.graphwright-cell pre { margin: 4px 0; overflow-x: auto; background: none; }
.graphwright-cell pre i { font-style: normal; opacity: .6; }
"""
