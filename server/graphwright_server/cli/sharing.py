"""Checks files: uses cached results, and distributes the other files among processes.

The outcomes are in the order of the files, for any number of processes.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING

from graphwright_analysis import Cache, Checked, KnownRun, KnownRuns, Outline, Unreadable, immutable, is_notebook

from graphwright_server import analysis_log, garbage
from graphwright_server.processes import MOST_HELD, resident

from . import fixing, stored_findings
from .findings import CheckedFile, Failure
from .targets import Target, projects

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from graphwright_analysis import Project, RunReports

ALONE = 24
"""The number of files that one process checks faster than it takes to start others."""
SHARE = 64
"""The maximum number of files to send to a process at a time: neighboring files import the same ones."""
CRASH = "could not be checked; this is a bug in Graphwright"


@immutable
class FileOutcome:
    """The result for a file; `survived` are errors that cost some of its findings."""

    result: CheckedFile | Failure
    survived: tuple[str, ...] = ()
    checked: Checked = field(default_factory=Checked)
    outlines: tuple[tuple[str, Outline], ...] = ()
    """The outlines of the files that it uses, by digest, if this process hasn't sent them before."""


def outcomes(targets: Sequence[Target], jobs: int, cache: Cache) -> Iterator[FileOutcome]:
    """The outcome of each target on its own, in order."""
    stored_findings.forget()
    for project in projects.values():
        project.look_again()
    placed = stored_findings.placed_settings(targets)
    keys = [stored_findings.cache_key(target, placed) for target in targets]
    known = [_stored(target, key, cache) for target, key in zip(targets, keys, strict=True)]
    missing = [target for target, outcome in zip(targets, known, strict=True) if outcome is None]
    if jobs > 1 and len(missing) > ALONE:
        fresh = _shared_out(missing, jobs, cache.is_open)
    else:
        log = analysis_log.listen()
        fresh = (check(target, log, cache.is_open) for target in missing)
    for target, key, outcome in zip(targets, keys, known, strict=True):
        if outcome is None:
            outcome = next(fresh)
            is_whole = isinstance(outcome.result, CheckedFile) and not outcome.survived
            # What has changed meanwhile isn't what was read at first.
            if key is not None and is_whole and key == stored_findings.cache_key(target, placed):
                cache.put(key, outcome.checked)
            for digest, outline in outcome.outlines:
                cache.put_outline(digest, outline)
        yield outcome
    # The processes end here, and not while Python does.
    next(fresh, None)


def as_one_program(targets: Sequence[Target], outcomes: Sequence[FileOutcome]) -> Iterator[FileOutcome]:
    """The outcomes, with what the files report about each other, and without what those reports refute."""
    runs = KnownRuns()
    for target, outcome in zip(targets, outcomes, strict=True):
        runs.put(target.key, KnownRun(outcome.checked.reports))
    hinging = runs.hinge_on_importers
    for project in {id(each.folder): each.project for each in targets if each.key in hinging}.values():
        runs.imported |= project.imported_among(hinging)
    for target, outcome in zip(targets, outcomes, strict=True):
        result, key = outcome.result, target.key
        if isinstance(result, CheckedFile) and (runs.runners(key) or outcome.checked.reports.own.unless_imported):
            diagnostics, called = runs.findings(key), runs.called_in(key)
            text = result.text or (target.folder.text(key) if diagnostics else "")
            outcome = replace(outcome, result=replace(result, text=text, diagnostics=diagnostics))
            run_reports = outcome.checked.reports
            cut = tuple(each for each in run_reports.cut if each.name not in called)
            outcome = replace(outcome, checked=replace(outcome.checked, reports=replace(run_reports, cut=cut)))
        yield outcome


def check(target: Target, log: analysis_log.AnalysisLog, storing: bool) -> FileOutcome:
    """Check one file in this process; what only a cache needs is left out unless it is stored."""
    garbage.look(garbage.BETWEEN_FILES)
    project, key = target.project, target.key
    try:
        run_reports = _with_proved_fixes(project, key, project.run_reports(key))
        checked, outlines = Checked(run_reports, unparsed_in(project, key)), ()
        if storing:
            checked, outlines = stored_findings.with_dependencies(project, key, checked)
        # Nobody looks at the text of a clean file again.
        text = _shown_text(target) if run_reports.own.diagnostics else ""
        file = CheckedFile(key, target.shown, text, run_reports.own.diagnostics)
        project.set_aside(key)
        return FileOutcome(file, tuple(log.take()), checked, outlines)
    except Unreadable as error:
        return FileOutcome(Failure(target.shown, error.reason, missing=target.named))
    except fixing.CannotFix as error:
        return FileOutcome(Failure(target.shown, str(error), crashed=True))
    except BrokenPipeError:
        raise
    except Exception as error:
        return FileOutcome(Failure(target.shown, f"{CRASH} ({type(error).__name__}: {error})", crashed=True))


