"""What takes too many steps is named by every report, and is no finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from graphwright_analysis.tracing.driver import budgets
from graphwright_server.cli.main import main

LONG = "".join(f"    rows = [{n}, {n}, ({n}, {n}), [{n}, {n}]]\n" for n in range(80))
TEXT = f"import tensorflow as tf\n\n\ndef main():\n    rows = tf.function(lambda x: x)\n{LONG}\n"
MESSAGE = "`main` is analyzed only up to line {}: it takes too many steps"


@pytest.fixture
def cut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(budgets, "STEPS", 400)
    (folder / "train.py").write_text(TEXT)
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments, "train.py"]) == 0
    return capsys.readouterr().out


def reached(message: str) -> int:
    line = int(message.partition(" line ")[2].partition(":")[0])
    assert 10 < line < len(TEXT.splitlines())
    return line


def test_the_text_report_ends_with_it(cut: Path, capsys: pytest.CaptureFixture[str]):
    for _ in range(2):  # the second time it comes from the cache
        first, last = printed(capsys, "check").splitlines()
        assert first == "No problems in 1 file."
        assert last == f"train.py:4: {MESSAGE.format(reached(last))}."
    assert printed(capsys, "check", "--quiet") == ""


def test_only_some_are_named(cut: Path, capsys: pytest.CaptureFixture[str]):
    more = "".join(TEXT.replace("main", f"main_{n}").partition("\n\n\n")[2] for n in range(4))
    (cut / "train.py").write_text(TEXT + more)
    last = printed(capsys, "check").splitlines()[-1]
    assert last.endswith("; 3 more (`graphwright coverage` lists them).") and last.count("is analyzed") == 2


@pytest.mark.parametrize(("form", "nothing"), [("json", "[]\n"), ("github", "")])
def test_where_findings_are_listed_it_is_told_beside_them(
    cut: Path, capsys: pytest.CaptureFixture[str], form: str, nothing: str
):
    assert main(["check", "--format", form, "train.py"]) == 0
    told = capsys.readouterr()
    assert told.out == nothing
    assert told.err == f"graphwright: train.py:4: {MESSAGE.format(reached(told.err))}.\n"
    assert main(["check", "--format", form, "--quiet", "train.py"]) == 0
    assert "followed" not in capsys.readouterr().err


def test_sarif_has_it_as_a_note(cut: Path, capsys: pytest.CaptureFixture[str]):
    (run,) = json.loads(printed(capsys, "check", "--format", "sarif"))["runs"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (run["results"], note["level"]) == ([], "note")
    assert note["message"]["text"] == f"{MESSAGE.format(reached(note['message']['text']))}."
    assert note["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}


def test_coverage_lists_it(cut: Path, capsys: pytest.CaptureFixture[str]):
    line = printed(capsys, "coverage").splitlines()[0]
    assert line == f"train.py:4: {MESSAGE.format(reached(line))}"
    (entry,) = json.loads(printed(capsys, "coverage", "--format", "json"))["cut"]
    assert (entry["file"], entry["line"], entry["name"]) == ("train.py", 4, "main")


def test_what_another_file_calls_is_followed_there(cut: Path, capsys: pytest.CaptureFixture[str]):
    """Of its arguments something is known there, so it needn't be supposed."""
    text = TEXT.replace("def main():", "def main(rows, long):\n    if not long: return rows")
    (cut / "train.py").write_text(text)
    (cut / "run.py").write_text("import tensorflow as tf\nfrom train import main\n\nmain(tf.function(abs), False)\n")
    assert main(["check", "."]) == 0
    assert "is analyzed" not in capsys.readouterr().out


def test_a_cell_is_named(cut: Path, capsys: pytest.CaptureFixture[str]):
    cells = [{"cell_type": "code", "source": text, "outputs": [], "metadata": {}} for text in ("import math\n", TEXT)]
    (cut / "train.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert main(["check", "train.ipynb"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "train.ipynb:cell 2:4: `main` is analyzed only in part: it takes too many steps."
