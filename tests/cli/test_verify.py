"""`graphwright verify` as a user runs it: what it prints, with which exit code, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MODEL = """\
import os

import tensorflow as tf

calls = 0


def agrees(x: tf.Tensor, n: tf.Tensor):
    for _ in tf.range(n):
        x = x * 2
    return x


def counted(x):
    global calls
    calls += 1
    return {"x": x * calls}


def reads(x):
    return x.numpy()


def hangs(x):
    while tf.inside_function():
        pass
    return x


def dies(x):
    if tf.inside_function():
        os._exit(3)
    return x
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def verify(tmp_path: Path) -> Run:
    (tmp_path / "model.py").write_text(MODEL)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [sys.executable, "-m", "graphwright_server", "verify", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240, check=False
        )

    return run


@pytest.mark.truth
def test_equal_ways(verify: Run) -> None:
    done = verify("model.py::agrees", "--spec", "x=tf.TensorSpec([None]), n=tf.TensorSpec([], tf.int32)", "--gradients")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[0].startswith("model.py::agrees  TensorFlow 2.")
    assert [line.split() for line in lines[2:5]] == [
        ["tf.function", "equal"],
        ["gw.function", "equal"],
        lines[4].split(),
    ]
    assert lines[-2:] == [
        "x: float32[2] filled with random numbers, size 2 for each None.",
        "n: int32[] filled with ones.",
    ]


@pytest.mark.truth
def test_a_difference_with_its_line(verify: Run) -> None:
    done = verify("model.py::counted", "--spec", "x=tf.constant(2.0)", "--ways", "tf.function,xla")
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[2:] == [
        "tf.function  differs       result['x']: 4.0 eager, 2.0 tf.function (call 2)",
        "                           first on line 16: calls += 1",
        "                               calls: 2 eager, 1 tf.function",
        "XLA          differs       result['x']: 4.0 eager, 2.0 XLA (call 2)",
        "                           first on line 16: calls += 1",
        "                               calls: 2 eager, 1 XLA",
    ]


@pytest.mark.truth
def test_json_and_ways_that_have_to_run(verify: Run) -> None:
    done = verify("model.py::reads", "--spec", "x=tf.constant(2.0)", "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["file"], report["function"], report["arguments"]) == ("model.py", "reads", "x=tf.constant(2.0)")
    assert [way["way"] for way in report["ways"]] == ["eager", "tf.function", "gw.function", "XLA", "ejected"]
    graph = report["ways"][1]
    assert (graph["agreement"], graph["file"], graph["line"]) == ("can't run", "model.py", 21)
    assert graph["reason"].startswith("AttributeError: ")
    done = verify("model.py::reads", "--spec", "x=tf.constant(2.0)", "--ways", "gw.function")
    assert done.returncode == 1
    assert "(line 21)" in done.stdout


@pytest.mark.truth
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "reason"), [("hangs", "It took longer than the limit of 4 s"), ("dies", "Python exited")]
)
def test_a_way_that_ends_the_process_costs_only_itself(verify: Run, name: str, reason: str) -> None:
    options = ("--spec", "x=tf.constant(2.0)", "--ways", "gw.function,ejected", "--timeout", "4")
    done = verify(f"model.py::{name}", *options)
    lines = done.stdout.splitlines()[2:]
    assert lines[0].startswith(f"gw.function  can't run     {reason}")
    # Ejecting with arguments traces the function as well.
    assert lines[1].startswith(f"ejected      can't run     {reason}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.py"], "name a function: model.py::NAME, where NAME is one of agrees, counted, reads, hangs, dies"),
        (
            ["model.py::counted"],
            "missing --spec: counted requires x; for example\n  graphwright verify model.py::counted --spec 'x=",
        ),
        (
            ["model.py::counted", "--ways", "jit"],
            "unknown way: jit; the ways are tf.function, gw.function, xla, ejected",
        ),
    ],
)
def test_refusals_run_nothing(verify: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "model.py").write_text("open('ran', 'w')\n" + MODEL)
    done = verify(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (tmp_path / "ran").exists()


def test_help(verify: Run) -> None:
    done = verify("--help")
    assert done.returncode == 0
    for option in ("--spec", "--ways", "--calls", "--gradients", "--format", "--timeout", "--python", "exit codes"):
        assert option in done.stdout
