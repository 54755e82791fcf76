"""`graphwright check`: find the files, check each, report.

How they are shared out among processes, and what is remembered of them, is `sharing`'s.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import (
    Cache,
    Folder,
    LineIndex,
    SettingsError,
    Unreadable,
    decode_source,
    default_folder,
    is_notebook,
    read_stream,
)

from graphwright_server import analysis_log, garbage

from . import exit_codes, fixing, notebooks, text_report
from .findings import CheckedFile, CheckRun, Failure
from .notebooks import other_cell, parts_of, place_in, unfollowed_in
from .sharing import (
    CRASH,
    FileOutcome,
    Target,
    as_one_program,
    available_processors,
    check,
    outcomes,
    project_of,
    unparsed_in,
)
from .targets import find, folder_of, project_root, shown
from .terminal import ProgressBar, TerminalStyle, printable, style_for

if TYPE_CHECKING:
    from graphwright_analysis import Project

_STDIN = "-"
_REPORTS = {"json": "json_report", "sarif": "sarif_report", "github": "github_report"}
_WITHOUT_NOTES = ("json", "github")
"""The formats that have a place for findings alone: what else is to be said goes to standard error."""


def run(options: argparse.Namespace) -> int:
    """Check what the options name and return the exit code."""
    garbage.look_between()
    try:
        return _check(_Invocation(options))
    except SettingsError as error:
        return _refuse(str(error))
    except _UsageError as error:
        return _refuse(str(error))


class _UsageError(Exception):
    """The arguments don't go together."""


@dataclass
class _Invocation:
    """The options, and what follows from them."""

    options: argparse.Namespace
    run: CheckRun = field(default_factory=CheckRun)
    log: analysis_log.AnalysisLog = field(default_factory=analysis_log.listen)
    style: TerminalStyle = field(init=False)
    changed: int = 0

    def __post_init__(self) -> None:
        self.style = style_for(sys.stdout, self.options.color)

    @property
    def streams_findings(self) -> bool:
        """Whether findings are printed as they come."""
        return self.options.format == "text" and not self.options.diff

    @property
    def changes_files(self) -> bool:
        return self.options.fix or self.options.diff


def _check(invocation: _Invocation) -> int:
    paths: list[str] = invocation.options.paths or ["."]
    if _STDIN in paths:
        if len(paths) > 1:
            raise _UsageError("'-' stands for standard input and can't be given with other paths")
        _check_stdin(invocation)
    else:
        _check_paths(invocation, paths)
    _print_report(invocation)
    return _exit_code(invocation)


def _check_paths(invocation: _Invocation, paths: Sequence[str]) -> None:
    targets = list(find(invocation.options, paths, partial(_fail, invocation)))
    progress = ProgressBar(len(targets))
    cache = Cache(None if invocation.options.no_cache or invocation.changes_files else default_folder())
    found: list[FileOutcome] = []
    for outcome in _outcomes(invocation, targets, cache):
        progress.advance()
        found.append(outcome)
    progress.clear()
    cache.close()
    told = found if invocation.changes_files else as_one_program(targets, found)
    for target, outcome in zip(targets, told, strict=True):
        result = outcome.result
        for failure in [*([result] if isinstance(result, Failure) else []), *_survived(target.shown, outcome.survived)]:
            _fail(invocation, failure)
        if isinstance(result, Failure):
            continue
        _note_unparsed(invocation, target, outcome.checked.unparsed)
        invocation.run.unfollowed += unfollowed_in(target, outcome.checked.telling.cut)
        for part in parts_of(target, result):
            invocation.run.files.append(part)
            if part.diagnostics and invocation.streams_findings:
                _print_findings(invocation, part, target.folder)


def _note_unparsed(invocation: _Invocation, target: Target, unparsed: Iterable[tuple[int, str]]) -> None:
    for line, message in unparsed:
        invocation.run.unparsed.add(target.shown)
        _say(f"{place_in(target, line)}: can't be parsed ({message}); the rest of the file was checked")


def _outcomes(invocation: _Invocation, targets: Sequence[Target], cache: Cache) -> Iterator[FileOutcome]:
    if invocation.changes_files:
        return (_fix_file(invocation, target) for target in targets)
    jobs: int = invocation.options.jobs or available_processors()
    return outcomes(targets, jobs, cache)


def _survived(shown: str, messages: Iterable[str]) -> Iterator[Failure]:
    for message in messages:
        yield Failure(shown, f"{message}; this is a bug in Graphwright", crashed=True)


def _fix_file(invocation: _Invocation, target: Target) -> FileOutcome:
    """Apply what is certain first, or show it; what is left is the outcome."""
    before = check(target, invocation.log)
    if isinstance(before.result, Failure):
        return before
    if is_notebook(target.key):
        return _fix_notebook(invocation, target, before)
    key = target.key
    try:
        data = fixing.read(target.path)
        source = fixing.decode(data)
        fixed = fixing.fix(target.project, key, source.text)
        if fixed.text == source.text:
            return before
        invocation.changed += 1
        if invocation.options.diff:
            sys.stdout.write(fixing.unified_diff(target.shown, source.text, fixed.text))
            return replace(before, result=replace(before.result, fixed=fixed.count))
        fixing.write(target.path, fixed.text, source.encoding, data)
    except fixing.CannotFix as error:
        return FileOutcome(Failure(target.shown, str(error), crashed=True))
    finally:
        target.project.forget(key)
    after = check(target, invocation.log)
    result = replace(after.result, fixed=fixed.count) if isinstance(after.result, CheckedFile) else after.result
    return replace(after, result=result)


