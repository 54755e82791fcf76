"""Checks files: takes what is known of them from the cache, and shares the rest out among processes.

The outcomes come in the order of the files, however many processes there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import Cache, Checked, Folder, Import, Need, Outline, Text, Unreadable, digest_of, key_of

from graphwright_server import analysis_log, garbage

from . import fixing
from .findings import CheckedFile, Failure

if TYPE_CHECKING:
    from concurrent.futures import Future

    from graphwright_analysis import Project

ALONE = 24
"""How many files one process checks sooner than others are started."""
SHARE = 64
"""How many files a process is given at a time, at most: neighbours import the same files."""
CRASH = "could not be checked; this is a bug in Graphwright"


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check, in the folder of the project that it belongs to."""

    folder: Folder
    path: Path
    shown: str
    named: bool = False
    """Whether it was asked for by its own name, and isn't one of a folder's."""

    @property
    def key(self) -> str:
        return str(self.path)

    @property
    def project(self) -> Project:
        """What is known of the files of the folder, in this process."""
        return project_of(self.folder)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a file came to; `survived` are failures that cost a part of its findings."""

    result: CheckedFile | Failure
    unparsed: tuple[tuple[int, str], ...] = ()
    survived: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    outlines: tuple[tuple[str, Outline], ...] = ()
    """Of the files that it imports, by their digests, as far as this process hasn't told of them before."""


def outcomes(targets: Sequence[Target], jobs: int, cache: Cache) -> Iterator[Outcome]:
    """The outcome of every target, in their order."""
    digest_of.cache_clear()
    _outlined.clear()
    for project in _projects.values():
        project.look_again()
    keys = [_cache_key(target) for target in targets]
    known = [_remembered(target, key, cache) for target, key in zip(targets, keys, strict=True)]
    missing = [target for target, outcome in zip(targets, known, strict=True) if outcome is None]
    if jobs > 1 and len(missing) > ALONE:
        fresh = _shared_out(missing, jobs)
    else:
        log = analysis_log.listen()
        fresh = (check(target, log) for target in missing)
    for key, outcome in zip(keys, known, strict=True):
        if outcome is None:
            outcome = next(fresh)
            if key is not None and isinstance(outcome.result, CheckedFile) and not outcome.survived:
                cache.put(key, Checked(outcome.result.diagnostics, outcome.unparsed, outcome.needs))
            for digest, outline in outcome.outlines:
                cache.put_outline(digest, outline)
        yield outcome
    # The processes end here, and not while Python does.
    next(fresh, None)


def project_of(folder: Folder) -> Project:
    """The project of a folder, which is opened when the first of its files is looked into: that loads the analysis."""
    from graphwright_analysis import Project

    key = folder.root, repr(folder.settings)
    if key not in _projects:
        _projects[key] = Project(folder.root, folder.settings, still=True)
    return _projects[key]


_projects: dict[tuple[Path | None, str], Project] = {}


def check(target: Target, log: analysis_log.AnalysisLog) -> Outcome:
    """Check one file here and now."""
    garbage.look(garbage.BETWEEN_FILES)
    project, key = target.project, target.key
    try:
        diagnostics = project.check(key)
        unparsed = unparsed_in(project, key)
        # Nobody looks at the text of a clean file again.
        text = project.text(key) if diagnostics else ""
        needs = tuple(_need(asked, trail) for asked, trail in project.needs(key))
        outlines = tuple(_outlines(project, needs))
        project.set_aside(key)
        return Outcome(CheckedFile(key, target.shown, text, diagnostics), unparsed, tuple(log.take()), needs, outlines)
    except Unreadable as error:
        return Outcome(Failure(target.shown, error.reason))
    except fixing.CannotFix as error:
        return Outcome(Failure(target.shown, str(error), crashed=True))
    except BrokenPipeError:
        raise
    except Exception as error:
        return Outcome(Failure(target.shown, f"{CRASH} ({type(error).__name__}: {error})", crashed=True))


def unparsed_in(project: Project, key: str) -> tuple[tuple[int, str], ...]:
    """The lines of a file at which something can't be parsed, and why."""
    lines = project.module(key).lines
    return tuple((lines.line_of(problem.range.start) + 1, problem.message) for problem in project.problems(key))


