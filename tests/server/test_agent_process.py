"""The agent's process from outside: its start, its limits, its crashes, and what is left of it, which is nothing.

TensorFlow is a stand-in that is imported at once; what the real one does is tested elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from graphwright.agent import wire
from graphwright_server import agent, keepers, processes

STAND_IN = """
__version__ = "0.0"
def function(call): return call
def is_tensor(value): return False
class TensorSpec: pass
class nest:
    flatten = staticmethod(lambda value: [value])
    pack_sequence_as = staticmethod(lambda value, flat: flat[0])
"""

MODULE = """
import ctypes, os, subprocess, sys, time

def double(x):
    print("doubling", x)
    os.write(1, b"from C, as it were\\n")
    return 2 * x

def rest(x):
    time.sleep(2.5)
    return x

def leave(x):
    sys.exit(3)

def detach(x):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    open(x, "w").write(str(child.pid))
    print("detached")
    return 2

def leave_at_once(x):
    print("leaving")
    os._exit(7)

def crash(x):
    ctypes.string_at(0)

def abort(x):
    os.abort()

def ask(x):
    return input("name? ")

def hang(x):
    while True:
        pass

def deaf(x):
    # No other thread of Python's runs meanwhile.
    return __import__("re").match("(a|a)+$", "a" * 50 + "b")

def hang_in_c(x):
    # Deaf to everything that can be ignored, and with a child that must not be left behind.
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    open(x, "w").write(f"{os.getpid()} {child.pid}")
    import signal
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    time.sleep(600)

def grow(x):
    held = []
    while True:
        held.append(bytearray(b"x" * 20_000_000))

def deep(x):
    return deep(x)

def broken(x):
    values = {}
    return values[x]

def chatter(x):
    for number in range(20_000):
        print("line", number)
    return 1

def talk_to_the_wire(x):
    for descriptor in range(0, 1 << 16):
        try:
            os.write(descriptor, b'{"kind": "report", "value": {}}\\n0123{"kind": "ended", "value": null}\\nno end')
        except OSError:
            pass
    return "honest"

def close_everything(x):
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    return "open"

def come_back_twice(x):
    return "child" if os.fork() == 0 else time.sleep(0.5) or "parent"

def paint(x):
    print("\\x1b[31mred\\x1b[0m \\x1b]52;c;Y29weQ==\\x07\\x1b]0;title\\x1b\\\\ done\\u202e")
    print("10%\\r20%\\r100%")
    return "\\x1b[2Jresult"

def scream(x):
    piece = "x" * 100_000 + "\\n"
    for _ in range(100):
        sys.stdout.write(piece)
    return 1

def scream_on_one_line(x):
    for _ in range(100):
        os.write(1, b"x" * 100_000)
    os._exit(3)

def killed(x):
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "stand_in").mkdir()
    (tmp_path / "stand_in" / "tensorflow.py").write_text(STAND_IN)
    (tmp_path / "code.py").write_text(MODULE)
    # What comes with the server isn't on the path: the agent is to find it all the same.
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "stand_in"))
    return tmp_path


def job(folder: Path, function: str, arguments: str = "x=1", timeout: float = 20, memory: int = 2000) -> agent.Job:
    request = wire.AgentRequest(str(folder / "code.py"), function, arguments, wire.RUN, timeout)
    return agent.Job(request, sys.executable, str(folder), memory)


def done(
    folder: Path, function: str, arguments: str = "x=1", timeout: float = 20, memory: int = 2000
) -> wire.AgentReport:
    return agent.run(job(folder, function, arguments, timeout, memory))


def failed(report: wire.AgentReport) -> wire.ReportedFailure:
    assert not report.ok
    assert report.error is not None
    return report.error


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_result_and_what_was_printed(folder: Path) -> None:
    steps, lines = list[str](), list[str]()
    report = agent.run(job(folder, "double", "x=21"), agent.Listener(steps.append, lines.append))
    assert report.ok, report.error
    assert report.result is not None and report.result.text == "42"
    assert lines == ["doubling 21", "from C, as it were"]
    assert report.output == "doubling 21\nfrom C, as it were\n"
    assert steps == ["importing tensorflow", "importing code.py", "looking for double", "running double"]
    assert report.environment.executable == sys.executable
    assert not (folder / "__pycache__").exists()


def test_a_step_that_takes_long_is_told_of_again(folder: Path) -> None:
    steps, waited = list[str](), list[str]()
    report = agent.run(job(folder, "rest", "1"), agent.Listener(steps.append, waiting=waited.append))
    assert report.ok, report.error
    assert "running rest, 2 s" in waited and steps.count("running rest") == 1


