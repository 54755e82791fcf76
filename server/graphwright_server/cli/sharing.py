"""Checks files: uses cached results, and distributes the other files among processes.

The outcomes are in the order of the files, for any number of processes.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import (
    Cache,
    Checked,
    FileDependency,
    Folder,
    Import,
    Need,
    Outline,
    PlacedSettings,
    Shown,
    Unreadable,
    digest_of,
    is_notebook,
    key_of,
    read_bytes,
    together,
)

from graphwright_server import analysis_log, garbage
from graphwright_server.processes import MOST_HELD, resident

from . import fixing
from .findings import CheckedFile, Failure

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from graphwright_analysis import Project, Range, Report, Telling

ALONE = 24
"""The number of files that one process checks faster than it takes to start others."""
SHARE = 64
"""The maximum number of files to send to a process at a time: neighboring files import the same ones."""
CRASH = "could not be checked; this is a bug in Graphwright"


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check, in its project folder."""

    folder: Folder
    path: Path
    shown: str
    named: bool = False
    """True if it was named itself, rather than found in a folder."""

    @property
    def key(self) -> str:
        return str(self.path)

    @property
    def project(self) -> Project:
        """The project of the folder, in this process."""
        return project_of(self.folder)


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The result for a file; `survived` are errors that cost some of its findings."""

    result: CheckedFile | Failure
    survived: tuple[str, ...] = ()
    checked: Checked = field(default_factory=Checked)
    outlines: tuple[tuple[str, Outline], ...] = ()
    """The outlines of the files that it uses, by digest, if this process hasn't sent them before."""


def outcomes(targets: Sequence[Target], jobs: int, cache: Cache) -> Iterator[FileOutcome]:
    """The outcome of each target on its own, in order."""
    digest_of.cache_clear()
    _outlined.clear()
    _led.clear()
    for project in _projects.values():
        project.look_again()
    placed = _placed_settings(targets)
    keys = [_cache_key(target, placed) for target in targets]
    known = [_remembered(target, key, cache) for target, key in zip(targets, keys, strict=True)]
    missing = [target for target, outcome in zip(targets, known, strict=True) if outcome is None]
    if jobs > 1 and len(missing) > ALONE:
        fresh = _shared_out(missing, jobs)
    else:
        log = analysis_log.listen()
        fresh = (check(target, log) for target in missing)
    for target, key, outcome in zip(targets, keys, known, strict=True):
        if outcome is None:
            outcome = next(fresh)
            is_whole = isinstance(outcome.result, CheckedFile) and not outcome.survived
            # What has changed meanwhile isn't what was read at first, and who imports a file isn't part of the key.
            storable = is_whole and outcome.checked.telling.own.is_alone is None
            if key is not None and storable and key == _cache_key(target, placed):
                cache.put(key, outcome.checked)
            for digest, outline in outcome.outlines:
                cache.put_outline(digest, outline)
        yield outcome
    # The processes end here, and not while Python does.
    next(fresh, None)


def as_one_program(targets: Sequence[Target], outcomes: Sequence[FileOutcome]) -> Iterator[FileOutcome]:
    """The outcomes, with what the files report about each other, and without what those reports refute."""
    told, called = defaultdict[str, "list[Report]"](list), defaultdict[str, set[str]](set)
    for telling in (each.checked.telling for each in outcomes):
        for path, report in telling.others.items():
            told[path].append(report)
        for path, functions in telling.called.items():
            called[path] |= functions
    for target, outcome in zip(targets, outcomes, strict=True):
        result = outcome.result
        if isinstance(result, CheckedFile) and (result.path in told or result.path in called):
            diagnostics = together(outcome.checked.telling.own, told[result.path], called[result.path])
            text = result.text or (target.folder.text(target.key) if diagnostics else "")
            outcome = replace(outcome, result=replace(result, text=text, diagnostics=diagnostics))
            telling = outcome.checked.telling
            cut = tuple(each for each in telling.cut if each.name not in called[result.path])
            outcome = replace(outcome, checked=replace(outcome.checked, telling=replace(telling, cut=cut)))
        yield outcome


def project_of(folder: Folder) -> Project:
    """Return the project of a folder; created with the first file that is analyzed, because that loads the analysis."""
    from graphwright_analysis import Project

    key = folder.root, repr((folder.settings, folder.overrides, folder.packages))
    if key not in _projects:
        _projects[key] = Project(folder.root, folder.settings, still=True, packages=folder.packages)
        _projects[key].sources.overrides = folder.overrides
    return _projects[key]


