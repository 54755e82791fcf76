"""The process that checks what nobody has open: what it says, and that it is neither in the way nor left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import graphwright_analysis as analysis
import pytest
from graphwright_server.lsp import checking_process
from graphwright_server.lsp.checking_process import CheckingProcess
from keras_texts import LAYER

HELPER = "import tensorflow as tf\n\n\ndef other(x):\n    return tf.cast(x, tf.float16)\n"
USER = """\
import tensorflow as tf
from helper import other


@tf.function
def f(x: tf.Tensor):
    return other(x) if tf.reduce_sum(x) > 0 else 1.0
"""
NONE = analysis.Settings()


@pytest.fixture
def checking() -> Iterator[CheckingProcess]:
    made = CheckingProcess()
    yield made
    made.end()


def test_it_finds_what_is_found_here(checking: CheckingProcess, bad: str, tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_text(bad)
    reply = checking.check(tmp_path, NONE, str(path), {})
    assert reply.reports.own.diagnostics == analysis.Project(tmp_path, NONE).check(str(path)) != ()
    assert reply.texts == {str(path): bad}
    assert reply.stamps == {str(path): analysis.stamp_of(str(path))}
    assert not (reply.unread or reply.failures)


def test_buffers_count_instead_of_files(checking: CheckingProcess, tmp_path: Path):
    helper, user = tmp_path / "helper.py", tmp_path / "user.py"
    helper.write_text(HELPER)
    user.write_text(USER)

    def found(buffers: dict[str, str]) -> int:
        reply = checking.check(tmp_path, NONE, str(user), buffers)
        assert [*reply.stamps] == [str(user), str(helper)]
        return len(reply.reports.own.diagnostics)

    edited = {str(helper): HELPER.replace("16", "32")}
    assert [found({}), found(edited), found(edited), found({})] == [1, 0, 0, 1]


def test_settings_may_change_between_two_files(checking: CheckingProcess, bad: str, tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_text(bad)
    lax = analysis.Settings(ignore=frozenset({"undefined-in-branch"}))
    counts = [len(checking.check(tmp_path, each, str(path), {}).reports.own.diagnostics) for each in (NONE, lax, NONE)]
    assert counts == [1, 0, 1]


def test_a_new_generation_has_requirements_read_again(checking: CheckingProcess, tmp_path: Path):
    path = tmp_path / "layer.py"
    path.write_text(LAYER)

    def count(generation: int) -> int:
        return len(checking.check(tmp_path, NONE, str(path), {}, generation=generation).reports.own.diagnostics)

    assert count(1) == 1
    (tmp_path / "requirements.txt").write_text("tensorflow<2.16")
    assert count(2) == 0


def test_what_cannot_be_read_is_no_failure(checking: CheckingProcess, tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_bytes(b"# coding: nonsense\n")
    reply = checking.check(tmp_path, NONE, str(path), {})
    assert "nonsense" in reply.unread and not reply.failures
    assert reply.stamps == {str(path): analysis.stamp_of(str(path))}


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process can't be stopped here")
def test_one_that_takes_too_long_costs_one_file(
    checking: CheckingProcess, bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "bad.py"
    path.write_text(bad)
    checking.check(tmp_path, NONE, str(path), {})
    os.kill(process_of(checking), signal.SIGSTOP)
    monkeypatch.setattr(checking_process, "_LIMIT", 0.3)
    assert checking.check(tmp_path, NONE, str(path), {}).failures
    monkeypatch.undo()
    assert len(checking.check(tmp_path, NONE, str(path), {}).reports.own.diagnostics) == 1


def test_at_rest_there_is_none(checking: CheckingProcess, bad: str, tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_text(bad)
    checking.check(tmp_path, NONE, str(path), {})
    process = process_of(checking)
    checking.rest()
    assert not exists(process)
    assert len(checking.check(tmp_path, NONE, str(path), {}).reports.own.diagnostics) == 1


SERVER = """
import os, sys
sys.path += {path!r}
import graphwright_analysis as analysis
from graphwright_server.lsp.checking_process import CheckingProcess
checking = CheckingProcess()
found = checking.check(None, analysis.Settings(), sys.argv[1], {{}}).reports.own.diagnostics
print(len(found), checking._process.pid, flush=True)
os.abort()
"""


def test_it_ends_with_a_server_that_is_killed_and_imports_nothing_of_the_folder(bad: str, tmp_path: Path):
    (tmp_path / "bad.py").write_text(bad)
    for name in ("pickle", "gast", "logging", "graphwright_analysis"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    path = [each for each in sys.path if each]
    command = [sys.executable, "-I", "-c", SERVER.format(path=path), str(tmp_path / "bad.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    found, process = map(int, done.stdout.split())
    assert found == 1
    deadline = time.monotonic() + 20
    while exists(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not exists(process)
    assert not (tmp_path / "ran").exists()


def process_of(checking: CheckingProcess) -> int:
    process = checking._process  # pyright: ignore[reportPrivateUsage]
    assert process is not None
    return process.pid


def exists(process: int) -> bool:
    """Whether it is there and not only waiting to be asked how it ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_one_that_holds_too_much_memory_is_replaced(
    checking: CheckingProcess, bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "bad.py"
    path.write_text(bad)
    first = checking.check(tmp_path, NONE, str(path), {})
    monkeypatch.setattr(checking_process, "MOST_HELD", 0)
    buffers: dict[str, str] = {}
    assert checking.check(tmp_path, NONE, str(path), buffers) == first
    assert checking._process is None
    assert checking.check(tmp_path, NONE, str(path), buffers) == first


def test_it_ends_with_its_input_while_it_works(checking: CheckingProcess, tmp_path: Path):
    path = tmp_path / "long.py"
    functions = (f"def f{a}(x):\n" + "".join(f"    x{b} = x + {b}\n" for b in range(60)) for a in range(700))
    path.write_text("import tensorflow as tf\n\n@tf.function\ndef g(x):\n    return x\n\n" + "".join(functions))
    waiting = threading.Thread(target=checking.check, args=(tmp_path, NONE, str(path), {}), daemon=True)
    waiting.start()
    time.sleep(3)
    process = checking._process
    assert process is not None and process.poll() is None and process.stdin is not None
    process.stdin.close()
    assert process.wait(1) == 0
    waiting.join(10)
