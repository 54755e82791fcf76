"""The text report by itself: underlines that stand under what they mean, whatever the line holds."""

from __future__ import annotations

import pytest
from graphwright_analysis import Diagnostic, Fix, LineIndex, Range, Related, Severity
from graphwright_server.cli import text_report
from graphwright_server.cli.findings import CheckedFile, CheckRun
from graphwright_server.cli.terminal import TerminalStyle
from graphwright_server.cli.text_report import render, summary


def test_wide_characters_and_tabs_keep_the_underline_in_place():
    assert rendered("\tx = '日本🎉' + bad\n", "bad") == [
        "a.py:1:14: error[some-rule] It fails.",
        "  |",
        "1 |     x = '日本🎉' + bad",
        "  |                    ^^^",
    ]


def test_combining_characters_take_no_column():
    assert rendered("e\u0301 + bad\n", "bad")[-1] == "  |     ^^^"


def test_an_empty_range_is_still_marked():
    finding = diagnostic(Range(0, 0))
    assert render(file("x\n", finding), finding, TerminalStyle(False), nothing).splitlines()[-1] == "  | ^"


def test_an_offset_at_the_very_end():
    finding = diagnostic(Range(2, 2))
    assert render(file("x\n", finding), finding, TerminalStyle(False), nothing).splitlines()[-1] == "  | ^"


def test_a_range_of_many_lines_is_cut():
    text = "if x:\n    a\n    b\n    c\n    d\n"
    finding = diagnostic(Range(0, len(text) - 1))
    assert render(file(text, finding), finding, TerminalStyle(False), nothing).splitlines()[1:] == [
        "  |",
        "1 | if x:",
        "  | ^^^^^",
        "...",
        "5 |     d",
        "  |     ^",
    ]


def test_a_long_line_is_cut_around_the_range():
    text = "x = " + "1 + " * 500 + "bad" + " + 1" * 500
    lines = rendered(text, "bad")
    assert max(len(line) for line in lines) < 160
    start = lines[-1].index("^")
    assert lines[-2][start : start + 3] == "bad"
    assert lines[-1].count("^") == 3


def test_control_characters_cannot_steer_the_terminal():
    lines = rendered("x = '\x1b[31m' + bad\n", "bad")
    assert not any("\x1b" in line for line in lines)
    start = lines[-1].index("^")
    assert lines[-2][start : start + 3] == "bad"


def test_related_places_and_the_fix_follow():
    text = "good\nbad\n"
    finding = diagnostic(Range(5, 8), related=(Related(Range(0, 4), "seen here"),), fixes=(Fix("Drop it", (), True),))
    assert render(file(text, finding), finding, TerminalStyle(False), nothing).splitlines()[1:] == [
        "  |",
        "2 | bad",
        "  | ^^^",
        "  |",
        "1 | good",
        "  | ---- seen here",
        "help: Drop it",
    ]


def test_a_related_place_in_another_file_is_named():
    finding = diagnostic(Range(0, 1), related=(Related(Range(2, 3), "made here", "/b.py"),))
    output = render(file("x\n", finding), finding, TerminalStyle(False), lambda path: ("b.py", LineIndex("a\nb\n")))
    assert "--> b.py:2:1" in output
    assert "2 | b" in output


def test_the_summary_counts():
    finding, other = diagnostic(Range(0, 1)), diagnostic(Range(0, 1), severity=Severity.WARNING)
    files = [file("x\n", finding, finding, other), file("x\n")]
    assert summary(CheckRun(files)) == "Found 2 errors and 1 warning in 1 of 2 files."
    assert summary(CheckRun(files[1:])) == "No problems in 1 file."


def rendered(text: str, marked: str) -> list[str]:
    start = text.index(marked)
    finding = diagnostic(Range(start, start + len(marked)))
    return render(file(text, finding), finding, TerminalStyle(False), nothing).splitlines()


def diagnostic(place: Range, severity: Severity = Severity.ERROR, **more: object) -> Diagnostic:
    return Diagnostic("some-rule", "some", severity, place, "It fails.", **more)  # type: ignore[arg-type]


def file(text: str, *diagnostics: Diagnostic) -> CheckedFile:
    return CheckedFile("/a.py", "a.py", text, diagnostics)


def nothing(path: str) -> None:
    return None


def test_a_line_with_many_findings_is_measured_once(monkeypatch: pytest.MonkeyPatch):
    measured: list[str] = []
    cells = text_report.cells
    monkeypatch.setattr(text_report, "cells", lambda text: (measured.append(text), cells(text))[1])
    text = "; ".join(f"name{number:03} = {number}" for number in range(999))
    found = tuple(Diagnostic("a-rule", "a", Severity.ERROR, Range(start, start + 7), "m") for start in range(0, 900, 3))
    file = CheckedFile("a.py", "a.py", text, found)
    for diagnostic in found:
        assert "^^^^^^^" in render(file, diagnostic, TerminalStyle(False), lambda path: None)
    assert measured == [text]