_projects: dict[tuple[Path | None, str], Project] = {}


def check(target: Target, log: analysis_log.AnalysisLog) -> FileOutcome:
    """Check one file in this process."""
    garbage.look(garbage.BETWEEN_FILES)
    project, key = target.project, target.key
    try:
        telling = _with_proved_fixes(project, key, project.telling(key))
        needs = tuple(Need(one.module, one.level, one.name, *led) for one, led in project.sources.needs(key))
        asked = tuple(_asked(project, *each) for each in project.traced.requests_of(key))
        checked = Checked(telling, unparsed_in(project, key), needs, asked, tuple(_shown(project, key, telling)))
        outlines = tuple(_outlines(project, asked))
        # Nobody looks at the text of a clean file again.
        text = _shown_text(target) if telling.own.diagnostics else ""
        file = CheckedFile(key, target.shown, text, telling.own.diagnostics)
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


def _with_proved_fixes(project: Project, key: str, telling: Telling) -> Telling:
    """What a run reports, with only the proven fixes."""
    from graphwright_analysis import proved  # it loads the analysis

    reports = {key: telling.own, **telling.others}
    held = {at: replace(each, diagnostics=proved(project, at, each.diagnostics, key)) for at, each in reports.items()}
    return replace(telling, own=held.pop(key), others=held)


def _shown_text(target: Target) -> str:
    """The text that findings are shown in: for a notebook, that of its cells as written."""
    return target.folder.text(target.key) if is_notebook(target.key) else target.project.text(target.key)


def unparsed_in(project: Project, key: str) -> tuple[tuple[int, str], ...]:
    """The lines of a file at which something can't be parsed, each with the first problem there."""
    lines, problems = project.module(key).lines, reversed(project.sources.problems(key))
    return tuple(sorted({lines.line_of(each.range.start) + 1: each.message for each in problems}.items()))


def _placed_settings(targets: Iterable[Target]) -> str:
    """The settings of folders in projects, on which the reports of files about each other depend."""
    folders = {(id(each.folder), os.path.dirname(each.key)): each.folder for each in targets}
    placed = {repr(project.settings_in(folder)) for (_, folder), project in folders.items()}
    return repr(sorted(placed - {repr(PlacedSettings(each.settings, each.root)) for each in folders.values()}))


def _cache_key(target: Target, placed: str) -> str | None:
    try:
        folder = target.folder
        asked = folder.settings, placed, folder.keras_of(target.key), target.key, str(folder.root)
        return key_of(read_bytes(target.path), *asked)
    except Unreadable:
        return None


def _remembered(target: Target, key: str | None, cache: Cache) -> FileOutcome | None:
    found = cache.get(key) if key is not None else None
    if found is None:
        return None
    telling, folder = found.telling, target.folder
    led = (folder.first_file(target.key, Import(n.module, n.level, n.name)) == (n.file, n.asked) for n in found.needs)
    look = _Look(target, cache)
    if not all(led) or not all(map(look.finds_the_same, found.asked)) or not all(map(look.shows_the_same, found.shown)):
        return None
    text = folder.text(target.key) if telling.own.diagnostics else ""
    return FileOutcome(CheckedFile(target.key, target.shown, text, telling.own.diagnostics), (), found)


def _asked(project: Project, question: str, file: str, names: Set[str] | None) -> FileDependency:
    try:
        led = _where_led(project.sources, file, digest_of(file), project.sources.outline(file))
    except Unreadable:
        led = ""
    return FileDependency(question, file, None if names is None else tuple(sorted(names)), digest_of(file), led)


def _shown(project: Project, key: str, telling: Telling) -> Iterator[Shown]:
    """The other files that findings are in or refer to, with as much of their texts as the findings need."""
    ends = defaultdict[str, int](int)
    for file, range in _places(key, telling):
        ends[file] = max(ends[file], range.end)
    for file in ends.keys() - {key}:
        text = project.text(file)
        next_part = _PART.search(text, ends[file])
        length = len(text) if next_part is None else next_part.start()
        yield Shown(file, length, _digest_of_text(text, length))


def _places(key: str, telling: Telling) -> Iterator[tuple[str, Range]]:
    """All places that findings are about, refer to or would edit, with their files."""
    for path, report in ((key, telling.own), *telling.others.items()):
        for each in report.diagnostics:
            yield path, each.range
            yield from ((related.path or path, related.range) for related in each.related)
            yield from ((path, edit.range) for fix in each.fixes for edit in fix.edits)


