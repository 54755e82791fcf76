"""The picture of a graph: valid SVG without scripts, whose boxes hold their texts and don't overlap."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace

import pytest
from graphwright.agent.wire import AgentReport, Count, Operation, ReportedGraph, ReportedTrace
from graphwright_server.graph_lines import by_line, counted, without_constants
from graphwright_server.pictures import picture_of
from graphwright_server.pictures.layout import Size, arranged
from graphwright_server.pictures.texts import broken, columns, cut, escaped

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = """\
def step(x, n):
    y = x * 2.0 & "<b>"
    if y > 0:
        y = y + 1
    for i in n:
        y = y @ y
    return y
"""
FILE = "/project/model.py"


def node(name: str, op: str, line: int | None, *inputs: str, **fields: object) -> Operation:
    parent = str(fields.pop("parent", "")) or None
    prefix = f"{parent}/{fields.get('branch')}:" if parent else ""
    ids = tuple(prefix + each for each in inputs)
    shape = str(fields.pop("shape", "float32[?, 3]"))
    file = FILE if line is not None else ""
    return Operation(prefix + name, op, name, line, file, "", ids, (), shape, parent, outputs=(shape,), **fields)  # type: ignore[arg-type]


NODES = (
    node("x", "Placeholder", None, detail="argument"),
    node("w", "Placeholder", None, detail="captured", shape="resource[]"),
    node("mul/y", "Const", 1),
    node("mul", "Mul", 1, "x", "mul/y"),
    node("Greater", "Greater", 2, "mul", shape="bool[]"),
    node("cond", "StatelessIf", 2, "Greater", "mul"),
    node("add", "AddV2", 3, parent="cond", branch="then"),
    node("Identity", "Identity", 3, "add", parent="cond", branch="then"),
    node("Identity", "Identity", 2, parent="cond", branch="else"),
    node("while", "While", 4, "cond"),
    node("Less", "Less", 4, parent="while", branch="condition"),
    node("next", "AddV2", 4, parent="while", branch="body"),
    node("MatMul", "MatMul", 5, parent="while", branch="body"),
    node("out", "Identity", None, "while", detail="result"),
)


def report_of(nodes: tuple[Operation, ...]) -> AgentReport:
    graph = ReportedGraph(nodes, (Count("Mul", len(nodes)),), 1234)
    return AgentReport(True, "step", FILE, "trace", traces=(ReportedTrace("step(x: float32[?, 3])"),), graph=graph)


def parsed(report: AgentReport, source: str = SOURCE) -> ET.Element:
    return ET.fromstring(picture_of(report, {FILE: source}))


def buttons(picture: ET.Element) -> Iterator[ET.Element]:
    return (each for each in picture.iter(f"{SVG}g") if each.get("role") == "button")


def test_a_button_for_each_line() -> None:
    found = {(each.get("data-line"), each.get("class")): each for each in buttons(parsed(report_of(NODES)))}
    assert [*found] == [
        ("1", "line line"),
        ("2", "line branch"),
        ("3", "line line"),
        ("4", "line loop"),
        ("5", "line line"),
    ]
    assert all(each.get("tabindex") == "0" and each.get("data-file") == FILE for each in found.values())
    first = found["1", "line line"]
    assert first.get("aria-label") == 'line 2: y = x * 2.0 & "<b>"; Mul'
    assert first.findtext(f"{SVG}title") == first.get("aria-label")
    assert "Greater" in str(found["2", "line branch"].get("aria-label"))
    assert "AddV2, Less" in str(found["4", "line loop"].get("aria-label"))


def test_what_flows_is_told() -> None:
    texts = ["".join(each.itertext()) for each in parsed(report_of(NODES)).iter(f"{SVG}text")]
    assert "x: float32[?, 3]" in texts
    assert "returns float32[?, 3]" in texts
    assert "14 operations, 1.2 kB, 1 variable from outside" in texts
    assert "unchanged" in texts
    assert "while Less" in texts


@pytest.mark.parametrize("labelled_first", [True, False])
def test_a_label_is_next_to_its_own_edge(*, labelled_first: bool) -> None:
    """The box returns a scalar, which the result says, and passes a vector on, which the label says."""
    later = node("later", "Neg", 3, "inner"), node("out", "Identity", None, "mean", detail="result", shape="float32[]")
    nodes = (
        node("x", "Placeholder", None, detail="argument"),
        node("inner", "Square", 1, "x", shape="float32[8]"),
        node("mean", "Mean", 1, "inner", shape="float32[]"),
        *(later if labelled_first else later[::-1]),
    )
    root = parsed(report_of(nodes))
    (label,) = (each for each in root.iter(f"{SVG}text") if each.text == "float32[8]")
    middle = float(label.attrib["x"]) + float(label.attrib["textLength"]) / 2
    paths = [each.attrib["d"].split() for each in root.iter(f"{SVG}path") if each.get("class") == "edge"]
    own, other = (path for path in paths if sum(path[0] == each[0] for each in paths) == 2)
    if len(own) > len(other):
        own, other = other, own  # the box of line 3 is nearer than the result
    start, to_own, to_other = (float(point.strip("MC").split(",")[0]) for point in (own[0], own[3], other[3]))
    assert (middle < start) == (to_own < to_other)


def test_nothing_in_it_is_active() -> None:
    svg = picture_of(report_of(NODES), {FILE: SOURCE})
    assert not {"script", "foreignObject", "image", "use", "a"} & {
        each.tag.removeprefix(SVG) for each in ET.fromstring(svg).iter()
    }
    assert "javascript:" not in svg
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_without_a_graph_there_is_none() -> None:
    assert picture_of(replace(report_of(NODES), graph=None), {}) == ""


def test_an_empty_graph_and_missing_sources() -> None:
    parsed(report_of(()))
    picture = parsed(report_of(NODES), source="")
    assert len([*buttons(picture)]) == 5


def test_texts_that_xml_cant_hold() -> None:
    source = "\n".join(["", "y = '\x00\x1b[31m\ud800 ]]> <!-- \u202e 日本語 🎉'"])
    assert "日本語" in picture_of(report_of(NODES), {FILE: source})
    parsed(report_of(NODES), source)


@pytest.mark.parametrize("seed", range(40))
def test_boxes_never_overlap(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(1, 40)
    sizes = [Size(draw.uniform(40, 420), draw.uniform(20, 300)) for _ in range(count)]
    edges = [(draw.randrange(count), draw.randrange(count)) for _ in range(draw.randint(0, 2 * count))]
    layout = arranged(sizes, edges, last=draw.randint(0, min(count, 2)))
    boxes = [(x, y, x + size.width, y + size.height) for (x, y), size in zip(layout.places, sizes, strict=True)]
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert (
            left >= -0.01 and right <= layout.size.width + 0.01 and top >= -0.01 and bottom <= layout.size.height + 0.01
        )
        for other in boxes[index + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    for (source, target), route in layout.routes.items():
        assert source < target
        assert route[0][1] == pytest.approx(boxes[source][3])
        assert route[-1][1] == pytest.approx(boxes[target][1])
        assert [point[1] for point in route] == sorted(point[1] for point in route)


@pytest.mark.parametrize("seed", range(30))
def test_any_graph_has_a_picture(seed: int) -> None:
    draw = random.Random(seed)
    parsed(report_of(tuple(some_nodes(draw))))


def some_nodes(draw: random.Random) -> Iterator[Operation]:
    parents: list[tuple[str, str]] = [("", "")]
    for index in range(draw.randint(1, 80)):
        parent, branch = draw.choice(parents)
        op = draw.choice(["Mul", "Const", "Identity", "Placeholder", "StatelessIf", "While", "PartitionedCall", "Case"])
        inputs = [f"n{draw.randrange(80)}" for _ in range(draw.randint(0, 3))]
        line = draw.choice([None, *range(8)])
        made = node(
            f"n{index}", op, line, *inputs, parent=parent, branch=branch, detail=draw.choice(["", "", "result"])
        )
        yield made
        if op in ("StatelessIf", "While", "PartitionedCall", "Case"):
            parents += [(made.id, name) for name in ("then", "else", "condition", "body")[: draw.randint(1, 4)]]


def test_lines_of_a_graph() -> None:
    lines = {line.line: line for line in by_line(ReportedGraph(NODES)).values()}
    assert [(number, line.control) for number, line in lines.items()] == [
        (1, ""),
        (2, "branch"),
        (3, ""),
        (4, "loop"),
        (5, ""),
    ]
    assert counted(without_constants(lines[1].nodes)) == "Mul"
    assert counted(lines[1].operations) == "Mul, Const"


def test_texts_are_cut_and_broken_by_columns() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"
    assert columns("日本") == 4
    assert columns(cut("日本語日本語", 7)) <= 7
    assert broken(["a" * 10, "b" * 10, "c" * 10], 22, 3) == ["a" * 10 + ", " + "b" * 10 + ",", "c" * 10]
    assert broken([str(number) * 10 for number in range(9)], 12, 2) == ["0" * 10 + ",", "and 8 more kinds"]
    assert escaped('<a & "b">\x00') == "&lt;a &amp; &quot;b&quot;&gt;"
