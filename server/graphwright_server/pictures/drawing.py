"""Writes boxes and their layout as SVG: boxes in boxes, edges with shapes, a button for each line.

What is in a box is decided in `model`, where it stands in `layout`.
"""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from graphwright.agent.wire import Operation

from graphwright_server.graph_lines import without_constants

from .layout import Layout, Point, Size, arranged
from .model import Box, Boxes, scopes_of
from .texts import CODE, SMALL, TINY, broken, cut, escaped, width

LineText = Callable[[str, "int | None"], str]

_PAD, _ROW, _HEAD = 10.0, 15.0, 19.0
_MOST_COLUMNS, _MOST_ROWS, _MOST_SCOPES = 46, 3, 6
_FEWEST_IN_SCOPES = 8
_LONGEST_LABEL = 30
_NAMES = {"then": "then", "else": "else", "body": "each iteration", "function": "the called function"}
_WORDS = {"loop": "loop", "branch": "if", "call": "call"}


@dataclass(slots=True)
class Drawn:
    """A box with its texts and what is inside, sized but not yet placed."""

    box: Box
    title: str
    rows: list[str]
    size: Size
    parts: list[tuple[str, DrawnBoxes]] = field(default_factory=list["tuple[str, DrawnBoxes]"])


@dataclass(slots=True)
class DrawnBoxes:
    drawn: list[Drawn]
    edges: dict[tuple[int, int], list[str]]
    layout: Layout


def prepared(boxes: Boxes, text_of: LineText, own_file: str) -> DrawnBoxes:
    """Boxes with their texts, laid out from the inside out."""
    drawn = [_prepared_box(box, text_of, own_file) for box in boxes.boxes]
    labelled = any(boxes.edges.values())
    results = sum(box.kind == "result" for box in boxes.boxes)
    layout = arranged([each.size for each in drawn], [*boxes.edges], 46.0 if labelled else 34.0, results)
    return DrawnBoxes(drawn, boxes.edges, layout)


def _prepared_box(box: Box, text_of: LineText, own_file: str) -> Drawn:
    title = _title(box, text_of, own_file)
    rows = _rows(box)
    parts = [(name, prepared(part, text_of, own_file)) for name, part in box.parts if part.boxes]
    if box.kind == "branch" and not parts:
        rows = [*rows, "chooses between existing values"]
    across = max([width(title, CODE) + 22, *(width(row, SMALL) for row in rows)]) + 2 * _PAD
    height = 2 * _PAD + _HEAD - 6 + len(rows) * _ROW
    if box.kind in ("argument", "result"):
        return Drawn(box, title, [], Size(width(title, SMALL) + 26, 24))
    if box.kind != "line":
        across = max(across + width(_WORDS[box.kind], TINY) + 30, 160)
        empty = [name for name, part in box.parts if not part.boxes]
        if box.kind == "branch" and empty and len(empty) < len(box.parts):
            parts = [*parts, *((name, prepared(Boxes(), text_of, own_file)) for name in empty)]
            parts.sort(key=lambda part: [name for name, _ in box.parts].index(part[0]))
        inner = [_part_size(name, part) for name, part in parts]
        if inner:
            across = max(across, sum(size.width for size in inner) + _PAD * (len(inner) + 1))
            height += max(size.height for size in inner) + _PAD
    return Drawn(box, title, rows, Size(across, height), parts)


def _part_size(name: str, part: DrawnBoxes) -> Size:
    size = part.layout.size
    least = max(width(_NAMES.get(name, name), TINY), 74.0 if not part.drawn else 0.0)
    return Size(max(size.width, least) + 2 * _PAD, size.height + 2 * _PAD + 14 + (12 if not part.drawn else 0))


def _title(box: Box, text_of: LineText, own_file: str) -> str:
    if box.kind in ("argument", "result"):
        return cut(box.label if box.kind == "argument" else f"returns {box.label}", _MOST_COLUMNS)
    if box.line is None:
        return "no line of yours"
    if box.guards:
        return f"{box.line + 1}  unless the loop has been left"
    where = "" if box.file == own_file else f"{_name_of(box.file)}:"
    return cut(f"{where}{box.line + 1}  {text_of(box.file, box.line)}".rstrip(), _MOST_COLUMNS)


def _name_of(file: str) -> str:
    """A file's own name, or that of the notebook that a cell is in, which is named by its URI."""
    name = os.path.basename(file)
    return unquote(name.partition("#")[0]) if file.startswith("vscode-notebook-cell:") else name