_PART = re.compile(r"^(?:def|class|async|@)", re.MULTILINE)
_ALLOWED = re.compile(r"^.*graphwright:.*$", re.MULTILINE)


def _digest_of_text(text: str, length: int) -> str:
    """Return a digest of the beginning of a text, and of the suppression comments in the rest."""
    content = repr((text[:length], _ALLOWED.findall(text, length)))
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _where_led(folder: Folder, file: str, digest: str, outline: Outline) -> str:
    """Return a digest of where the imports of a file lead."""
    key = file, digest
    if key not in _led:
        led = (folder.first_file(file, Import(module, level, name)) for _, module, level, name in outline.imports)
        _led[key] = hashlib.blake2b(repr([*led]).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return _led[key]


def _outlines(project: Project, asked: Iterable[FileDependency]) -> Iterator[tuple[str, Outline]]:
    for each in asked:
        if (each.file, each.digest) not in _outlined:
            _outlined.add((each.file, each.digest))
            with suppress(Unreadable):
                yield each.digest, project.sources.outline(each.file)


_outlined: set[tuple[str, str]] = set()
_led: dict[tuple[str, str], str] = {}


@dataclass(frozen=True, slots=True)
class _Look:
    """Validates a cached file."""

    target: Target
    cache: Cache

    def finds_the_same(self, asked: FileDependency) -> bool:
        """True if no change in another file matters to this lookup."""
        question, file, names, digest, led = asked
        before = self.cache.outline(digest)
        if before is None or _where_led(self.target.folder, file, digest, before) != led:
            return before is None and digest_of(file) == digest == ""
        if digest_of(file) == digest:
            return True
        now, wanted = _outline(self.target.project, file, self.cache), None if names is None else frozenset(names)
        return now is not None and before.answer(question, wanted) == now.answer(question, wanted)

    def shows_the_same(self, shown: Shown) -> bool:
        """True if the findings in a file, or that refer to it, are still in the same places."""
        with suppress(Unreadable):
            return _digest_of_text(self.target.folder.text(shown.file), shown.length) == shown.digest
        return False


def _outline(project: Project, file: str, cache: Cache) -> Outline | None:
    digest = digest_of(file)
    found = cache.outline(digest)
    if found is None:
        try:
            found = project.sources.outline(file)
        except Unreadable:
            return None
        cache.put_outline(digest, found)
    return found


# Among processes


def _shared_out(targets: Sequence[Target], jobs: int) -> Iterator[FileOutcome]:
    size = max(1, min(SHARE, len(targets) // (4 * jobs)))
    shares = [targets[start : start + size] for start in range(0, len(targets), size)]
    pool, futures = _started(shares, jobs)
    with pool:
        try:
            for share, future in zip(shares, futures, strict=True):
                yield from _result(share, future)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _result(share: Sequence[Target], future: Future[list[FileOutcome]]) -> Iterator[FileOutcome]:
    """A share's outcomes; if its process died, each of its files is tried in a separate process."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield from future.result()
    except BrokenProcessPool:
        for target in share:
            pool, (alone,) = _started([[target]], 1)
            with pool:
                try:
                    yield from alone.result()
                except BrokenProcessPool:
                    yield FileOutcome(Failure(target.shown, f"{CRASH} (the process that did it died)", crashed=True))


def _started(
    shares: Sequence[Sequence[Target]], jobs: int
) -> tuple[ProcessPoolExecutor, list[Future[list[FileOutcome]]]]:
    """Start processes that check the shares as they arrive."""
    from concurrent.futures import ProcessPoolExecutor  # takes as long to load as a cached run

    with _outside():
        pool = ProcessPoolExecutor(min(jobs, len(shares)), initializer=_begin)
        return pool, [pool.submit(_check_share, share) for share in shares]


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


_log: analysis_log.AnalysisLog


def _begin() -> None:
    global _log
    _log = analysis_log.listen()
    garbage.look_between()


def _check_share(share: Sequence[Target]) -> list[FileOutcome]:
    return [_check_within_memory(target) for target in share]


def _check_within_memory(target: Target) -> FileOutcome:
    """Check a file, and drop what is cached about all others if that uses too much memory."""
    outcome = check(target, _log)
    if resident(os.getpid()) > MOST_HELD:
        _projects.clear()
        garbage.look(0)
    return outcome