def test_an_error_at_the_users_line(folder: Path) -> None:
    error = failed(done(folder, "broken"))
    assert (error.type, error.message) == ("KeyError", "1")
    assert [(frame.name, frame.text) for frame in error.frames] == [("broken", "return values[x]")]
    assert MODULE.splitlines()[error.frames[0].line].strip() == "return values[x]"
    assert "agent" not in error.traceback


@pytest.mark.parametrize(
    ("function", "kind", "words"),
    [
        ("leave", "SystemExit", "sys.exit(3)"),
        ("leave_at_once", "Crash", "exit code 7. Its last output: leaving"),
        ("ask", "EOFError", "calls input()"),
        ("deep", "RecursionError", "Infinite recursion"),
        ("nothing", "Invalid request", "doesn't define nothing"),
        ("killed", "Crash", "memory runs out"),
    ],
)
def test_each_way_to_fail_is_told(folder: Path, function: str, kind: str, words: str) -> None:
    error = failed(done(folder, function))
    assert error.type == kind
    assert words in error.message


@pytest.mark.parametrize(("function", "words"), [("crash", "a segmentation fault"), ("abort", "a failed check")])
def test_a_crash_tells_the_line(folder: Path, function: str, words: str) -> None:
    report = done(folder, function)
    error = failed(report)
    assert words in error.message
    assert [frame.name for frame in error.frames] == [function]
    assert "Fatal Python error" in error.traceback
    assert report.output == ""


def test_code_that_no_thread_of_python_can_look_at_is_found_all_the_same(folder: Path) -> None:
    error = failed(done(folder, "deaf", timeout=1))
    assert error.type == "Timeout"
    assert (error.frames[-1].name, error.frames[-1].text[:10]) == ("deaf", "return __i")


LOOKED_AT_SLOWLY = """
import time
from graphwright.agent import interrupting

def look(where):
    end = time.monotonic() + 2 * interrupting.PATIENCE
    while time.monotonic() < end:
        pass
    print(len(where.frames), flush=True)

interrupting.report_after(0.1, 2, look)
time.sleep(3 * interrupting.PATIENCE)
"""


def test_nothing_reads_the_frames_of_a_thread_that_looks_where_the_code_is() -> None:
    """Python's own dump holds nobody up: it has crashed in frames that the looking thread was just leaving."""
    looked = subprocess.run([sys.executable, "-c", LOOKED_AT_SLOWLY], capture_output=True, text=True)
    assert (looked.returncode, looked.stdout, looked.stderr) == (0, "0\n", "")


def test_time_is_limited_and_tells_the_line(folder: Path) -> None:
    began = time.monotonic()
    error = failed(done(folder, "hang", timeout=1))
    assert time.monotonic() - began < 20
    assert error.type == "Timeout"
    assert "1 s" in error.message
    assert [frame.name for frame in error.frames] == ["hang"]
    assert f"line {error.frames[0].line + 1}" in error.message


def test_memory_is_limited(folder: Path) -> None:
    error = failed(done(folder, "grow", memory=400))
    assert error.type == "OutOfMemory"
    assert "limit of 400 MB" in error.message
    used = int(error.message.split()[2].replace(",", ""))
    assert 400 <= used < 1200


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_cancelling_leaves_no_process(folder: Path) -> None:
    listener, place = agent.Listener(), folder / "processes"
    reports: list[wire.AgentReport] = []
    task = job(folder, "hang_in_c", f"x={str(place)!r}")
    thread = threading.Thread(target=lambda: reports.append(agent.run(task, listener)))
    thread.start()
    processes = _numbers(place)
    assert all(is_running(process) for process in processes)
    listener.cancelled.set()
    thread.join(10)
    assert failed(reports[0]).type == "Cancelled"
    until = time.monotonic() + 5
    while any(is_running(process) for process in processes) and time.monotonic() < until:
        time.sleep(0.05)  # the system takes its time to end a child that was killed
    assert not any(is_running(process) for process in processes)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_whoever_asked(folder: Path) -> None:
    place = folder / "processes"
    paths = [entry for entry in sys.path if entry.rstrip(os.sep).endswith(("analysis", "converter", "server"))]
    program = (
        f"import sys; sys.path[:0] = {paths!r}\n"
        "from graphwright.agent import wire; from graphwright_server import agent\n"
        f"request = wire.AgentRequest({str(folder / 'code.py')!r}, 'hang_in_c', {f'x={str(place)!r}'!r}, 'run')\n"
        f"agent.run(agent.Job(request, sys.executable, {str(folder)!r}))\n"
    )
    asking = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", program])
    processes = _numbers(place)
    os.kill(asking, 9)
    os.waitpid(asking, 0)
    until = time.monotonic() + 10
    while time.monotonic() < until and any(is_running(process) for process in processes):
        time.sleep(0.05)
    assert not any(is_running(process) for process in processes)