def _with_proved_fixes(project: Project, key: str, run_reports: RunReports) -> RunReports:
    """What a run reports, with only the proven fixes."""
    from graphwright_analysis import proved  # it loads the analysis

    reports = {key: run_reports.own, **run_reports.others}
    held = {
        at: replace(
            each,
            diagnostics=proved(project, at, each.diagnostics, key),
            unless_imported=proved(project, at, each.unless_imported, key),
        )
        for at, each in reports.items()
    }
    return replace(run_reports, own=held.pop(key), others=held)


def _shown_text(target: Target) -> str:
    """The text that findings are shown in: for a notebook, that of its cells as written."""
    return target.folder.text(target.key) if is_notebook(target.key) else target.project.text(target.key)


def _stored(target: Target, key: str | None, cache: Cache) -> FileOutcome | None:
    """The outcome of an earlier check, if one would find the same now."""
    found = cache.get(key) if key is not None else None
    if found is None or not stored_findings.is_current(target, found, cache):
        return None
    diagnostics = found.reports.own.diagnostics
    text = target.folder.text(target.key) if diagnostics else ""
    return FileOutcome(CheckedFile(target.key, target.shown, text, diagnostics), (), found)


def unparsed_in(project: Project, key: str) -> tuple[tuple[int, str], ...]:
    """The lines of a file at which something can't be parsed, each with the first problem there."""
    lines, problems = project.module(key).lines, reversed(project.sources.problems(key))
    return tuple(sorted({lines.line_of(each.range.start) + 1: each.message for each in problems}.items()))


# Among processes


def _shared_out(targets: Sequence[Target], jobs: int, storing: bool) -> Iterator[FileOutcome]:
    size = max(1, min(SHARE, len(targets) // (4 * jobs)))
    shares = [targets[start : start + size] for start in range(0, len(targets), size)]
    pool, futures = _started(shares, jobs, storing)
    with pool:
        try:
            for share, future in zip(shares, futures, strict=True):
                yield from _result(share, future, storing)
        except BaseException:
            _end_processes()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_processes() -> None:
    """End the processes that check files: a share of large files takes minutes."""
    import multiprocessing

    for process in multiprocessing.active_children():
        process.terminate()


def _result(share: Sequence[Target], future: Future[list[FileOutcome]], storing: bool) -> Iterator[FileOutcome]:
    """A share's outcomes; if its process died, each of its files is tried in a separate process."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield from future.result()
    except BrokenProcessPool:
        for target in share:
            pool, (alone,) = _started([[target]], 1, storing)
            with pool:
                try:
                    yield from alone.result()
                except BrokenProcessPool:
                    yield FileOutcome(Failure(target.shown, f"{CRASH} (the process that did it died)", crashed=True))


def _started(
    shares: Sequence[Sequence[Target]], jobs: int, storing: bool
) -> tuple[ProcessPoolExecutor, list[Future[list[FileOutcome]]]]:
    """Start processes that check the shares as they arrive."""
    from concurrent.futures import ProcessPoolExecutor  # takes as long to load as a cached run

    with _outside(), _interrupts_held():
        pool = ProcessPoolExecutor(min(jobs, len(shares)), initializer=_begin)
        return pool, [pool.submit(_check_share, share, storing) for share in shares]


@contextmanager
def _outside() -> Generator[None]:
    """Start processes outside of the current folder, from which a new Python would import modules first.

    A new process changes to the current folder once it has imported its modules; a forked one already has them.
    """
    import multiprocessing

    if multiprocessing.get_start_method() == "fork":
        yield
        return
    here = os.getcwd()
    os.chdir(sys.prefix)
    try:
        yield
    finally:
        os.chdir(here)


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold back Ctrl-C, also in the processes that start here, until they ignore it (`_begin`)."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_log: analysis_log.AnalysisLog


def _begin() -> None:
    global _log
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C here, too; the first process ends this one
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _log = analysis_log.listen()
    garbage.look_between()


def _end_with_parent() -> None:
    """End this process when the one that started it has ended: killed, it can't say so."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    while parent is not None and parent.is_alive():
        time.sleep(_PARENT_INTERVAL)
    os._exit(1)


_PARENT_INTERVAL = 1.0
"""The seconds between two looks at the process that started this one."""


def _check_share(share: Sequence[Target], storing: bool) -> list[FileOutcome]:
    return [_check_within_memory(target, storing) for target in share]


def _check_within_memory(target: Target, storing: bool) -> FileOutcome:
    """Check a file, and drop what is cached about all others if that uses too much memory."""
    outcome = check(target, _log, storing)
    if resident(os.getpid()) > MOST_HELD:
        projects.clear()
        garbage.collect()
    return outcome
