"""The command line when standard input or output is closed or full, or Ctrl-C comes early."""

from __future__ import annotations

import multiprocessing
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from graphwright_server.cli import sharing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells and descriptors")


def shell(line: str) -> tuple[int, str, str]:
    """What a shell's line gives, in which `graphwright` is the command."""
    command = f"{shlex.quote(sys.executable)} -m graphwright_server"
    line = line.replace("graphwright", command)
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", ">&- 2>&- <&-", "<&-"])
def test_closed_streams_change_neither_the_exit_code_nor_the_cache(folder: Path, bad: str, closed: str):
    (folder / "a.py").write_text(bad)
    code, _, errors = shell(f"graphwright check {closed}")
    assert (code, errors) == (1, "")
    assert (Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite").read_bytes()[:6] == b"SQLite"
    # Again, from the cache.
    assert shell("graphwright check --format concise")[0] == 1


def test_a_closed_standard_input_is_not_an_empty_program(folder: Path):
    assert shell("graphwright check - <&-") == (2, "", "graphwright: <stdin>: standard input is closed\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("command", ["check", "explain", "--version", "coverage", "schema output"])
def test_a_full_disk_under_the_output_is_one_line(
    folder: Path, bad: str, command: str, buffered: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    (folder / "a.py").write_text(bad)
    expected = (2, "", "graphwright: can't write the output: No space left on device\n")
    assert shell(f"graphwright {command} >/dev/full") == expected


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check", 1),
        ("check --format json", 1),
        ("check b.py", 0),
        ("check -q --watch", 0),
        ("explain", 0),
        ("--help", 0),
    ],
)
def test_an_output_that_nobody_reads_changes_no_exit_code(
    folder: Path, bad: str, good: str, command: str, code: int, buffered: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    (folder / "a.py").write_text(bad)
    (folder / "b.py").write_text(good)
    line = f"(sleep 0.2; graphwright {command}; echo $? >&2) | true"
    assert shell(line) == (0, "", f"{code}\n")


@pytest.mark.parametrize(("arguments", "code"), [("check", 1), ("--version", 0), ("nothing", 2)])
def test_the_converters_package_is_the_same_command(folder: Path, bad: str, arguments: str, code: int):
    (folder / "a.py").write_text(bad)
    expected = shell(f"graphwright {arguments}")
    command = [sys.executable, "-m", "graphwright", *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == expected
    assert done.returncode == code


EARLY = (
    "import os, signal, sys\n"
    "from graphwright_server.cli import sharing\n"
    "os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGINT))\n"
    "from graphwright_server.cli.main import main\n"
    "sys.exit(main(['check', '--jobs', '2', '--no-cache', '-q']))\n"
)


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="the signal is sent behind a fork")
def test_an_interrupt_while_a_process_starts_ends_nothing_there(folder: Path, good: str):
    for number in range(sharing.ALONE + 1):
        (folder / f"a{number}.py").write_text(good)
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
