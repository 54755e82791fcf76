"""A separate process that checks closed files, so that no edit waits for them.

`CheckingProcess` is the server's end, `main` that of the process; they exchange pickled messages over the standard
streams of the process. It ends when its input does, so it doesn't outlive a killed server.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import graphwright_analysis as analysis
from graphwright_analysis import immutable

from graphwright_server import analysis_log, garbage
from graphwright_server.processes import MOST_HELD, resident

_BEGIN = "import sys; sys.path += {path!r}; from {module} import main; main()"
_NEEDED = ("graphwright_server", "graphwright_analysis", "gast")
_LIMIT = 120.0
# How much less the process is worth than one in which somebody types.
_NICE = 10

Buffers = Mapping[str, "str | Sequence[str]"]


@immutable
class Request:
    """A file to check in the project of a folder; buffers that haven't changed are None."""

    root: Path | None
    settings: analysis.Settings
    key: str
    buffers: Buffers | None
    packages: tuple[Path, ...] = ()
    generation: object = None
    """Changes with the contents of a project's configuration files."""
    overrides: analysis.Overrides | None = None


@immutable
class Reply:
    """The result for a file: what its run reports about it and others.

    Also the files that determined it, with their stamps, and the texts that the findings refer to.
    """

    reports: analysis.RunReports = field(default_factory=lambda: analysis.RunReports())
    stamps: Mapping[str, tuple[int, int] | None] = field(default_factory=dict[str, "tuple[int, int] | None"])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    unread: str = ""
    """Why it can't be read, if it can't."""
    failures: tuple[str, ...] = ()


class CheckingProcess:
    """Started when there is something to check, and restarted after it died; only one thread at a time may use it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._told: Buffers | None = None
        self._asking = threading.Lock()
        """Its owner may read and close the streams; any thread may kill the process."""

    def check(
        self,
        root: Path | None,
        settings: analysis.Settings,
        key: str,
        buffers: Buffers,
        packages: tuple[Path, ...] = (),
        generation: object = None,
        overrides: analysis.Overrides | None = None,
    ) -> Reply:
        """Check a file; the result is a failure if that ends the process or takes too long."""
        with self._asking:
            process = self._running()
            timer = threading.Timer(_LIMIT, process.kill)
            timer.start()
            try:
                assert process.stdin is not None and process.stdout is not None
                told = None if buffers is self._told else buffers
                pickle.dump(Request(root, settings, key, told, packages, generation, overrides), process.stdin)
                process.stdin.flush()
                self._told = buffers
                reply = pickle.load(process.stdout)
                assert isinstance(reply, Reply)
                if resident(process.pid) > MOST_HELD:
                    # What it remembers only saves time; the next file starts another one.
                    self._put_away()
                return reply
            except (OSError, EOFError, pickle.UnpicklingError):
                self._put_away()
                return Reply(failures=("the process that checked it has ended",))
            finally:
                timer.cancel()

    def rest(self) -> None:
        """End the process if it has nothing to do."""
        if self._asking.acquire(blocking=False):
            try:
                self._put_away()
            finally:
                self._asking.release()

    def end(self) -> None:
        """End the process; the next file starts another one."""
        process = self._process
        if process is not None:
            process.kill()
            process.wait()
        self.rest()

    def _put_away(self) -> None:
        process, self._process, self._told = self._process, None, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._put_away()
            # Isolated, and what it needs at the end: the folder that the server runs in is nothing to import from.
            found = [importlib.util.find_spec(name) for name in _NEEDED]
            path = [str(Path(each.origin).parents[1]) for each in found if each is not None and each.origin]
            command = [sys.executable, "-I", "-c", _BEGIN.format(path=path, module=__name__)]
            flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=flags
            )
        return self._process


# The other side


def main() -> None:
    """Answer requests until the input ends."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICE)
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # What else is printed goes to standard error.
    os.dup2(2, 1)
    log = analysis_log.listen(tracebacks=True)
    garbage.look_between()
    checks, waiting = _Checks(), queue.SimpleQueue[Request]()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    with contextlib.suppress(OSError, KeyboardInterrupt):
        while True:
            reply = checks.reply(waiting.get(), log)
            pickle.dump(reply, replies)
            replies.flush()
            garbage.look(garbage.BETWEEN_FILES)


def _read(requests: BinaryIO, waiting: queue.SimpleQueue[Request]) -> None:
    """Pass on the requests; when the input ends, end the process, even in the middle of a request."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while isinstance(request := pickle.load(requests), Request):
            waiting.put(request)
    os._exit(0)


@dataclass(slots=True)
class _Checks:
    """The projects, with their buffers."""

    projects: dict[Path | None, analysis.Project] = field(default_factory=dict["Path | None", "analysis.Project"])
    buffers: Buffers = field(default_factory=dict[str, "str | Sequence[str]"])
    generations: dict[Path | None, object] = field(default_factory=dict["Path | None", object])

    def reply(self, request: Request, log: analysis_log.AnalysisLog) -> Reply:
        log.take()
        stamps: Mapping[str, tuple[int, int] | None] = {request.key: analysis.stamp_of(request.key)}
        try:
            project = self._project(request)
            run_reports = project.run_reports(request.key)
            stamps = project.needed_files(request.key)
            texts = _texts(project, request.key, run_reports)
            project.set_aside(request.key)
            return Reply(run_reports, stamps, texts, failures=tuple(log.take()))
        except analysis.Unreadable as error:
            return Reply(stamps=stamps, unread=str(error))
        except Exception as error:
            told = f"it could not be checked; this is a bug in Graphwright ({type(error).__name__}: {error})"
            return Reply(stamps=stamps, failures=(*log.take(), told))

    def _project(self, request: Request) -> analysis.Project:
        if request.buffers is not None:
            for project in self.projects.values():
                for key in self.buffers.keys() - request.buffers.keys():
                    project.forget(key)
            self.buffers = request.buffers
        project = self.projects.get(request.root)
        if project is None:
            project = analysis.Project(request.root, request.settings, packages=request.packages)
            self.projects[request.root] = project
            _give(project, self.buffers)
        elif request.buffers is not None:
            _give(project, request.buffers)
        if self.generations.get(request.root) != request.generation:
            self.generations[request.root] = request.generation
            project.look_again()
        project.sources.settings = request.settings
        project.sources.overrides = request.overrides or analysis.NO_OVERRIDES
        # Whoever asks has told the user.
        project.sources.on_bad_settings = _ignore
        return project


def _ignore(error: analysis.SettingsError) -> None:
    pass


def _give(project: analysis.Project, buffers: Buffers) -> None:
    for key, text in buffers.items():
        if isinstance(text, str):
            project.set_text(key, text)
        else:
            project.set_cells(key, text)


def _texts(project: analysis.Project, key: str, run_reports: analysis.RunReports) -> dict[str, str]:
    """The texts of the files with findings, and of those that the findings refer to."""
    reports = {key: run_reports.own, **run_reports.others}
    told = {path: report.possible for path, report in reports.items() if report.possible}
    pointed = (related.path for found in told.values() for each in found for related in each.related)
    texts: dict[str, str] = {}
    for path in dict.fromkeys([*told, *(path for path in pointed if path is not None)]):
        with contextlib.suppress(analysis.Unreadable):
            texts[path] = project.text(path)
    return texts
