"""The processes that are kept for the next request: when one is used again, and that nothing is left of any."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphwright.agent import wire
from graphwright_server import agent, keepers
from graphwright_server.environments import Environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are kept on Linux only")

STAND_IN = """
import os, threading, time
__version__ = "0.0"
loaded_by = os.getpid()
open(os.environ["LOADED"], "a").write("x")
if "THREAD" in os.environ:
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
def function(call): return call
def is_tensor(value): return False
class TensorSpec: pass
class nest:
    flatten = staticmethod(lambda value: [value])
    pack_sequence_as = staticmethod(lambda value, flat: flat[0])
"""

MODULE = """
import multiprocessing, os, random, signal, subprocess, sys, time

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]

def note(place, *processes):
    with open(place, "a") as file:
        file.write("".join(f"{each}\\n" for each in processes))

def wait_for_another(place, before):
    until = time.monotonic() + 20
    while lines_of(place) <= before and time.monotonic() < until:
        time.sleep(0.02)

def lines_of(place):
    return open(place).read().count("\\n") if os.path.exists(place) else 0

def plain(place):
    note(place, subprocess.Popen(SLEEP).pid)

def session(place):
    note(place, subprocess.Popen(SLEEP, start_new_session=True).pid)

def daemon(place):
    before = lines_of(place)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 1 << 16)
            note(place, os.getpid())
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    os.wait()
    wait_for_another(place, before)

def shell(place):
    before = lines_of(place)
    subprocess.run(f"setsid nohup sh -c 'echo $$ >> {place}; sleep 600; :' > /dev/null 2>&1 &", shell=True)
    wait_for_another(place, before)

def rest(seconds):
    time.sleep(seconds)

def pool(place):
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        processes = [context.Process(target=time.sleep, args=(600,)) for _ in range(2)]
        for each in processes:
            each.start()
        note(place, *(each.pid for each in processes))

def all_of_them(place):
    for start in (plain, session, daemon, shell, pool):
        start(place)
    note(place, os.getpid())
    note(place + ".ready", 1)
    time.sleep(600)

def who(x):
    import tensorflow
    return os.getppid(), tensorflow.loaded_by

def draw(x):
    return random.random()

def kill_parent(x):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)
"""

KINDS = ["plain", "session", "daemon", "shell", "pool"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "stand_in").mkdir()
    (tmp_path / "stand_in" / "tensorflow.py").write_text(STAND_IN)
    (tmp_path / "code.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "stand_in"))
    monkeypatch.setenv("LOADED", str(tmp_path / "loaded"))
    return tmp_path


@pytest.fixture
def kept() -> Iterator[keepers.Keepers]:
    found = keepers.Keepers(60.0)
    yield found
    found.end()


def done(folder: Path, function: str, argument: object, kept: keepers.Keepers | None) -> wire.AgentReport:
    request = wire.AgentRequest(str(folder / "code.py"), function, repr(argument), wire.RUN, 30)
    return agent.run(agent.Job(request, sys.executable, str(folder)), keepers=kept)


def result(report: wire.AgentReport) -> str:
    assert report.result is not None, report.error
    return report.result.text


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(processes: list[int]) -> bool:
    until = time.monotonic() + 10
    while any(map(is_running, processes)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_running, processes))


def noted(place: Path) -> list[int]:
    return [int(each) for each in place.read_text().split()]


def test_tensorflow_is_imported_once_for_many_requests(folder: Path, kept: keepers.Keepers) -> None:
    first, second = result(done(folder, "who", 1, kept)), result(done(folder, "who", 1, kept))
    assert first == second
    parent, loaded_by = first.strip("()").split(", ")
    assert parent == loaded_by, "what serves a request was forked from what has imported TensorFlow"
    assert (folder / "loaded").read_text() == "x"


def test_a_package_of_the_users_own_comes_before_what_was_imported_for_it(folder: Path, kept: keepers.Keepers) -> None:
    """The agent needs Graphwright itself, and has it imported before it knows where the user's code is."""
    names = "sorted(name for name in sys.modules if name.startswith('graphwright.'))[:1]"
    (folder / "code.py").write_text(f"import sys, graphwright\ndef mine(x): return graphwright.__file__, {names}\n")
    assert "'graphwright." in result(done(folder, "mine", 1, kept))
    (folder / "graphwright.py").write_text("")
    assert result(done(folder, "mine", 1, kept)) == f"({str(folder / 'graphwright.py')!r}, [])"


def test_each_request_draws_its_own_random_numbers(folder: Path, kept: keepers.Keepers) -> None:
    assert result(done(folder, "draw", 1, kept)) != result(done(folder, "draw", 1, kept))


