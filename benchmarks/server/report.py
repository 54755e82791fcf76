"""What the servers' benchmark measured, as tables for the terminal, a page and a plot. It measures nothing."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median, quantiles

import plot
from load import FILES, Loaded
from plot import Panel
from probe import Measured, Taken
from real_files import RealFile

AllMeasured = dict[int, dict[str, Measured]]
RealMeasured = dict[RealFile, dict[str, Measured]]
COLUMNS = ("edit", "95th", "CPU", "hover", "after", "95th", "hello", "first", "RSS MB", "PSS MB")


def late(values: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def named(measured: Measured) -> Taken:
    """The one kind of edit that there is in a generated file."""
    return measured.taken["name"]


def as_text(measured: AllMeasured) -> str:
    lines: list[str] = []
    for size, servers in measured.items():
        lines.append(f"{size} lines")
        lines.append(f"  {'':20}" + "".join(f"{column:>8}" for column in COLUMNS) + " stale")
        for name, each in servers.items():
            figures = [
                median(named(each).edits),
                late(named(each).edits),
                mean(named(each).cpu),
                median(each.hover_idle),
                median(named(each).hover),
                late(named(each).hover),
                median(each.initialize),
                median(each.first),
            ]
            cells = "".join(f"{value * 1000:8.1f}" for value in figures)
            lines.append(
                f"  {name:20}{cells}{each.memory.resident / 1e6:8.0f}{each.memory.proportional / 1e6:8.0f} {each.stale}"
            )
    return "\n".join(lines)


def real_as_text(measured: RealMeasured) -> str:
    lines: list[str] = []
    for file, servers in measured.items():
        lines.append(f"{file.name}: milliseconds, median / 95th (times bare)")
        for title, row in _real_rows(servers):
            lines.append(f"  {title:34}" + "".join(f"{cell:>24}" for cell in row))
    return "\n".join(lines)


def load_as_text(loaded: dict[str, Loaded]) -> str:
    return "\n".join("".join(f"{cell:>20}" for cell in row) for row in _load_rows(loaded))


def as_markdown(
    measured: AllMeasured,
    real: RealMeasured,
    loaded: dict[str, Loaded],
    edits: int,
    starts: int,
    real_edits: int,
) -> str:
    parts = [HEAD.format(edits=edits, starts=starts, python=platform.python_version(), others=_versions())]
    for size, servers in measured.items():
        parts.append(f"\n### {size:,} lines\n\n{_table(servers)}")
    parts.append(REAL_HEAD.format(edits=real_edits))
    for file, servers in real.items():
        count = file.file.read_text("utf-8").count("\n")
        parts.append(f"\n### {file.stands_for[0].upper()}{file.stands_for[1:]}\n\n`{file.name}`, {count:,} lines.\n\n")
        parts.append(_as_markdown_table(_real_rows(servers)))
    if loaded:
        parts.append(LOAD_HEAD.format(files=FILES))
        parts.append(_as_markdown_table((row[0], row[1:]) for row in _load_rows(loaded)))
    return "".join(parts)


def _as_markdown_table(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    lines = [f"| {title} | " + " | ".join(cells) + " |" for title, cells in rows]
    lines.insert(1, "|---|" + "---:|" * (lines[0].count("|") - 2))
    return "\n".join(lines) + "\n"


def _real_rows(servers: dict[str, Measured]) -> Iterator[tuple[str, list[str]]]:
    """The head, and then for each kind of edit what each server took."""
    yield "", list(servers)
    kinds = list(next(iter(servers.values())).taken)
    bare = servers.get("bare pygls")
    for kind in kinds:
        yield kind, _cells(servers, bare, lambda each, kind=kind: each.taken[kind].edits, median)
    for kind in kinds:
        yield f"{kind}, CPU", _cells(servers, bare, lambda each, kind=kind: each.taken[kind].cpu, mean)
    for kind in kinds:
        yield f"{kind}, then hover", _cells(servers, bare, lambda each, kind=kind: each.taken[kind].hover, median)
    yield "hello", [f"{median(each.initialize):.2f} s" for each in servers.values()]
    yield "first diagnostics", [f"{median(each.first):.2f} s" for each in servers.values()]
    yield "memory", [f"{each.memory.resident / 1e6:.0f} MB" for each in servers.values()]


def _cells(
    servers: dict[str, Measured],
    bare: Measured | None,
    values_of: Callable[[Measured], list[float]],
    middle: Callable[[list[float]], float],
) -> list[str]:
    cells: list[str] = []
    for each in servers.values():
        values = values_of(each)
        text = f"{middle(values) * 1000:.1f}" + (f" / {late(values) * 1000:.0f}" if middle is median else "")
        least = middle(values_of(bare)) if bare is not None else 0.0
        cells.append(f"{text} ({middle(values) / least:.2f})" if least else text)
    return cells


def _load_rows(loaded: dict[str, Loaded]) -> Iterator[list[str]]:
    yield ["server", "edit", "95th", "most", "edit at rest", "95th at rest", "times as long", "through", "CPU"]
    for name, each in loaded.items():
        yield [
            name,
            *(_ms(value) for value in (median(each.busy), late(each.busy), max(each.busy))),
            *(_ms(value) for value in (median(each.idle), late(each.idle))),
            f"{late(each.busy) / late(each.idle):.2f}",
            f"{each.through:.0f} s",
            f"{each.cpu:.0f} s",
        ]


def _table(servers: dict[str, Measured]) -> str:
    rows = [
        "| server | edit | 95th | times bare | CPU per edit | hover | hover after an edit | hello | first | memory |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, each in servers.items():
        cells = [
            _ms(median(named(each).edits)),
            _ms(late(named(each).edits)),
            _times(each, servers.get(BARE.get(name, "bare pygls"))),
            _ms(mean(named(each).cpu)),
            _ms(median(each.hover_idle)),
            _ms(median(named(each).hover)),
            f"{median(each.initialize):.2f} s",
            f"{median(each.first):.2f} s",
            f"{each.memory.resident / 1e6:.0f} MB",
        ]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _times(each: Measured, bare: Measured | None) -> str:
    return "" if bare is None else f"{median(named(each).edits) / median(named(bare).edits):.2f}"


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
                [("ours" if name.startswith("graphwright") else "other", 1000 * median(named(servers[name]).edits))]
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

The time from an edit to new diagnostics: in generated TensorFlow files, in files of published packages, and in one
file of a workspace while the server checks it.
All servers run at the same time and alternate on the same edits. The client only frames messages.
The command below generates this page, so edits are lost.

    python benchmarks/server/run.py                # tables in the terminal
    python benchmarks/server/run.py --write        # writes this page and its plot, too
    python benchmarks/server/run.py --only graphwright --only bare --sizes 100 --starts 1 --files tfimm --no-load

Python {python}; {others}.
*bare pygls* is the smallest possible Python server: `ast.parse`, one pass over the names, and undefined names.
*asked* means that the client pulls diagnostics, as VS Code does, instead of waiting for the server to push them.
*hello* is from the start of the process to the answer to `initialize`, *first* to the first diagnostics.
*CPU* counts all processes of a server. Unlike the times, it hardly depends on other load on the machine.
*memory* is the resident memory when the server is idle.

## Generated files

{edits} one-character edits. Each breaks or fixes a name, so every server must report something different.
*hello* and *first* are medians of {starts} starts.

![Medians from an edit to fresh diagnostics, of each server and each length of file](server-benchmarks.svg)
"""
REAL_HEAD = """
## Published files

Files of published packages, each open in a copy of its package; `tests/corpus/packages.txt` pins the versions.
{edits} edits of each kind: an extra letter in a name or an import, which makes it undefined; a different value of a
module constant; an extra line near the top; an extra letter in a comment. A later edit undoes each.
Milliseconds: median and 95th percentile, or the mean of CPU time; in brackets, the multiple of bare pygls.
*then hover* is the time from an edit to the answer to an immediate hover over a name in the middle of the file.
"""
LOAD_HEAD = """
## A workspace that is being checked

{files} files of TensorFlow Probability, all of which the server checks, with an empty cache.
After the first diagnostics of the open file, the client makes an edit every 200 ms: a letter more or less in a name.
*at rest* are the same edits after the server has finished.
*through* is the time from the start of the process to the last diagnostics of the workspace, and *CPU* the CPU time
until then, including the edits.
bare pygls checks no other file: it shows the load of the machine.

"""
