"""The HTML pages of traces: whole, self-contained, escaped, and true to the report or the run."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from graphwright.agent import wire
from graphwright_server import pages
from graphwright_server.cli.main import main
from graphwright_server.pages.highlighting import highlighted
from graphwright_server.pages.parts import signature

SOURCE = '''import tensorflow as tf

@tf.function
def step(x, n):
    """<script>alert(1)</script>"""
    return x * n  # & more

step(tf.ones([2]), 1)
step(tf.ones([2]), 2)
'''
EVIL = "<script>alert(1)</script>"
VOID = {"meta"}


class Checking(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        given = dict(attrs)
        self.links += [str(given[name]) for name in ("href", "src") if name in given]
        self.anchors.add(str(given.get("id")))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(page: str) -> Checking:
    parser = Checking()
    parser.feed(page)
    assert parser.open == []
    assert "script" not in parser.seen and "link" not in parser.seen
    assert "@import" not in page and "url(" not in page
    assert all(link.startswith("#") and link[1:] in parser.anchors for link in parser.links), parser.links
    assert "default-src 'none'" in page and "prefers-color-scheme: dark" in page and "width=device-width" in page
    return parser


def trace(number: int, **changes: object) -> dict[str, object]:
    given: dict[str, object] = {
        "signature": f"step(x: float32[2], n: int {number})",
        "cause": f"`n` was int {number - 1} in trace {number - 1} and is int {number} now.",
        "remedy": f"Pass a tensor: `n=tf.constant({number})`.",
        "seconds": 0.5,
        "operations": 3,
        "avoidable": number > 1,
        "file": "",
        "line": 6 + number,
        "text": f"step(tf.ones([2]), {number})",
    }
    return {**given, **changes}


def run_of(file: Path, *traces: dict[str, object]) -> dict[str, object]:
    function = {
        "file": str(file),
        "line": 3,
        "name": "step",
        "calls": 40,
        "steady": {"calls": 38, "seconds": 0.38},
        "traced": len(traces) + 2,
        "traces": list(traces),
    }
    return {"python": "3.11.7", "tensorflow": "2.21.0", "program": EVIL, "started": "2026", "functions": [function]}


def test_a_run_is_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "train.py"
    file.write_text(SOURCE, "utf-8")
    run = run_of(file, trace(1, cause=EVIL, file=str(file)), trace(2, text=EVIL))
    (tmp_path / "run.json").write_text(json.dumps(run), "utf-8")
    assert main(["trace", str(tmp_path / "run.json"), "--html", str(tmp_path / "run.html")]) == 0
    page = (tmp_path / "run.html").read_text("utf-8")
    checked(page)
    assert EVIL not in page
    assert "n: <del>int 1</del> <mark>int 2</mark>" in page
    assert "<code>n=tf.constant(2)</code>" in page and "and 2 more" in page and "10 ms" in page
    assert "Wrote the page to" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{", '{"functions": 1}', '{"functions": [{}]}'])
def test_what_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str):
    (tmp_path / "run.json").write_text(text, "utf-8")
    assert main(["trace", str(tmp_path / "run.json"), "--html", str(tmp_path / "run.html")]) == 2
    assert "not a run recorded with GRAPHWRIGHT_TRACES" in capsys.readouterr().err


def test_a_run_needs_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["trace", "run.json"]) == 2
    assert "graphwright trace run.json --html report.html" in capsys.readouterr().err
    assert main(["trace", str(tmp_path / "missing.json"), "--html", "page.html"]) == 2


def test_a_report_is_a_page():
    graph = wire.ReportedGraph((wire.Operation("1", "Mul", "mul", 5, "/a.py"),), (wire.Count("Mul", 1),), 2000)
    report = wire.AgentReport(
        ok=True,
        function="step",
        file="/a.py",
        action=wire.TIME,
        error=wire.ReportedFailure(EVIL, EVIL, (wire.ReportedFrame("/a.py", 5, "step", EVIL),)),
        traces=(wire.ReportedTrace("step(x: float32[2], n=3)"), wire.ReportedTrace("step(x: float32[2], n: int32[])")),
        graph=graph,
        times=wire.Times((0.2, 0.2), (0.1, 0.1), 0.5),
        notes=(EVIL,),
        svg="<svg></svg>",
    )
    page = pages.page_of_report(report, SOURCE)
    checked(page)
    assert EVIL not in page
    assert '<tr class="graph"><td class="at">6</td>' in page and '<td class="made">Mul</td>' in page
    assert "n: <del>3</del> <mark>int32[]</mark>" in page
    assert [*re.findall(r"<h2>(\w+)</h2>", page)] == ["Traces", "Times", "Source", "Graph", "Operations"]


def test_only_what_changed_is_marked():
    before = "f(a: dict of 2 ('x': int 1, 'y': int 2), b: float32[2, 3])"
    now = "f(a: dict of 2 ('x': int 1, 'y': int 2), b: float32[4, 3], c: None)"
    marked = signature(now, before)
    assert "b: <del>float32[2, 3]</del> <mark>float32[4, 3]</mark>" in marked and "c: <mark>None</mark>" in marked
    assert marked.count("<mark>") == 2
    assert signature("plain <text>", "") == "plain &lt;text&gt;"


@pytest.mark.parametrize(
    "text", [SOURCE, "x = '''\na\n<b>\n'''\n", "def f(:\n  '", "f'{x}' + f\"a{1}\"\n", "\tif\n é = '<'\n"]
)
def test_highlighting_loses_no_letter(text: str):
    lines = highlighted(text)
    plain = [re.sub(r"</?span[^>]*>", "", line).replace("&lt;", "<").replace("&gt;", ">") for line in lines]
    plain = [line.replace("&quot;", '"').replace("&#x27;", "'").replace("&amp;", "&") for line in plain]
    assert plain == text.splitlines()
