"""What the benchmarks measured, as a table for the terminal, a page and a plot. It measures nothing."""

from __future__ import annotations

import html
import platform
import statistics
from importlib.metadata import version
from typing import TypeAlias

Measured: TypeAlias = "dict[str, dict[str, float]]"
"""Of one program: kind (first, cold, warm, steady) to variant to seconds; also `lines` of source."""
SHOWN = {"autograph": "AutoGraph", "graphwright": "Graphwright"}
KINDS = {
    "first": "First call, trace only",
    "cold": "First call in a new process, conversion included",
    "warm": "The same, found in the cache on disk",
    "steady": "Every call after it",
}


def ratio(measured: Measured, kind: str, variant: str) -> float:
    return measured[kind][variant] / measured[kind]["handwritten"]


def middle(measured: dict[str, Measured], kind: str, variant: str) -> float:
    return statistics.geometric_mean(ratio(program, kind, variant) for program in measured.values())


def as_text(measured: dict[str, Measured]) -> str:
    lines = [f"{'milliseconds, and times handwritten':34}  handwritten    AutoGraph        Graphwright      eager"]
    for kind, title in KINDS.items():
        if not all(kind in program for program in measured.values()):
            continue
        lines.append(title)
        for name, program in measured.items():
            cells = [f"{program[kind]['handwritten'] * 1000:11.2f}"]
            for variant in SHOWN:
                cells.append(f"{program[kind][variant] * 1000:9.2f} {ratio(program, kind, variant):5.2f}x")
            eager = f"{program[kind]['eager'] * 1000:9.2f}" if "eager" in program[kind] else ""
            lines.append(f"  {name:32}{'  '.join(cells)}  {eager}")
        means = "  ".join(f"{middle(measured, kind, variant):15.2f}x" for variant in SHOWN)
        lines.append(f"  {'geometric mean':43}{means}")
    return "\n".join(lines)


def as_markdown(measured: dict[str, Measured], repetitions: int, processes: int) -> str:
    parts = [
        HEAD.format(
            count=len(measured),
            repetitions=repetitions,
            processes=processes,
            tensorflow=tensorflow_version(),
            python=platform.python_version(),
        )
    ]
    for kind, title in KINDS.items():
        parts.append(f"\n## {title}\n\n{EXPLAINED[kind]}\n\n{table(measured, kind)}")
    parts.append(f"\n## The source\n\n{EXPLAINED['lines']}\n\n{table_of_lines(measured)}")
    return "".join(parts)


def table(measured: dict[str, Measured], kind: str) -> str:
    eager = kind == "steady"
    rows = [
        "| program | handwritten | AutoGraph | | Graphwright | |" + (" eager |" if eager else ""),
        "|---|---:|---:|---:|---:|---:|" + ("---:|" if eager else ""),
    ]
    for name, program in measured.items():
        cells = [f"[{name}](../benchmarks/converter/programs/{name}.py)", ms(program[kind]["handwritten"])]
        for variant in SHOWN:
            cells += [ms(program[kind][variant]), f"{ratio(program, kind, variant):.2f}"]
        cells += [ms(program[kind]["eager"])] if eager else []
        rows.append("| " + " | ".join(cells) + " |")
    means = [f"| **{middle(measured, kind, variant):.2f}** |" for variant in SHOWN]
    rows.append(f"| geometric mean | | {means[0]} {means[1]}" + (" |" if eager else ""))
    return "\n".join(rows) + "\n"


def table_of_lines(measured: dict[str, Measured]) -> str:
    rows = ["| program | plain Python | by hand |", "|---|---:|---:|"]
    for name, program in measured.items():
        rows.append(f"| {name} | {program['lines']['plain']} | {program['lines']['handwritten']} |")
    return "\n".join(rows) + "\n"


def ms(value: float) -> str:
    return f"{value * 1000:.2f} ms" if value < 0.01 else f"{value * 1000:.0f} ms"


def tensorflow_version() -> str:
    for name in ("tensorflow", "tensorflow-cpu"):
        try:
            return version(name)
        except ModuleNotFoundError:
            continue
    return "?"


