"""The accounts that running programs write for the editor, and what the analysis makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import Project, Range, live_findings, live_hints, live_run

pytestmark = pytest.mark.truth

PROGRAM = """\
import os
import sys
import threading
import time

import tensorflow as tf
import graphwright as gw


@gw.function
def step(x, n):
    if tf.reduce_sum(x) > 0:
        return inner(x) * n
    return -x


@gw.function(
    reduce_retracing=True
)
def inner(x):  # über
    return x + 1


class Model:
    @gw.function
    def call(self, x):
        return x * 2


def make():
    @gw.function
    def local(x):
        return x
    return local


def run():
    for n in range(3):
        for _ in range(4):
            step(tf.constant([1.0, 2.0]), n)
    model = Model()
    model.call(tf.zeros([2]))
    make()(tf.zeros([1]))
    make()(tf.zeros([1]))


run()
"""


def start(folder: Path, program: str = PROGRAM, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "train.py").write_text(program, "utf-8")
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore", **environment}
    command = [sys.executable, "train.py"]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120, check=False)


def accounts(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / ".graphwright" / "traces").glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    return [json.loads(file.read_text("utf-8")) for file in files]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ran")
    done = start(folder, GRAPHWRIGHT_TRACES="1")
    assert done.returncode == 0, done.stderr
    return folder


def test_a_program_tells_of_its_functions(ran: Path) -> None:
    [account] = accounts(ran)
    functions = {function["name"]: function for function in account["functions"]}
    assert account["version"] == 1 and account["program"] == "train.py"
    assert {name: (item["calls"], item["staged"], item["traced"]) for name, item in functions.items()} == {
        "step": (12, 0, 3),
        "inner": (0, 3, 1),
        "Model.call": (1, 0, 1),
        "make.local": (2, 0, 2),
    }
    step = functions["step"]
    assert step["file"] == str(ran / "train.py") and PROGRAM.splitlines()[step["line"]].startswith("def step")
    assert step["steady"]["calls"] == 9 and 0 < step["steady"]["seconds"] < step["seconds"]
    second = step["traces"][1]
    assert second["signature"] == "step(x: float32[2], n=1)"
    assert second["cause"] == "`n` was int 0 in trace 1 and is int 1 now."
    assert second["avoidable"] and "tf.constant(1)" in second["remedy"]
    assert PROGRAM.splitlines()[second["line"]].strip() == second["text"]
    assert (ran / ".graphwright" / ".gitignore").read_text() == "*\n"


def test_the_analysis_knows_the_functions_again(ran: Path) -> None:
    path = str(ran / "train.py")
    runs = [run for run in map(live_run, accounts(ran)) if run is not None]
    project = Project()
    project.set_text(path, PROGRAM)
    found = live_findings(project, path, runs)
    names = [PROGRAM[finding.range.start : finding.range.end] for finding in found]
    assert names == ["step", "inner", "call", "local"]
    assert not any(finding.is_edited for finding in found)
    assert found[0].title.startswith("3 traces (2 avoidable) · 12 calls · ")
    assert found[0].title.endswith(" each (last run)")
    assert found[1].title == "1 trace · called in graphs (last run)"
    assert "`n` was int 0 in trace 1 and is int 1 now. *Avoidable.*" in found[0].markdown
    hints = live_hints(project, path, Range(0, len(PROGRAM)), runs)
    calls = {PROGRAM.count("\n", 0, hint.offset): hint.label for hint in hints}
    assert calls[PROGRAM[: PROGRAM.index("step(tf")].count("\n")] == "3 traces (2 avoidable), last run"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_edited_function_is_said_to_be(ran: Path, line_end: str) -> None:
    path = str(ran / "train.py")
    runs = [run for run in map(live_run, accounts(ran)) if run is not None]
    project = Project()
    edited = "# moved\n" + PROGRAM.replace("return -x", "return -x * 2").replace("  # über", "  # über   ")
    project.set_text(path, edited.replace("\n", line_end))
    found = live_findings(project, path, runs)
    assert [finding.is_edited for finding in found] == [True, False, False, False]
    assert found[0].title.endswith("(before your edits)")


@pytest.mark.parametrize("asked", ["", "0"])
def test_nothing_is_written_unless_asked(tmp_path: Path, asked: str) -> None:
    assert start(tmp_path, GRAPHWRIGHT_TRACES=asked).returncode == 0
    assert not (tmp_path / ".graphwright").exists()


def test_a_folder_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    done = start(tmp_path / "code", GRAPHWRIGHT_TRACES=str(tmp_path / "elsewhere"))
    assert done.returncode == 0, done.stderr
    assert len(accounts(tmp_path / "elsewhere")) == 1 and not (tmp_path / "code" / ".graphwright").exists()


def test_the_project_of_the_file_has_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "code").mkdir()
    start(tmp_path / "code", GRAPHWRIGHT_TRACES="1")
    assert len(accounts(tmp_path)) == 1


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / ".graphwright").write_text("a file")
    done = start(tmp_path, PROGRAM + "time.sleep(1.5)\nrun()\nprint('fine')\n", GRAPHWRIGHT_TRACES="1")
    assert done.returncode == 0 and done.stdout == "fine\n"
    assert done.stderr.count("GRAPHWRIGHT_TRACES") == 1, done.stderr


def test_a_killed_program_has_left_something(tmp_path: Path) -> None:
    start(
        tmp_path, PROGRAM + "time.sleep(1.5)\nrun()\ntime.sleep(1.5)\nos.kill(os.getpid(), 9)\n", GRAPHWRIGHT_TRACES="1"
    )
    [account] = accounts(tmp_path)
    assert account["functions"][0]["calls"] == 24


FORKING = """
import multiprocessing

