"""The picture of a graph as SVG: its operations by source line, control flow as boxes in boxes.

Text comes in and text goes out; nothing is run, and the picture holds no script.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from graphwright.agent.wire import AgentReport
from graphwright_analysis import Unreadable, read_text

from graphwright_server.graph_lines import size_text

from .drawing import prepared, written
from .model import boxes_of, is_variable
from .style import STYLE
from .texts import SMALL, cut, escaped, width

_MARGIN = 24.0
_HEADING = 46.0
_LEGEND = 30.0


def picture_of(report: AgentReport, sources: Mapping[str, str]) -> str:
    """The picture of a report's graph, empty where it has none; `sources` are the files as they were run."""
    if report.graph is None:
        return ""
    texts: dict[str, list[str]] = {file: text.splitlines() for file, text in sources.items()}

    def text_of(file: str, line: int | None) -> str:
        if file not in texts:
            texts[file] = _read(file)
        lines = texts[file]
        return lines[line].strip() if line is not None and line < len(lines) else ""

    boxes = prepared(boxes_of(report.graph), text_of, report.file)
    heading = cut(report.traces[0].signature if report.traces else report.function, 120)
    variables = sum(is_variable(node) and node.parent is None for node in report.graph.nodes)
    outside = f", {variables} variable{'s' * (variables > 1)} from outside" if variables else ""
    summary = f"{size_text(report.graph)}{outside}"
    size = boxes.layout.size
    across = max(size.width, width(heading, 13), 320.0) + 2 * _MARGIN
    down = size.height + _HEADING + _LEGEND + 2 * _MARGIN
    left = (across - size.width) / 2
    body = "\n".join(written(boxes, (left, _MARGIN + _HEADING), 0))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" class="graphwright-graph" role="group"
 aria-label="{escaped(f"The graph of {report.function}: {summary}")}"
 width="{across:.0f}" height="{down:.0f}" viewBox="0 0 {across:.0f} {down:.0f}">
<style>{STYLE}</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path class="arrow" d="M0,0.5 L7,4 L0,7.5 Z"/></marker></defs>
<rect class="background" width="100%" height="100%"/>
<text class="heading" x="{_MARGIN}" y="{_MARGIN + 8}">{escaped(heading)}</text>
<text class="small" x="{_MARGIN}" y="{_MARGIN + 26}">{escaped(summary)}</text>
{body}
{_legend(_MARGIN, down - _MARGIN)}
</svg>
"""


def _legend(x: float, y: float) -> str:
    parts: list[str] = []
    for kind, text in (
        ("line", "a line of the source"),
        ("branch", "an if in the graph"),
        ("loop", "a loop in the graph"),
    ):
        parts.append(
            f'<g class="{kind}"><rect class="bar" x="{x:.1f}" y="{y - 9:.1f}" width="4" height="11" rx="2"/></g>'
        )
        parts.append(f'<text class="tiny" x="{x + 9:.1f}" y="{y:.1f}">{text}</text>')
        x += width(text, SMALL) + 14
    return "".join(parts)


def _read(file: str) -> list[str]:
    with contextlib.suppress(Unreadable):
        return read_text(file).splitlines()
    return []