def _rows(box: Box) -> list[str]:
    """The operations of a box, by name scope where they are many and in several."""
    rows: list[str] = []
    if box.condition and box.kind == "loop":
        rows += broken([f"while {_counted(box.condition)[0]}", *_counted(box.condition)[1:]], _MOST_COLUMNS, 1)
    scopes = scopes_of(box.nodes) if box.kind == "line" and len(box.nodes) >= _FEWEST_IN_SCOPES else {}
    scopes = {name: operations for name, operations in scopes.items() if {*operations} - {"Const"}}
    named = [name for name in scopes if name]
    if len(named) > 1:
        shown = [*scopes.items()][:_MOST_SCOPES]
        for name, operations in shown:
            texts = [each if n == 1 else f"{each} ×{n}" for each, n in operations.items() if each != "Const"]
            rows.append(cut(f"{name or 'else'}: {', '.join(texts)}", _MOST_COLUMNS + 4))
        if len(scopes) > _MOST_SCOPES:
            rows.append(f"and {len(scopes) - _MOST_SCOPES} more scopes")
        return rows
    return rows + (broken(_counted(box.nodes), _MOST_COLUMNS, _MOST_ROWS) if box.nodes else [])


def _counted(nodes: Sequence[Operation]) -> list[str]:
    operations = without_constants(nodes)
    return [name if count == 1 else f"{name} ×{count}" for name, count in operations.items()]


def written(boxes: DrawnBoxes, at: Point, depth: int) -> Iterator[str]:
    """The elements of boxes whose top left corner is given, edges below the boxes."""
    yield from _edges(boxes, at)
    for drawn, (x, y) in zip(boxes.drawn, boxes.layout.places, strict=True):
        yield from _box(drawn, (at[0] + x, at[1] + y), depth)


def _box(drawn: Drawn, at: Point, depth: int) -> Iterator[str]:
    box, (x, y), size = drawn.box, at, drawn.size
    if box.kind in ("argument", "result"):
        yield f'<g class="{box.kind}"><title>{escaped(box.label)}</title>'
        yield _rect(x, y, size, 12)
        yield f"{_text(drawn.title, x + 13, y + 16, 'small')}</g>"
        return
    yield _opening(drawn)
    for shift in (6, 3) if box.times > 1 else ():
        yield _rect(x + shift, y + shift, size, 6, "stack")
    yield _rect(x, y, size, 6, "box")
    yield f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="4" height="{size.height:.1f}" rx="2"/>'
    number, _, code = drawn.title.partition("  ")
    tail = f"  {escaped(code)}" if code else ""
    place = f'class="code" x="{x + _PAD + 2:.1f}" y="{y + _PAD + 9:.1f}"{_length(drawn.title, CODE)}'
    yield f'<text {place}><tspan class="number">{escaped(number)}</tspan>{tail}</text>'
    if box.kind != "line":
        yield _badge(box, x + size.width - _PAD, y + _PAD)
    for index, row in enumerate(drawn.rows):
        yield _text(row, x + _PAD + 2, y + _PAD + 9 + _HEAD - 3 + index * _ROW, "small")
    yield "</g>"
    top = y + 2 * _PAD + _HEAD - 6 + len(drawn.rows) * _ROW
    left = x + _PAD
    spare = size.width - sum(_part_size(*part).width for part in drawn.parts) - _PAD * (len(drawn.parts) + 1)
    for name, part in drawn.parts:
        own = _part_size(name, part)
        own = Size(own.width + spare / len(drawn.parts), y + size.height - _PAD - top)
        yield _rect(left, top, own, 5, "part")
        yield _text(_NAMES.get(name, name), left + 8, top + 13, "tiny")
        if not part.drawn:
            yield _text("unchanged", left + own.width / 2 - 28, top + own.height / 2 + 8, "tiny")
        inner = left + (own.width - part.layout.size.width) / 2, top + _PAD + 14
        yield from written(part, inner, depth + 1)
        left += own.width + _PAD


