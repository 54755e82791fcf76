"""What the servers' benchmark measured, as a table for the terminal, a page and a plot. It measures nothing."""

from __future__ import annotations

import statistics

from probe import Measured

AllMeasured = dict[int, dict[str, Measured]]
COLUMNS = ("edit", "95th", "CPU", "hover", "behind", "95th", "hello", "first", "RSS MB", "PSS MB")


def late(values: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def as_text(measured: AllMeasured) -> str:
    lines: list[str] = []
    for size, servers in measured.items():
        lines.append(f"{size} lines")
        lines.append(f"  {'':20}" + "".join(f"{column:>8}" for column in COLUMNS) + " stale")
        for name, each in servers.items():
            middle = statistics.median
            figures = [
                middle(each.edits),
                late(each.edits),
                statistics.mean(each.cpu),
                middle(each.hover_idle),
                middle(each.hover_behind),
                late(each.hover_behind),
                middle(each.initialize),
                middle(each.first),
            ]
            cells = "".join(f"{value * 1000:8.1f}" for value in figures)
            lines.append(
                f"  {name:20}{cells}{each.memory.resident / 1e6:8.0f}{each.memory.proportional / 1e6:8.0f} {each.stale}"
            )
    return "\n".join(lines)


def as_markdown(measured: AllMeasured, edits: int, starts: int) -> str:
    return ""


def as_svg(measured: AllMeasured) -> str:
    return ""