def _numbers(place: Path) -> list[int]:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if place.exists() and len(place.read_text().split()) == 2:
            return [int(each) for each in place.read_text().split()]
        time.sleep(0.05)
    raise AssertionError("it never began")


def test_much_output_is_cut(folder: Path) -> None:
    lines: list[str] = []
    report = agent.run(job(folder, "chatter"), agent.Listener(output=lines.append))
    assert report.ok
    assert len(report.output) < 60_000
    assert report.output.startswith("line 0\nline 1\n")
    assert "... cut: " in report.output and report.output.endswith(" more characters\n")
    assert lines[-1] == "line 19999", "below the limit the log has all of it"


@pytest.mark.parametrize("function", ["scream", "scream_on_one_line"])
def test_output_without_end_is_cut_with_a_note(function: str, folder: Path) -> None:
    lines: list[str] = []
    report = agent.run(job(folder, function), agent.Listener(output=lines.append))
    assert len(report.output) < 60_000
    assert sum(map(len, lines)) < 2 * wire.MOST_OUTPUT
    cut = int(lines[-1].removeprefix("... cut: ").removesuffix(" more characters").replace(",", ""))
    assert 8_000_000 < cut < 10_000_000
    assert report.ok == (function == "scream")


def test_nothing_that_a_terminal_would_obey_comes_through(folder: Path) -> None:
    lines: list[str] = []
    report = agent.run(job(folder, "paint"), agent.Listener(output=lines.append))
    assert lines == ["red  done", "100%"]
    assert report.output == "red  done\n100%\n"
    assert report.result is not None and report.result.text == "'\\x1b[2Jresult'"


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are POSIX's")
@pytest.mark.parametrize(("function", "text"), [("close_everything", "'open'"), ("come_back_twice", "'parent'")])
def test_the_report_comes_from_the_agent_alone(function: str, text: str, folder: Path) -> None:
    report = done(folder, function)
    assert report.result is not None, report.error
    assert report.result.text == text


def test_the_wire_is_out_of_reach(folder: Path) -> None:
    report = done(folder, "talk_to_the_wire")
    assert report.ok and report.result is not None
    assert report.result.text == "'honest'"


def test_a_python_that_isnt_there(folder: Path) -> None:
    request = wire.AgentRequest(str(folder / "code.py"), "double", "x=1")
    error = failed(agent.run(agent.Job(request, str(folder / "no-python"), str(folder))))
    assert error.type == "Interpreter"
    assert "can't be started: No such file" in error.message


def test_a_python_without_tensorflow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(keepers, "_OPTIONS", ("-X", "utf8", "-S"))
    error = failed(done(folder, "double"))
    assert error.message == f"TensorFlow isn't installed in {sys.executable}."


def test_an_old_python_says_so(folder: Path) -> None:
    old = folder / "python"
    old.write_text("#!/bin/sh\necho 'Graphwright needs Python 3.10 or newer; this is 3.8: python' >&2\nexit 1\n")
    old.chmod(0o755)
    request = wire.AgentRequest(str(folder / "code.py"), "double", "x=1")
    assert "3.10 or newer" in failed(agent.run(agent.Job(request, str(old), str(folder)))).message


def test_nothing_is_imported_before_it_is_asked_for(folder: Path) -> None:
    (folder / "code.py").write_text("open(__file__ + '.ran', 'w')\ndef double(x): return x\n")
    error = failed(agent.run(agent.Job(job(folder, "double").request, str(folder / "no-python"), str(folder))))
    assert error.type == "Interpreter"
    assert not (folder / "code.py.ran").exists()
    assert done(folder, "double").ok
    assert (folder / "code.py.ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are POSIX's")
@pytest.mark.parametrize("how", ["in process", "graphwright trace"])
def test_a_process_in_a_session_of_its_own_holds_nothing_up(how: str, folder: Path) -> None:
    """It keeps the streams that it has inherited; the report doesn't wait for it, and it is ended."""
    note = folder / "child"
    began = time.monotonic()
    if how == "in process":
        report = agent.run(job(folder, "detach", f"x={str(note)!r}"))
        assert report.ok and report.output == "detached\n"
    else:
        command = [sys.executable, "-m", "graphwright_server", "trace", "code.py::detach", "--run"]
        command += ["--spec", f"x={str(note)!r}", "--python", sys.executable]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=40)
        assert done.returncode == 0 and "detached" in done.stdout + done.stderr, done.stderr
    assert time.monotonic() - began < 40
    assert sys.platform != "linux" or not is_running(int(note.read_text()))