def available_processors() -> int:
    """How many processes may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cache_key(target: Target) -> str | None:
    try:
        return key_of(target.path.read_bytes(), target.folder.settings, target.key, str(target.folder.root))
    except OSError:
        return None


def _remembered(target: Target, key: str | None, cache: Cache) -> Outcome | None:
    found = cache.get(key) if key is not None else None
    if found is None:
        return None
    importer = _Importer(target, {related.path for each in found.diagnostics for related in each.related})
    if not all(importer.still_has(need, cache) for need in found.needs):
        return None
    text = target.folder.text(target.key) if found.diagnostics else ""
    return Outcome(CheckedFile(target.key, target.shown, text, found.diagnostics), found.unparsed)


def _need(asked: Import, trail: Sequence[tuple[str, str | None]]) -> Need:
    return Need(asked.module, asked.level, asked.name, tuple((file, name, digest_of(file)) for file, name in trail))


def _outlines(project: Project, needs: Iterable[Need]) -> Iterator[tuple[str, Outline]]:
    for file, _, digest in (led for need in needs for led in need.files):
        if (file, digest) not in _outlined:
            _outlined.add((file, digest))
            with suppress(Unreadable):
                yield digest, project.outline(file)


_outlined: set[tuple[str, str]] = set()


@dataclass(frozen=True)
class _Importer:
    """A file whose findings are remembered, and the files that they point into."""

    target: Target
    told_of: Set[str | None]

    def still_has(self, need: Need, cache: Cache) -> bool:
        """Whether an import leads where it led, and finds there what it found."""
        first, _ = self.target.folder.first_file(self.target.key, Import(need.module, need.level, need.name))
        led = need.files[0][0] if need.files else None
        return first == led and all(
            digest_of(file) == digest or self._finds_the_same(file, name, digest, cache)
            for file, name, digest in need.files
        )

    def _finds_the_same(self, file: str, name: str | None, digest: str, cache: Cache) -> bool:
        """Whether nothing counts here of what was changed in a file."""
        before = cache.outline(digest)
        if before is None or file in self.told_of:
            return False
        now = _outline(self.target.project, file, cache)
        asked = self._text.asks(name)
        return now is not None and before.counting_for(asked) == now.counting_for(asked)

    @cached_property
    def _text(self) -> Text:
        return Text.of(self.target.folder.text(self.target.key))


def _outline(project: Project, file: str, cache: Cache) -> Outline | None:
    digest = digest_of(file)
    found = cache.outline(digest)
    if found is None:
        try:
            found = project.outline(file)
        except Unreadable:
            return None
        cache.put_outline(digest, found)
    return found


# Among processes


def _shared_out(targets: Sequence[Target], jobs: int) -> Iterator[Outcome]:
    from concurrent.futures import ProcessPoolExecutor  # takes as long to load as a cached run

    size = max(1, min(SHARE, len(targets) // (4 * jobs)))
    shares = [targets[start : start + size] for start in range(0, len(targets), size)]
    with ProcessPoolExecutor(min(jobs, len(shares)), initializer=_begin) as pool:
        try:
            futures = [pool.submit(_check_share, share) for share in shares]
            for share, future in zip(shares, futures, strict=True):
                yield from _result(share, future)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _result(share: Sequence[Target], future: Future[list[Outcome]]) -> Iterator[Outcome]:
    """A share's outcomes; where its process died, each of its files is tried in a process of its own."""
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    try:
        yield from future.result()
    except BrokenProcessPool:
        for target in share:
            with ProcessPoolExecutor(1, initializer=_begin) as alone:
                try:
                    yield from alone.submit(_check_share, [target]).result()
                except BrokenProcessPool:
                    yield Outcome(Failure(target.shown, f"{CRASH} (the process that did it died)", crashed=True))


_log: analysis_log.AnalysisLog


def _begin() -> None:
    global _log
    _log = analysis_log.listen()
    garbage.look_between()


def _check_share(share: Sequence[Target]) -> list[Outcome]:
    return [check(target, _log) for target in share]