def _fix_notebook(invocation: _Invocation, target: Target, before: FileOutcome) -> FileOutcome:
    """The same for a notebook, cell by cell."""
    try:
        fixed = notebooks.fix(target.project, target.key)
        if not fixed.count:
            return before
        invocation.changed += 1
        if invocation.options.diff:
            for cell in fixed.cells:
                sys.stdout.write(fixing.unified_diff(f"{target.shown}:cell {cell.number}", cell.before, cell.after))
            assert isinstance(before.result, CheckedFile)
            return replace(before, result=replace(before.result, fixed=fixed.count))
        fixing.replace_file(target.path, fixed.raw, fixed.before)
    except fixing.CannotFix as error:
        return FileOutcome(Failure(target.shown, str(error), crashed=True))
    finally:
        target.project.forget(target.key)
    after = check(target, invocation.log)
    result = replace(after.result, fixed=fixed.count) if isinstance(after.result, CheckedFile) else after.result
    return replace(after, result=result)


def _check_stdin(invocation: _Invocation) -> None:
    name: str = invocation.options.stdin_filename or "<stdin>"
    path = Path(os.path.abspath(invocation.options.stdin_filename or "stdin.py"))
    root = project_root(path.parent)
    project = project_of(folder_of(invocation.options, root))
    try:
        source = decode_source(read_stream(name, sys.stdin.buffer))
        if "\0" in source.text:
            raise UnicodeError("it holds null bytes")
        project.set_text(str(path), source.text)
        _check_stdin_text(invocation, project, str(path), name, source.text)
    except (SyntaxError, UnicodeError) as error:
        _fail(invocation, Failure(name, f"can't be read as Python: {error}"))
    except Unreadable as error:
        _fail(invocation, Failure(name, error.reason))
    except fixing.CannotFix as error:
        _fail(invocation, Failure(name, str(error), crashed=True))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        _fail(invocation, Failure(name, f"{CRASH} ({type(error).__name__}: {error})", crashed=True))


def _check_stdin_text(invocation: _Invocation, project: Project, key: str, name: str, text: str) -> None:
    from graphwright_analysis import proved  # it loads the analysis

    fixed = fixing.fix(project, key, text) if invocation.changes_files else fixing.Fixed(text, 0)
    invocation.changed += fixed.text != text
    if invocation.options.diff:
        sys.stdout.write(fixing.unified_diff(name, text, fixed.text))
    elif invocation.options.fix:
        sys.stdout.write(fixed.text)
    file = CheckedFile(key, name, fixed.text, proved(project, key, project.check(key)), fixed.count)
    target = Target(project, Path(key), name, True)
    _note_unparsed(invocation, target, unparsed_in(project, key))
    invocation.run.unfollowed += unfollowed_in(target, project.telling(key).cut)
    invocation.run.files.append(file)
    for failure in _survived(name, invocation.log.take()):
        _fail(invocation, failure)
    if invocation.streams_findings and not invocation.options.fix:
        _print_findings(invocation, file, project)


def _print_findings(invocation: _Invocation, file: CheckedFile, folder: Folder) -> None:
    def other_file(path: str) -> tuple[str, LineIndex] | None:
        try:
            return other_cell(path, folder) or (shown(Path(path), file.shown), LineIndex(folder.text(path)))
        except Unreadable:
            return None

    for diagnostic in file.diagnostics:
        sys.stdout.write(text_report.render(file, diagnostic, invocation.style, other_file) + "\n")


def _print_report(invocation: _Invocation) -> None:
    options, run = invocation.options, invocation.run
    if options.diff:
        if not options.quiet:
            _say(f"{_plural_fixes(run.fixed)} would be applied.")
        return
    to_stdout = not (options.fix and options.paths == [_STDIN])
    if options.format in _REPORTS and to_stdout:
        report = importlib.import_module(f"{__package__}.{_REPORTS[options.format]}")
        sys.stdout.write(report.render(run))
    stream = sys.stdout if options.format == "text" and to_stdout else sys.stderr
    if options.statistics:
        stream.write(text_report.statistics(run))
    if not run.files and not run.failures:
        _say("No Python files found.")
    elif options.format == "text" and not options.quiet and run.files:
        stream.write(text_report.summary(run) + "\n" + text_report.unfollowed(run))
    elif options.format in _WITHOUT_NOTES and not options.quiet and run.unfollowed:
        _say(text_report.unfollowed(run).rstrip())


def _exit_code(invocation: _Invocation) -> int:
    run, options = invocation.run, invocation.options
    if run.could_not_run:
        return exit_codes.COULD_NOT_RUN
    if options.exit_zero:
        return exit_codes.CLEAN
    found = invocation.changed > 0 if options.diff else run.counts_against
    return exit_codes.FINDINGS if found else exit_codes.CLEAN


def _plural_fixes(count: int) -> str:
    return "1 fix" if count == 1 else f"{count} fixes"


def _fail(invocation: _Invocation, failure: Failure) -> None:
    invocation.run.failures.append(failure)
    _say(str(failure))


def _refuse(message: str) -> int:
    _say(message)
    return exit_codes.COULD_NOT_RUN


def _say(message: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"graphwright: {printable(message)}\n")
    sys.stderr.flush()
