"""The report of one line per finding, call paths that are printed once, and what counts for the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_server.cli.main import main

HELPERS = """\
import tensorflow as tf


def clip(x):
    if tf.reduce_sum(x) > 0:
        y = x
    return y


def halve(x):
    if tf.size(x):
        return 0.5
    else:
        return 1.5


def both(x):
    return clip(x) + halve(x)
"""

TRAIN = """\
import tensorflow as tf
from helpers import both


@tf.function
def step(x: tf.Tensor):
    return both(x)


step(tf.ones([3]))
"""


@pytest.fixture
def called(folder: Path) -> Path:
    """A folder with two findings in one file that a call in another one leads to."""
    (folder / "helpers.py").write_text(HELPERS)
    (folder / "train.py").write_text(TRAIN)
    return folder


def test_one_line_per_finding(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--format", "concise"]) == 1
    finding, summary = capsys.readouterr().out.splitlines()
    assert finding.startswith("a.py:6:8: error[undefined-in-branch] `y` is bound only if")
    assert summary == "Found 1 error in 1 file."
    assert main(["check", "--format", "concise", "-q"]) == 1
    assert capsys.readouterr().out.splitlines() == [finding]


def test_a_call_path_is_printed_once_for_its_outermost_call(called: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--format", "concise", "-q"]) == 1
    first, path, second = capsys.readouterr().out.splitlines()
    assert first.startswith("helpers.py:5:8: error[undefined-in-branch]")
    assert path == "    called from train.py:10:1 -> train.py:7:12 -> helpers.py:18:12"
    assert second.startswith("helpers.py:11:8: error[condition-not-bool-scalar]")


def test_the_full_report_shows_each_call_once(called: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check"]) == 1
    output = capsys.readouterr().out
    for call in ("`step` is called here", "`both` is called here", "`clip` is called here", "`halve` is called here"):
        assert output.count(call) == 1
    assert output.count("   = called from train.py:10:1, as shown above\n") == 1


@pytest.mark.parametrize(
    ("severity", "least", "code"),
    [
        ("error", "error", 1),
        ("warning", "error", 0),
        ("warning", "warning", 1),
        ("information", "warning", 0),
        ("information", "information", 1),
        ("hint", "information", 0),
        ("hint", "hint", 1),
    ],
)
def test_the_least_severity_that_fails(
    severity: str, least: str, code: int, folder: Path, bad: str, capsys: pytest.CaptureFixture[str]
):
    (folder / "pyproject.toml").write_text(f"[tool.graphwright.severity]\nundefined-in-branch = '{severity}'\n")
    (folder / "a.py").write_text(bad)
    assert main(["check", "--min-severity", least]) == code
    assert f"{severity}[undefined-in-branch]" in capsys.readouterr().out
