"""Horizontal bars in panels, as an SVG that is readable on light and dark pages. It knows nothing of what is shown."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PANEL, TOP, BAR = 262, 80, 13
STYLE = """
    .card { fill: #ffffff; stroke: #d0d7de; } text { font: 12px system-ui, sans-serif; fill: #57606a; }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328; } .panel { font-weight: 600; fill: #1f2328; }
    .name { fill: #1f2328; } .other { fill: #b0b8c1; } .ours { fill: #d9730d; }
    .one { stroke: #1f2328; stroke-width: 1.2; } .grid { stroke: #eaeef2; } .value { font-size: 10.5px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #30363d; } text { fill: #9198a1; }
      .title, .panel, .name { fill: #e6edf3; } .other { fill: #5b6570; } .ours { fill: #f0883e; }
      .one { stroke: #e6edf3; } .grid { stroke: #21262d; }
    }"""


@dataclass(frozen=True, slots=True)
class Panel:
    """A column of bars: for each row the values, each with its class; `one` is where a line is drawn, if anywhere."""

    title: str
    rows: Sequence[Sequence[tuple[str, float]]]
    one: float | None = None
    digits: int = 2


def as_svg(title: str, label: str, rows: Sequence[str], panels: Sequence[Panel], legend: Mapping[str, str]) -> str:
    """All panels side by side, the names of the rows on the left."""
    labels = 40 + 7 * max(map(len, rows))
    row = BAR * max(len(cells) for panel in panels for cells in panel.rows) + 8
    width, bottom = labels + PANEL * len(panels) + 16, TOP + row * len(rows)
    height = bottom + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{html.escape(label)}">',
        f"<style>{STYLE}\n</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        f'<text class="title" x="20" y="30">{html.escape(title)}</text>',
        *_legend(width, legend),
    ]
    for at, name in enumerate(rows):
        y = TOP + row * at + row / 2 + 4
        parts.append(f'<text class="name" x="{labels - 12}" y="{y:g}" text-anchor="end">{html.escape(name)}</text>')
    for at, panel in enumerate(panels):
        parts += _panel(panel, labels + PANEL * at, bottom, row)
    return "\n".join([*parts, "</svg>", ""])


def _legend(width: int, legend: Mapping[str, str]) -> list[str]:
    parts: list[str] = []
    for at, (kind, title) in enumerate(reversed(legend.items())):
        x = width - 110 - 100 * at
        parts.append(f'<rect class="{kind}" x="{x}" y="20" width="11" height="11" rx="2"/>')
        parts.append(f'<text x="{x + 17}" y="30">{html.escape(title)}</text>')
    return parts


def _panel(panel: Panel, left: int, bottom: int, row: int) -> list[str]:
    end = max([value for cells in panel.rows for _, value in cells] + ([1.6 * panel.one] if panel.one else []))
    room = PANEL - 62
    step = next(each for each in _STEPS if end / each <= 5)
    parts = [f'<text class="panel" x="{left}" y="{TOP - 14}">{html.escape(panel.title)}</text>']
    for mark in range(int(end / step) + 1):
        x = left + room * mark * step / end
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text class="value" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{mark * step:g}</text>')
    for at, cells in enumerate(panel.rows):
        for below, (kind, value) in enumerate(cells):
            y = TOP + row * at + 4 + BAR * below
            long = room * value / end
            parts.append(f'<rect class="{kind}" x="{left}" y="{y}" width="{long:.1f}" height="11" rx="2"/>')
            shown = f"{value:.{panel.digits}f}"
            parts.append(f'<text class="value" x="{left + long + 5:.1f}" y="{y + 9.5}">{shown}</text>')
    if panel.one is not None:
        x = left + room * panel.one / end
        parts.append(f'<line class="one" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}"/>')
    return parts


_STEPS = [size * 10**power for power in range(-1, 6) for size in (1, 2, 5)]
