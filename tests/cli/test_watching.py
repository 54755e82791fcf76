"""`--watch`: a check for each change, until an interrupt ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from graphwright_server.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

# Whoever runs the tests may have interrupts ignored, which children inherit.
SCRIPT = (
    "import signal, sys\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from graphwright_server.cli import watching\n"
    "watching.INTERVAL = 0.05\n"
    "from graphwright_server.cli.main import main\n"
    "sys.exit(main(sys.argv[1:]))\n"
)
HELPERS = "import tensorflow as tf\n\n\ndef show(x):\n    return x\n"
TRAIN = (
    "import tensorflow as tf\nfrom helpers import show\n\n\n"
    "@tf.function\ndef step(x: tf.Tensor):\n    return show(x)\n\n\n"
    "step(tf.ones([3]))\n"
)

Watch = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def watch(folder: Path) -> Iterator[Watch]:
    """Start a watch whose output is read line by line."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-u", "-c", SCRIPT, "check", "--watch", "--format", "concise", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def report(process: subprocess.Popen[str]) -> list[str]:
    """The lines up to the one that says that it watches."""
    stream, lines = process.stdout, list[str]()
    assert stream is not None
    while not lines or not lines[-1].startswith("Watching "):
        line = stream.readline()
        assert line, f"it ended: {lines}"
        lines.append(line.rstrip("\n"))
    return lines


def write(file: Path, text: str) -> None:
    """Write a file so that its time differs from the last one."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text)
    if file.stat().st_mtime_ns <= before:
        os.utime(file, ns=(before + 10_000_000, before + 10_000_000))


def test_it_checks_again_for_each_change_and_ends_with_0(folder: Path, bad: str, good: str, watch: Watch):
    write(folder / "a.py", bad)
    process = watch()
    first = report(process)
    assert "error[undefined-in-branch]" in first[0]
    assert first[1:] == ["Found 1 error in 1 file.", "Watching 1 file; found 1 finding. Press Ctrl+C to stop."]
    write(folder / "a.py", good)
    assert report(process) == ["No problems in 1 file.", "Watching 1 file; found 0 findings. Press Ctrl+C to stop."]
    write(folder / "b.py", bad)
    assert report(process)[-1] == "Watching 2 files; found 1 finding. Press Ctrl+C to stop."
    (folder / "b.py").unlink()
    assert report(process)[-1] == "Watching 1 file; found 0 findings. Press Ctrl+C to stop."
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "")


def test_files_that_are_imported_count(folder: Path, watch: Watch):
    write(folder / "helpers.py", HELPERS)
    write(folder / "train.py", TRAIN)
    process = watch("train.py")
    assert report(process)[-1] == "Watching 1 file; found 0 findings. Press Ctrl+C to stop."
    write(folder / "helpers.py", HELPERS.replace("def show(x):", "def show(x):\n    print(x)"))
    assert report(process)[-1] == "Watching 1 file; found 0 findings. Press Ctrl+C to stop."


def test_settings_that_are_half_typed_are_said_and_looked_at_again(folder: Path, bad: str, watch: Watch):
    write(folder / "a.py", bad)
    process = watch("--quiet", "a.py")
    stream = process.stdout
    assert stream is not None
    assert "error[undefined-in-branch]" in stream.readline()
    write(folder / "pyproject.toml", "[tool.graphwright\n")
    assert "pyproject.toml: can't be read" in stream.readline()
    write(folder / "pyproject.toml", "[tool.graphwright.severity]\nundefined-in-branch = 'hint'\n")
    assert "hint[undefined-in-branch]" in stream.readline()


def test_settings_that_are_wrong_leave_nothing_checked(folder: Path, bad: str, watch: Watch):
    write(folder / "a.py", bad)
    write(folder / "pyproject.toml", "[tool.graphwright]\nselct = []\n")
    process = watch()
    error, watched = report(process)
    assert "did you mean `select`" in error
    assert watched == "Watching for changes; nothing was checked. Press Ctrl+C to stop."
    write(folder / "pyproject.toml", "")
    assert report(process)[-1] == "Watching 1 file; found 1 finding. Press Ctrl+C to stop."


def test_what_a_fix_writes_is_no_change(folder: Path, fixable: str, watch: Watch):
    write(folder / "a.py", fixable)
    process = watch("--fix")
    assert "Fixed 1 problem. No problems in 1 file." in report(process)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "")


def test_a_terminal_is_cleared(folder: Path, good: str):
    import pty

    write(folder / "a.py", good)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "check", "--watch"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        output = read_until(terminal, b"Press Ctrl+C to stop.")
        assert output.startswith(b"\033[2J\033[3J\033[H")
        assert b"No problems in 1 file.\r\nWatching 1 file; found 0 findings." in output
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def read_until(stream: IO[bytes], end: bytes) -> bytes:
    output = b""
    while end not in output:
        output += stream.read(1024)
    return output


@pytest.mark.parametrize(
    "arguments", [["-"], ["--format", "json"], ["--format", "sarif"], ["--write-baseline"]], ids=" ".join
)
def test_what_it_cannot_be_combined_with_is_refused(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["check", "--watch", *arguments]) == 2
    assert "--watch" in capsys.readouterr().err