def _opening(drawn: Drawn) -> str:
    """The button that leads to the line, with what a screen reader says and a pointer shows."""
    box = drawn.box
    operations = ", ".join(_counted([*box.nodes, *box.condition]))
    code = drawn.title.partition("  ")[2]
    place = f"line {box.line + 1}" if box.line is not None else "no line"
    kind = f", {_WORDS[box.kind]}" if box.kind != "line" else ""
    label = f"{place}: {code}{kind}" + (f"; {operations}" if operations else "")
    data = f' data-line="{box.line}" data-file="{escaped(box.file)}"' if box.line is not None else ""
    return (
        f'<g class="line {box.kind}" tabindex="0" role="button"{data} aria-label="{escaped(label)}">'
        f"<title>{escaped(label)}</title>"
    )


def _badge(box: Box, right: float, top: float) -> str:
    text = _WORDS[box.kind] + (f" ×{box.times}" if box.times > 1 else "")
    across = width(text, TINY) + 12
    return (
        f'<rect class="badge" x="{right - across:.1f}" y="{top - 3:.1f}" width="{across:.1f}" height="15" rx="7"/>'
        f'<text class="badge-text" x="{right - across + 6:.1f}" y="{top + 8:.1f}"{_length(text, TINY)}>'
        f"{escaped(text)}</text>"
    )


def _edges(boxes: DrawnBoxes, at: Point) -> Iterator[str]:
    routes = {edge: [(at[0] + x, at[1] + y) for x, y in route] for edge, route in boxes.layout.routes.items()}
    _spread(routes, boxes)
    told: dict[tuple[int, str], list[list[Point]]] = defaultdict(list)
    for (source, target), points in sorted(routes.items()):
        yield f'<path class="edge" d="{_curve(points)}" marker-end="url(#arrow)"/>'
        texts = boxes.edges[source, target]
        told_by_box = boxes.drawn[source].box.kind == "argument" or boxes.drawn[target].box.kind == "result"
        if not told_by_box and (label := _label(texts)):
            told[source, label].append(points)
    starts: dict[int, int] = defaultdict(int)
    for (source, label), paths in told.items():
        x, y = paths[0][0]
        others = [points for (start, _), points in routes.items() if start == source and points not in paths]
        line = y + 13 + 12 * starts[source]
        starts[source] += 1
        yield _text(label, x - 5 - width(label, TINY) if _on_the_left(paths, others) else x + 5, line, "tiny halo")


def _on_the_left(paths: list[list[Point]], others: list[list[Point]]) -> bool:
    """True if a label is to the left of where its edges start: away from others there, or from a single edge."""
    leans = _lean(paths)
    return leans < _lean(others) if others else len(paths) == 1 and leans > 1


def _lean(paths: list[list[Point]]) -> float:
    """How far to the right edges lead on the average."""
    return sum(points[1][0] - points[0][0] for points in paths) / len(paths)


def _label(texts: list[str]) -> str:
    shown = ["TensorList" if text.startswith("variant") else text for text in texts]
    whole = ", ".join(shown)
    return whole if len(whole) <= _LONGEST_LABEL else f"{shown[0]} and {len(shown) - 1} more"


def _spread(routes: dict[tuple[int, int], list[Point]], boxes: DrawnBoxes) -> None:
    """Let edges end side by side on the box that they lead to."""
    arriving: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for edge in routes:
        arriving[edge[1]].append(edge)
    for target, edges in arriving.items():
        room = boxes.drawn[target].size.width * 0.6 / max(len(edges) - 1, 1)
        edges.sort(key=lambda edge: routes[edge][-2][0])
        for index, edge in enumerate(edges):
            x, y = routes[edge][-1]
            routes[edge][-1] = x + (index - (len(edges) - 1) / 2) * min(room, 16.0), y


def _curve(points: list[Point]) -> str:
    parts = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for index, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(points)):
        y1 = y1 - 5 if index == len(points) - 2 else y1
        if abs(x0 - x1) < 0.5 or index % 2:
            parts.append(f"L{x1:.1f},{y1:.1f}")
        else:
            bend = (y1 - y0) * 0.5
            parts.append(f"C{x0:.1f},{y0 + bend:.1f} {x1:.1f},{y1 - bend:.1f} {x1:.1f},{y1:.1f}")
    return " ".join(parts)


def _rect(x: float, y: float, size: Size, radius: int, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<rect{name} x="{x:.1f}" y="{y:.1f}" width="{size.width:.1f}" height="{size.height:.1f}" rx="{radius}"/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    size = TINY if kind.startswith("tiny") else SMALL
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{_length(text, size)}>{escaped(text)}</text>'


def _length(text: str, size: float) -> str:
    """The width that a text was measured to have, so that it fits whatever font there is."""
    return f' textLength="{width(text, size):.1f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
