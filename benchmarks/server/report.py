"""What the servers' benchmark measured, as a table for the terminal, a page and a plot. It measures nothing."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median, quantiles

from probe import Measured

sys.path.append(str(Path(__file__).resolve().parents[1]))
import plot
from plot import Panel

AllMeasured = dict[int, dict[str, Measured]]
COLUMNS = ("edit", "95th", "CPU", "hover", "behind", "95th", "hello", "first", "RSS MB", "PSS MB")


def late(values: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def as_text(measured: AllMeasured) -> str:
    lines: list[str] = []
    for size, servers in measured.items():
        lines.append(f"{size} lines")
        lines.append(f"  {'':20}" + "".join(f"{column:>8}" for column in COLUMNS) + " stale")
        for name, each in servers.items():
            figures = [
                median(each.edits),
                late(each.edits),
                mean(each.cpu),
                median(each.hover_idle),
                median(each.hover_behind),
                late(each.hover_behind),
                median(each.initialize),
                median(each.first),
            ]
            cells = "".join(f"{value * 1000:8.1f}" for value in figures)
            lines.append(
                f"  {name:20}{cells}{each.memory.resident / 1e6:8.0f}{each.memory.proportional / 1e6:8.0f} {each.stale}"
            )
    return "\n".join(lines)


def as_markdown(measured: AllMeasured, edits: int, starts: int) -> str:
    parts = [HEAD.format(edits=edits, starts=starts, python=platform.python_version(), others=_versions())]
    for size, servers in measured.items():
        parts.append(f"\n## {size:,} lines\n\n{_table(servers)}")
    return "".join(parts)


def _table(servers: dict[str, Measured]) -> str:
    rows = [
        "| server | edit | 95th | times bare | CPU per edit | hover | hover behind an edit | hello | first | memory |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, each in servers.items():
        cells = [
            _ms(median(each.edits)),
            _ms(late(each.edits)),
            _times(each, servers.get(BARE.get(name, "bare pygls"))),
            _ms(mean(each.cpu)),
            _ms(median(each.hover_idle)),
            _ms(median(each.hover_behind)),
            f"{median(each.initialize):.2f} s",
            f"{median(each.first):.2f} s",
            f"{each.memory.resident / 1e6:.0f} MB",
        ]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _times(each: Measured, bare: Measured | None) -> str:
    return "" if bare is None else f"{median(each.edits) / median(bare.edits):.2f}"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _versions() -> str:
    shown = [f"pygls {version('pygls')}"]
    pins = (Path(__file__).parent / "requirements.txt").read_text("utf-8").splitlines()
    shown += [line.replace("==", " ") for line in pins if not line.startswith("#")]
    return ", ".join(shown)


def as_svg(measured: AllMeasured) -> str:
    """A panel for each length of file: the median from an edit to fresh diagnostics."""
    names = list(next(iter(measured.values())))
    panels = [
        Panel(
            f"{size:,} lines: milliseconds",
            [
                [("ours" if name.startswith("graphwright") else "other", 1000 * median(servers[name].edits))]
                for name in names
            ],
            digits=1,
        )
        for size, servers in measured.items()
    ]
    title = "From a one-character edit to fresh diagnostics"
    return plot.as_svg(title, title, names, panels, {"other": "others", "ours": "Graphwright"})


def _kind(name: str) -> str:
    return "ours" if name.startswith("graphwright") else "other"


BARE = {"graphwright, asked": "bare pygls, asked"}
"""Which bare server a row is compared with, where that isn't the one that sends diagnostics unasked."""
HEAD = """\
# Language server: benchmarks

Generated TensorFlow files, {edits} one-character edits in each, and fresh diagnostics behind every edit.
The servers live at the same time and take turns on the same edits, and a probe that only frames messages talks to them.
Each edit breaks a name, or mends it, so that every server has to report something else.
This page is written by the command below; edits are lost.

    python benchmarks/server/run.py                # a table in the terminal
    python benchmarks/server/run.py --write        # writes this page and its plot, too
    python benchmarks/server/run.py --only graphwright --only bare --sizes 100 --starts 1

![Medians from an edit to fresh diagnostics, of each server and each length of file](server-benchmarks.svg)

Python {python}; {others}.
*bare pygls* is the least that a server in Python can be: `ast.parse`, one pass over the names, and what is undefined.
*asked* means that the client asks for diagnostics, as VS Code does, instead of having them sent.
*hello* is from the start of the process to the answer to `initialize`, *first* to the first diagnostics.
Both are medians of {starts} starts.
*CPU per edit* counts all processes of a server and hardly depends on what else the machine does; times do.
*memory* is what is resident once the server has settled.
"""
