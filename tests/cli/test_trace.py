"""`graphwright trace` as a user runs it: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from graphwright.agent import wire
from graphwright_server.cli.terminal import TerminalStyle
from graphwright_server.cli.trace_report import report_text

MODEL = """\
import tensorflow as tf


@tf.function
def step(x, n):
    if tf.reduce_sum(x) > 0.0:
        x = x * 2.0
    for i in tf.range(n):
        x += tf.cast(i, tf.float32)
    return x


@tf.function
def called(x):
    return tf.square(x)


called(tf.constant([1.0, 2.0]))


def differs(x):
    if x > 0.0:
        y = 1
    else:
        y = 2.0
    return y
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def trace(tmp_path: Path) -> Run:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "stand_in").mkdir()
    # A Python whose TensorFlow is no more than this starts at once.
    (tmp_path / "stand_in" / "tensorflow.py").write_text("__version__ = '0'\nfunction = lambda f: f\n")

    def run(*arguments: str, stand_in: bool = False) -> subprocess.CompletedProcess[str]:
        entries = [entry for entry in sys.path if entry]
        path = os.pathsep.join([str(tmp_path / "stand_in"), *entries] if stand_in else entries)
        environment = {**os.environ, "PYTHONPATH": path, "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [sys.executable, "-m", "graphwright_server", "trace", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    return run


@pytest.mark.truth
def test_a_trace_with_its_picture(trace: Run, tmp_path: Path) -> None:
    spec = "x=tf.TensorSpec([None, 3]), n=tf.TensorSpec([], tf.int32)"
    done = trace("model.py::step", "--spec", spec, "--svg", "step.svg")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("model.py::step  TensorFlow 2.")
    assert "step(x: float32[?, 3], n: int32[])" in lines
    assert any(line.startswith("traced in ") and "operations" in line for line in lines)
    branch, loop = (next(line for line in lines if line.strip().startswith(number)) for number in ("6 ", "8 "))
    assert branch.split("  ", 3)[-1].split() == ["if", "tf.reduce_sum(x)", ">", "0.0:", "branch", "Sum,", "Greater"]
    assert " loop " in loop
    assert lines[-1] == "Wrote the picture to step.svg."
    root = ET.fromstring((tmp_path / "step.svg").read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {each.get("data-line") for each in root.iter() if each.get("role") == "button"} == {"5", "6", "7", "8"}


@pytest.mark.truth
@pytest.mark.parametrize("option", ["--time", "--run"])
def test_a_picture_of_what_is_timed_or_run(trace: Run, tmp_path: Path, option: str) -> None:
    done = trace("model.py::called", option, "--svg", "called.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Wrote the picture to called.svg."
    assert "Square" in (tmp_path / "called.svg").read_text("utf-8")
    assert ("first call" in done.stdout) == (option == "--time")


@pytest.mark.parametrize(
    ("eager", "graph", "first", "said"),
    [
        (0.09, 0.0006, 0.111, "The graph is 150.0 times as fast; tracing pays off after 1 call."),
        (0.004, 0.003, 1.233, "The graph is 1.3 times as fast; tracing pays off after 1,230 calls."),
        (0.001, 0.00098, 0.05, "The graph is as fast as eager code."),
        (0.0001, 0.0125, 0.05, "The graph is 125.0 times slower than eager code."),
        (0.0, 0.0, 0.0, "The graph is as fast as eager code."),
    ],
)
def test_times_are_compared(eager: float, graph: float, first: float, said: str) -> None:
    times = wire.Times((eager, eager), (graph, graph), first)
    report = wire.AgentReport(ok=True, function="step", file="/a.py", action=wire.TIME, times=times)
    assert report_text(report, "", "", TerminalStyle(colour=False)).splitlines()[-1] == said


@pytest.mark.truth
def test_specs_that_the_code_tells_and_json(trace: Run) -> None:
    done = trace("model.py::called", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["traces"][0]["signature"] == "called(x: float32[2])"
    assert report["svg"].startswith("<svg")
    assert {node["op"] for node in report["graph"]["nodes"]} >= {"Square"}


@pytest.mark.truth
@pytest.mark.parametrize(
    ("code", "is_noted"), [("step(1 / 0)", True), ("raise ImportError('x')", False), ("import nowhere", False)]
)
def test_an_error_while_importing_is_told_as_such(trace: Run, tmp_path: Path, code: str, is_noted: bool) -> None:
    (tmp_path / "script.py").write_text(f"import tensorflow as tf\n\ndef step(x):\n    return x\n\n{code}\n")
    done = trace("script.py::step", "--spec", "x=1", stand_in=True)
    assert done.returncode == 1
    assert "script.py:6 in <module>" in done.stdout
    note = "script.py raised this while it was imported. Put calls that it should make only as a script under "
    assert (note + 'if __name__ == "__main__":' in done.stdout.replace("`", "")) == is_noted


@pytest.mark.truth
def test_an_error_of_the_code(trace: Run) -> None:
    done = trace("model.py::differs", "--spec", "x=tf.constant(1.0)")
    assert done.returncode == 1
    assert "TypeError: 'y' has dtype int32 in the main branch, but dtype float32 in the else branch" in done.stdout
    assert "model.py:22 in differs" in done.stdout
    assert "      if x > 0.0:" in done.stdout


@pytest.mark.truth
def test_times(trace: Run) -> None:
    done = trace("model.py::called", "--time")
    assert done.returncode == 0, done.stderr
    assert "first call" in done.stdout and "median of" in done.stdout
    assert "x: float32[2] filled with random numbers." in done.stdout


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("model.py", "name a function: model.py::NAME, where NAME is one of step, called, differs"),
        ("missing.py::f", "missing.py: no such file"),
        ("model.py:step", "model.py:step: no such file; write model.py::step for a function in a file"),
        (
            "model.py::step",
            "missing --spec: step requires x, n; for example\n  graphwright trace model.py::step --spec '",
        ),
    ],
)
def test_refusals_run_nothing(trace: Run, tmp_path: Path, target: str, message: str) -> None:
    (tmp_path / "model.py").write_text("open('ran', 'w')\n" + MODEL)
    done = trace(target)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.truth
def test_limits_and_other_options(trace: Run, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import time\ndef slow():\n    print('sleeping')\n    time.sleep(60)\n")
    done = trace("model.py::slow", "--run", "--timeout", "1", stand_in=True)
    assert done.returncode == 1
    assert "Timeout: It took longer than the limit of 1 s" in done.stdout
    assert "model.py:4 in slow" in done.stdout
    assert done.stderr == "sleeping\n"
    done = trace("model.py::slow", "--run", "--python", "/no/such/python")
    assert done.returncode == 2
    assert "error: /no/such/python can't be started: No such file or directory." in done.stdout


def test_help(trace: Run) -> None:
    done = trace("--help")
    assert done.returncode == 0
    for option in ("--spec", "--svg", "--time", "--run", "--json", "--timeout", "--memory", "--python", "exit codes"):
        assert option in done.stdout