def work():
    from graphwright.runtime.functions import recording
    recorder = recording.RECORDER
    for entry in list(recorder.entries.values()):
        recorder.called(entry, 0.5, True)

child = multiprocessing.get_context("fork").Process(target=work)
child.start()
child.join(60)
threads = [threading.Thread(target=lambda: [inner(tf.ones([2])) for _ in range(200)]) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_processes_and_threads(tmp_path: Path) -> None:
    done = start(tmp_path, PROGRAM + FORKING, GRAPHWRIGHT_TRACES="1")
    assert done.returncode == 0, done.stderr
    child, parent = [{item["name"]: item["calls"] for item in account["functions"]} for account in accounts(tmp_path)]
    assert child == {"step": 1, "inner": 1, "Model.call": 1, "make.local": 1}
    assert parent == {"step": 12, "inner": 1600, "Model.call": 1, "make.local": 2}


def test_old_accounts_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / ".graphwright" / "traces"
    folder.mkdir(parents=True)
    for number in range(30):
        (folder / f"20200101-0000{number:02}-1.json").write_text("{}")
    start(tmp_path, GRAPHWRIGHT_TRACES="1")
    names = sorted(file.name for file in folder.iterdir())
    assert len(names) == 20 and names[0] == "20200101-000011-1.json"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there, a bare `raise` brings back a frame of ours")
def test_an_error_keeps_its_traceback(tmp_path: Path) -> None:
    done = start(tmp_path, PROGRAM + "step(tf.constant(['a']), 1)\n", GRAPHWRIGHT_TRACES="1")
    assert "TypeError" in done.stderr and "recording.py" not in done.stderr
    [account] = accounts(tmp_path)
    assert account["functions"][0]["calls"] == 13


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"version": 2},
        {"version": 1, "functions": {}},
        {"version": 1, "functions": [None, 3, {"name": 3, "file": []}, {"name": "f", "file": "x.py", "traces": [7]}]},
        {"version": 1, "functions": [{"name": "f", "file": "x.py", "calls": "many", "seconds": None, "steady": []}]},
    ],
)
def test_what_is_no_account_is_nothing(data: Any) -> None:
    run = live_run(data)
    project = Project()
    project.set_text("x.py", "def f():\n    pass\n")
    for finding in live_findings(project, "x.py", [run] if run else []):
        assert finding.title and finding.markdown
