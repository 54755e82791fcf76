"""A comparison of the ways to run a function as text for a terminal: one way a line, and where it differs first."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.agent import wire

from graphwright_server.verification import way_lines

from .terminal import TerminalStyle, printable
from .trace_report import failure_lines, heading_lines

_COLOURS = {wire.EQUAL: "green", wire.DIFFERS: "red", wire.CANT_RUN: "yellow", wire.NOT_COMPARED: "yellow"}
_WIDTHS = 13, 14


def report_text(report: wire.AgentReport, inferred: str, style: TerminalStyle) -> str:
    """The whole report; `inferred` has the arguments if the user passed none."""
    parts = [
        [*heading_lines(report, inferred, style)],
        [*failure_lines(report, style)],
        [line for way in report.ways for line in _way(way, report, style)],
        [style(note, "dim") for note in report.notes],
    ]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def _way(way: wire.VerifiedWay, report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    name = f"{way.way:<{_WIDTHS[0]}}"
    is_eager = way.way == wire.EAGER
    outcome = "" if is_eager else style(f"{way.agreement:<{_WIDTHS[1]}}", _COLOURS[way.agreement], "bold")
    lines = [printable(line) for line in way_lines(way, report.file)]
    if is_eager and not lines:
        return
    yield f"{name}{outcome}{lines[0] if lines else ''}".rstrip()
    yield from (f"{' ' * sum(_WIDTHS)}{line}" for line in lines[1:])