def test_a_process_with_threads_of_others_is_not_forked(
    folder: Path, kept: keepers.Keepers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREAD", "yes")
    for times in (1, 2):
        result(done(folder, "who", 1, kept))
        assert (folder / "loaded").read_text() == "x" * (times + 1), "each request imports it for itself"


@pytest.mark.parametrize("change", ["a variable", "a package"])
def test_a_changed_environment_has_a_process_of_its_own(
    change: str, folder: Path, kept: keepers.Keepers, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = folder / "packages"
    packages.mkdir()

    def environment_of(folders: object, interpreter: str) -> Environment:
        return Environment("", interpreter, None, None, (packages,))

    monkeypatch.setattr(keepers, "environment_of", environment_of)
    before = result(done(folder, "who", 1, kept))
    process = int(before.strip("()").split(", ")[0])
    if change == "a variable":
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    else:
        (packages / "other").mkdir()
    assert result(done(folder, "who", 1, kept)) != before
    assert all_gone([process])


def test_no_more_than_so_many_are_kept(folder: Path, kept: keepers.Keepers, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()
    for name in range(keepers.MOST + 1):
        python = folder / f"python{name}"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        python.chmod(0o755)
        request = wire.AgentRequest(str(folder / "code.py"), "who", "1", wire.RUN, 30)
        report = agent.run(agent.Job(request, str(python), str(folder)), keepers=kept)
        made.append(int(result(report).strip("()").split(", ")[0]))
    assert all_gone(made[:1])
    assert all(map(is_running, made[1:]))
    kept.end()
    assert all_gone(made)


def test_one_that_nobody_asks_for_anything_ends(folder: Path) -> None:
    others = _children(os.getpid())
    kept = keepers.Keepers(0.5)
    process = int(result(done(folder, "who", 1, kept)).strip("()").split(", ")[0])
    keeper = [each for each in _children(os.getpid()) if each not in others]
    assert keeper
    assert all_gone([process])
    until = time.monotonic() + 5
    while any(Path(f"/proc/{each}").exists() for each in keeper) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{each}").exists() for each in keeper)
    assert int(result(done(folder, "who", 1, kept)).strip("()").split(", ")[0]) != process
    kept.end()


def test_code_that_ends_the_process_it_comes_from_harms_itself_alone(folder: Path, kept: keepers.Keepers) -> None:
    result(done(folder, "who", 1, kept))
    report = done(folder, "kill_parent", 1, kept)
    assert report.error is not None and report.error.type == "Crash"
    assert result(done(folder, "who", 1, kept))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_kept", [True, False])
def test_what_the_code_has_started_ends_with_it(kind: str, is_kept: bool, folder: Path, kept: keepers.Keepers) -> None:
    place = folder / "processes"
    report = done(folder, kind, str(place), kept if is_kept else None)
    assert report.ok, report.error
    processes = noted(place)
    assert processes and not any(map(is_running, processes))


def test_cancelling_ends_all_of_them(folder: Path, kept: keepers.Keepers) -> None:
    place = folder / "processes"
    request = wire.AgentRequest(str(folder / "code.py"), "all_of_them", repr(str(place)), wire.RUN, 60)
    listener = agent.Listener()
    job = agent.Job(request, sys.executable, str(folder))
    thread = threading.Thread(target=agent.run, args=(job, listener, kept))
    thread.start()
    processes = _all_started(place)
    assert all(map(is_running, processes))
    listener.cancelled.set()
    thread.join(10)
    assert not any(map(is_running, processes))
    assert result(done(folder, "who", 1, kept)), "the next request is served"


SERVER = """
import sys
sys.path[:0] = {paths!r}
from graphwright.agent import wire
from graphwright_server import agent, keepers
kept = keepers.Keepers(60.0)
request = wire.AgentRequest({file!r}, "rest", "0", "run")
agent.run(agent.Job(request, sys.executable, {folder!r}), keepers=kept)
request = wire.AgentRequest({file!r}, "all_of_them", {place!r}, "run")
agent.run(agent.Job(request, sys.executable, {folder!r}), keepers=kept)
"""


def test_a_server_that_is_killed_leaves_no_process(folder: Path) -> None:
    place = folder / "processes"
    paths = [entry for entry in sys.path if entry.rstrip(os.sep).endswith(("analysis", "converter", "server"))]
    file = str(folder / "code.py")
    program = SERVER.format(paths=paths, file=file, folder=str(folder), place=repr(str(place)))
    with subprocess.Popen([sys.executable, "-c", program]) as server:
        processes = [*_all_started(place), *_below(server.pid)]
        assert len(processes) > 10
        assert all(map(is_running, processes))
        server.send_signal(signal.SIGKILL)
        server.wait()
        assert all_gone(processes)


def test_a_server_that_is_killed_while_tensorflow_is_imported_leaves_no_process(folder: Path) -> None:
    (folder / "stand_in" / "tensorflow.py").write_text(f"{STAND_IN}\ntime.sleep(600)\n")
    paths = [entry for entry in sys.path if entry.rstrip(os.sep).endswith(("analysis", "converter", "server"))]
    program = SERVER.format(paths=paths, file=str(folder / "code.py"), folder=str(folder), place="'x'")
    with subprocess.Popen([sys.executable, "-c", program]) as server:
        until = time.monotonic() + 20
        while not (folder / "loaded").exists() and time.monotonic() < until:
            time.sleep(0.05)
        processes = _below(server.pid)
        assert len(processes) == 2
        server.send_signal(signal.SIGKILL)
        server.wait()
        assert all_gone(processes)


def _all_started(place: Path) -> list[int]:
    ready, until = Path(f"{place}.ready"), time.monotonic() + 30
    while not ready.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return noted(place)


def _below(process: int) -> list[int]:
    return [each for child in _children(process) for each in (child, *_below(child))]


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