HEAD = """\
# Converter: benchmarks

The same {count} programs in four ways: eager Python, graph code by hand, TensorFlow's AutoGraph, and Graphwright.
Their numbers are checked against each other before anything is timed.
This page is written by the command below; edits are lost.

    python benchmarks/converter/run.py             # writes this page and its plot
    python benchmarks/converter/run.py --quick     # a look, nothing is written
    python benchmarks/converter/run.py --only collatz --quick
    python benchmarks/converter/run.py --quick --json
    python benchmarks/converter/source.py          # conversion of source alone, without TensorFlow

![First calls and steady state of AutoGraph and Graphwright, as multiples of handwritten](converter-benchmarks.svg)

Measured with TensorFlow {tensorflow} on Python {python}.
Times are medians of {repetitions} interleaved repetitions in one process, or of {processes} new processes.
The columns without a unit are multiples of the handwritten code's time.
AutoGraph can't fill a list in a staged loop, so it gets a version with a `TensorArray` there.
Graphwright always gets the plain Python.
"""
EXPLAINED = {
    "first": "The function was converted before, the function object is new: this is what another trace costs.",
    "cold": "Each program's first call after start-up, once TensorFlow and the converter are loaded.\n"
    "Graphwright's cache on disk is empty.",
    "warm": "Graphwright finds the converted source in its cache on disk; AutoGraph has none and converts again.",
    "steady": "The trace is there; what is left is calling it and running the graph.",
    "lines": "Lines of the function that is timed, without what it calls.\n"
    "The plain Python is what Graphwright gets; the other is what an expert writes instead.",
}


PANELS = {"first": "First call", "cold": "First call, new process", "steady": "Steady state"}
LABELS, PANEL, ROW, TOP = 140, 262, 34, 80
STYLE = """
    .card { fill: #ffffff; stroke: #d0d7de; } text { font: 12px system-ui, sans-serif; fill: #57606a; }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328; } .panel { font-weight: 600; fill: #1f2328; }
    .name { fill: #1f2328; } .autograph { fill: #b0b8c1; } .graphwright { fill: #d9730d; }
    .one { stroke: #1f2328; stroke-width: 1.2; } .grid { stroke: #eaeef2; } .value { font-size: 10.5px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #30363d; } text { fill: #9198a1; }
      .title, .panel, .name { fill: #e6edf3; } .autograph { fill: #5b6570; } .graphwright { fill: #f0883e; }
      .one { stroke: #e6edf3; } .grid { stroke: #21262d; }
    }"""


def as_svg(measured: dict[str, Measured]) -> str:
    """Bars of times handwritten, a panel for each kind of call; readable on light and dark pages."""
    width, bottom = LABELS + PANEL * len(PANELS) + 16, TOP + ROW * len(measured)
    height = bottom + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Times handwritten graph code">',
        f"<style>{STYLE}\n</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        '<text class="title" x="20" y="30">Time, as a multiple of handwritten graph code</text>',
        *legend(width),
    ]
    for at, name in enumerate(measured):
        label = html.escape(name.replace("_", " "))
        parts.append(f'<text class="name" x="{LABELS - 12}" y="{TOP + ROW * at + 20}" text-anchor="end">{label}</text>')
    for at, (kind, title) in enumerate(PANELS.items()):
        parts += panel(measured, kind, title, LABELS + PANEL * at, bottom)
    return "\n".join([*parts, "</svg>", ""])


def legend(width: int) -> list[str]:
    parts: list[str] = []
    for at, (variant, title) in enumerate(reversed(SHOWN.items())):
        x = width - 110 - 100 * at
        parts.append(f'<rect class="{variant}" x="{x}" y="20" width="11" height="11" rx="2"/>')
        parts.append(f'<text x="{x + 17}" y="30">{title}</text>')
    return parts


def panel(measured: dict[str, Measured], kind: str, title: str, left: int, bottom: int) -> list[str]:
    ratios = [ratio(program, kind, variant) for program in measured.values() for variant in SHOWN]
    end = max(1.6, *ratios)
    room = PANEL - 62
    step = next(size for size in (0.5, 1, 2, 5, 10, 50) if end / size <= 5)
    parts = [f'<text class="panel" x="{left}" y="{TOP - 14}">{title}</text>']
    for mark in range(int(end / step) + 1):
        x = left + room * mark * step / end
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text class="value" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{mark * step:g}</text>')
    for at, program in enumerate(measured.values()):
        for below, variant in enumerate(SHOWN):
            value = ratio(program, kind, variant)
            y = TOP + ROW * at + 4 + 13 * below
            long = room * value / end
            parts.append(f'<rect class="{variant}" x="{left}" y="{y}" width="{long:.1f}" height="11" rx="2"/>')
            parts.append(f'<text class="value" x="{left + long + 5:.1f}" y="{y + 9.5}">{value:.2f}</text>')
    x = left + room / end
    parts.append(f'<line class="one" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}"/>')
    return parts
