"""What the benchmarks measured, as a table for the terminal, a page and a plot. It measures nothing."""

from __future__ import annotations

import platform
import statistics
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

sys.path.append(str(Path(__file__).resolve().parents[1]))
import plot
from plot import Panel

Measured: TypeAlias = "dict[str, dict[str, float]]"
"""Of one program: kind (first, cold, warm, steady) to variant to seconds; also `lines` of source."""
SHOWN = {"autograph": "AutoGraph", "graphwright": "Graphwright"}
KINDS = {
    "first": "First call, trace only",
    "cold": "First call in a new process, conversion included",
    "warm": "The same, from the disk cache",
    "steady": "Later calls",
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

The same {count} programs in four versions: eager Python, handwritten graph code, AutoGraph, and Graphwright.
The script compares their results before it measures anything.
It also generates this page, so edits are lost.

    python benchmarks/converter/run.py             # writes this page and its plot
    python benchmarks/converter/run.py --quick     # quick run, writes nothing
    python benchmarks/converter/run.py --only collatz --quick
    python benchmarks/converter/run.py --quick --json
    python benchmarks/converter/source.py          # source conversion only, without TensorFlow
    python benchmarks/converter/python_in_a_trace.py  # ordinary Python while a graph is traced

![First calls and steady state of AutoGraph and Graphwright, as multiples of handwritten](converter-benchmarks.svg)

Measured with TensorFlow {tensorflow} on Python {python}.
Times are medians of {repetitions} interleaved repetitions in one process, or of {processes} new processes.
Columns without a unit are multiples of the handwritten code's time.
AutoGraph can't fill a list in a staged loop, so those programs use a `TensorArray` for AutoGraph.
Graphwright always runs the plain Python.
"""
EXPLAINED = {
    "first": "The function was converted before, but the function object is new: this is the cost of another trace.",
    "cold": "Each program's first call in a new process, after TensorFlow and the converter are loaded.\n"
    "Graphwright's disk cache is empty.",
    "warm": "Graphwright reads the converted source from its disk cache; AutoGraph has no cache and converts again.",
    "steady": "The function is already traced: this is the cost of the call and of running the graph.",
    "lines": "Lines of the measured function, without the functions that it calls.\n"
    "Graphwright runs the plain Python; the other column is handwritten by an expert.",
}


PANELS = {"first": "First call", "cold": "First call, new process", "steady": "Steady state"}


def as_svg(measured: dict[str, Measured]) -> str:
    """Bars of times handwritten, a panel for each kind of call."""
    kinds = {"autograph": "other", "graphwright": "ours"}
    panels = [
        Panel(
            title,
            [[(kinds[variant], ratio(program, kind, variant)) for variant in SHOWN] for program in measured.values()],
            one=1.0,
        )
        for kind, title in PANELS.items()
    ]
    names = [name.replace("_", " ") for name in measured]
    legend = {kinds[variant]: title for variant, title in SHOWN.items()}
    return plot.as_svg(
        "Time, as a multiple of handwritten graph code", "Times handwritten graph code", names, panels, legend
    )
