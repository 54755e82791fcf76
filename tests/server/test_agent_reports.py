"""Reports as code could forge them: what doesn't fit the schema is refused with its place, what fits is harmless."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections.abc import Callable
from typing import Any, cast

import pytest
from graphwright.agent import wire
from graphwright_server import pictures
from graphwright_server.agent_reports import LONGEST_TEXT, MOST_ITEMS, Refused, checked, cleaned, report_of

REQUEST = wire.AgentRequest("/code.py", "step", "x=1", wire.TRACE)
NODES = (
    wire.Operation("x", "Placeholder", "x", 3, "/code.py", detail="argument", outputs=("float32[]",)),
    wire.Operation("if", "StatelessIf", "cond", 4, "/code.py", inputs=("x",), ports=(0,)),
    wire.Operation("if/then/1", "Mul", "mul", 5, "/code.py", parent="if", branch="then"),
)
REPORT = wire.AgentReport(
    True,
    "step",
    "/code.py",
    wire.TRACE,
    wire.ReportedEnvironment("3.11", "2.21", "/python"),
    1,
    traces=(wire.ReportedTrace("step(x)", "The first call.", 0.5, 3, 1),),
    graph=wire.ReportedGraph(NODES, (wire.Count("Mul", 1),), 100),
    times=wire.Times((1.0, 2), (0.5,), 3.0),
    result=wire.ReportedResult("text", "float32[]"),
    notes=("note",),
)
FAILED = dataclasses.replace(
    REPORT, ok=False, error=wire.ReportedFailure("ValueError", "no", (wire.ReportedFrame("/code.py", 1, "step"),))
)


def sent(report: wire.AgentReport) -> Any:
    return json.loads(json.dumps(wire.as_json(report)))


@pytest.mark.parametrize("report", [REPORT, FAILED])
def test_an_honest_report_is_read_as_it_was_sent(report: wire.AgentReport) -> None:
    assert report_of(sent(report), REQUEST) == report


Change = Callable[[Any], Any]


def put(*path: Any) -> Change:
    """Put a value to a place in a report, or in the place of it."""
    *steps, last, value = path if path[0] == "report" else ("report", *path)

    def change(report: Any) -> Any:
        whole: Any = {"report": report}
        at = whole
        for step in steps:
            at = at[step]
        at[last] = value
        return whole["report"]

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("report", None), "the report isn't a AgentReport"),
        (put("report", [1]), "the report isn't"),
        (put("report", {}), "unknown or missing fields"),
        (put("report", "more", 1), "unknown or missing fields"),
        (put("ok", 1), "ok isn't true or false"),
        (put("ok", False), "ok and error contradict"),
        (put("function", ["step"]), "function isn't a text"),
        (put("action", "fly"), "action isn't one of trace, time, run"),
        (put("seconds", "1"), "seconds isn't a number"),
        (put("seconds", True), "seconds isn't a number"),
        (put("seconds", float("nan")), "a number in range"),
        (put("seconds", 10**400), "a number in range"),
        (put("environment", "python", 3.11), "environment.python isn't a text"),
        (put("traces", {"0": 1}), "traces isn't a list"),
        (put("traces", 0, "operations", 1.5), "traces[0].operations isn't a whole number"),
        (put("traces", 0, "line", 10**30), "traces[0].line isn't a whole number"),
        (put("graph", "nodes", 1, "id", "x"), "the same id"),
        (put("graph", "nodes", 0, "parent", "if/then/1"), None),
        (put("graph", "nodes", 1, "parent", "if/then/1"), "belongs to an unknown one"),
        (put("graph", "nodes", 1, "parent", "nowhere"), "belongs to an unknown one"),
        (put("graph", "nodes", 1, "ports", ["0"]), "graph.nodes[1].ports[0] isn't a whole number"),
        (put("times", "eager", ["fast"]), "times.eager[0] isn't a number"),
        (put("result", "text"), "result isn't"),
        (put("notes", [""] * (MOST_ITEMS + 1)), "more than 200,000"),
        (put("error", {"type": "x"}), "error has unknown or missing fields"),
    ],
)
def test_what_does_not_fit_is_refused(change: Change, words: str | None) -> None:
    forged = change(sent(REPORT))
    if words is None:
        assert report_of(forged, REQUEST).ok
        return
    with pytest.raises(Refused) as caught:
        report_of(forged, REQUEST)
    assert words in str(caught.value)


def test_a_report_is_about_what_was_asked_for_and_holds_no_picture_of_its_own() -> None:
    forged = dataclasses.replace(
        REPORT, file="/etc/passwd", function="other", action=wire.RUN, svg="<script>", output="x"
    )
    assert report_of(sent(forged), REQUEST) == REPORT


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", "ab"),
        ("\x1bPq#0\x1b\\c\x1b^d", "c"),
        ("\x9b2Jx\x85y\x7f", "xy"),
        ("\x1b(Bx\x1b7y\x1b", "xy"),
        ("ab\b\b\r\x00", "ab"),
        ("user\u202egpj.exe\u2066", "usergpj.exe"),
        ("日本語 é 🙂", "日本語 é 🙂"),
        ("\ud800", ""),
    ],
)
def test_control_sequences_are_removed_wherever_they_are(text: str, plain: str) -> None:
    assert cleaned(text) == plain
    report = report_of(sent(dataclasses.replace(REPORT, notes=(text,))), REQUEST)
    assert report.notes == (plain,)


def test_long_texts_are_cut() -> None:
    report = report_of(sent(dataclasses.replace(REPORT, notes=("x" * (LONGEST_TEXT + 1),))), REQUEST)
    assert report.notes[0].endswith("x ... (cut)")
    assert len(report.notes[0]) < LONGEST_TEXT + 20


def change_somewhere(at: Any, draw: random.Random, odd: list[Any]) -> None:
    while at:
        keys: list[Any] = [*cast("dict[str, Any]", at)] if isinstance(at, dict) else [*range(len(at))]
        key = draw.choice(keys)
        if draw.random() < 0.4 or not isinstance(at[key], (dict, list)) or not at[key]:
            at[key] = draw.choice(odd)
            return
        at = cast("Any", at[key])


def test_any_forged_report_is_refused_or_can_be_shown() -> None:
    """What random changes leave is drawn and written out."""
    draw, taken = random.Random(7), 0
    odd: list[Any] = [None, True, -1, 1.5, "", "x", [], {}, [[]], 10**18, float("inf"), "\x1b[2J", "if", "x" * 300]
    for _ in range(2000):
        forged = copy.deepcopy(sent(draw.choice((REPORT, FAILED))))
        for _ in range(draw.randrange(1, 4)):
            change_somewhere(forged, draw, odd)
        try:
            report = report_of(forged, REQUEST)
        except Refused:
            continue
        taken += 1
        assert "\x1b" not in json.dumps(wire.as_json(report), ensure_ascii=False, allow_nan=False)
        assert pictures.picture_of(report, {"/code.py": "x\n" * 5}) is not None
    assert taken > 100


def test_whereabouts_are_read_like_reports() -> None:
    where = wire.Whereabouts((wire.ReportedFrame("/code.py", 1, "step"),), "stack")
    assert checked(json.loads(json.dumps(dataclasses.asdict(where))), wire.Whereabouts) == where
    with pytest.raises(Refused, match=r"frames\[0\] has unknown or missing fields"):
        checked({"frames": [{}], "stack": ""}, wire.Whereabouts)