def test_unsaved_texts_count(folder: Path) -> None:
    (folder / "helper.py").write_text("factor = 2\n")
    (folder / "code.py").write_text("import helper\ndef times(x): return helper.factor * x\n")
    request = job(folder, "times", "x=5").request
    texts = {
        str(folder / "helper.py"): "factor = 100\n",
        str(
            folder / "code.py"
        ): "import helper\ndef times(x):\n    1/0 if x > 5 else None\n    return helper.factor * x\n",
    }
    unsaved = wire.AgentRequest(request.file, "times", "x=5", wire.RUN, texts=texts)
    report = agent.run(agent.Job(unsaved, sys.executable, str(folder)))
    assert report.result is not None and report.result.text == "500"
    wrong = wire.AgentRequest(request.file, "times", "x=6", wire.RUN, texts=texts)
    error = failed(agent.run(agent.Job(wrong, sys.executable, str(folder))))
    assert [(frame.line, frame.text) for frame in error.frames] == [(2, "1/0 if x > 5 else None")]


def test_a_module_in_a_package(folder: Path) -> None:
    (folder / "package" / "inner").mkdir(parents=True)
    (folder / "package" / "__init__.py").write_text("")
    (folder / "package" / "base.py").write_text("value = 5\n")
    (folder / "package" / "inner" / "__init__.py").write_text("")
    file = folder / "package" / "inner" / "code.py"
    file.write_text("from ..base import value\ndef name(): return __name__, value\nassert __name__ != '__main__'\n")
    report = agent.run(agent.Job(wire.AgentRequest(str(file), "name", "", wire.RUN), sys.executable, str(folder)))
    assert report.result is not None, report.error
    assert report.result.text == "('package.inner.code', 5)"


def test_the_users_own_graphwright_comes_first(folder: Path) -> None:
    (folder / "stand_in" / "graphwright").mkdir()
    (folder / "stand_in" / "graphwright" / "__init__.py").write_text("mine = True\n")
    (folder / "code.py").write_text("import graphwright\ndef which(): return graphwright.mine\n")
    assert done(folder, "which", "").ok


def test_otherwise_that_of_the_server_is_found(folder: Path) -> None:
    (folder / "code.py").write_text(
        "import sys, graphwright.agent, graphwright_analysis\n"
        "def which(): return [each for each in sys.path if each.endswith('agent')], graphwright.agent.__file__\n"
    )
    report = done(folder, "which", "")
    assert report.result is not None, report.error
    assert report.result.text.startswith("([], ")


FORKS = """
import os, sys

held = bytearray(os.urandom(1 << 20)) * 64
for _ in range(4):
    if os.fork() == 0:
        break
os.write(1, b"ready\\n")  # in one piece: five processes write
sys.stdin.read()
"""


def unknown(process: int) -> None:
    """What the system says of a process' share where it says nothing."""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="the system doesn't report shares")
@pytest.mark.parametrize("reports_shares", [True, False])
def test_what_forked_processes_share_counts_once(reports_shares: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parent with 64 MB and its four children, each of which holds the same pages."""
    if not reports_shares:
        monkeypatch.setattr(processes, "_proportional", unknown)
    megabyte = 1 << 20
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen[bytes]([sys.executable, "-c", FORKS], **pipes, **processes.GROUP) as process:
        try:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(5)] == [b"ready\n"] * 5
            memory = processes.MemoryWatch(process.pid)
            assert (memory.held(1000 * megabyte) or 0) > 300 * megabyte, "no need to look closer"
            exact = memory.held(150 * megabyte)
            assert memory.held(150 * megabyte) is None, "the close look isn't repeated at once"
            assert (memory.held(32 * megabyte) or 0) > 64 * megabyte, "one process alone has too much"
        finally:
            processes.end(process)
    assert exact is not None
    assert exact > 300 * megabyte if not reports_shares else 64 * megabyte < exact < 128 * megabyte


POOL = """
import os, time

held = bytearray(os.urandom(1 << 20)) * 64

def pool():
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            time.sleep(1)
            os._exit(0)
        children.append(child)
    return [os.waitpid(child, 0)[1] for child in children]
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="the system doesn't report shares")
def test_a_pool_of_processes_is_not_ended_for_what_its_processes_share(folder: Path) -> None:
    file = folder / "code.py"
    file.write_text(POOL)
    job = agent.Job(wire.AgentRequest(str(file), "pool", "", wire.RUN), sys.executable, str(folder), memory=200)
    report = agent.run(job)
    assert report.result is not None, report.error
    assert report.result.text == "[0, 0, 0, 0]"
