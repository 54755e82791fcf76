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
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import (
    Cache,
    Folder,
    LineIndex,
    Settings,
    SettingsError,
    Unreadable,
    decode_source,
    default_folder,
)

from graphwright_server import analysis_log, garbage

from . import fixing, text_report
from .findings import CheckedFile, Failure, Run
from .main import EXIT_CLEAN, EXIT_COULD_NOT_RUN, EXIT_FINDINGS
from .sharing import (
    CRASH,
    Outcome,
    Target,
    as_one_program,
    available_processors,
    check,
    outcomes,
    project_of,
    unparsed_in,
)
from .terminal import Progress, Style, printable, style_for

if TYPE_CHECKING:
    from graphwright_analysis import Project

NOTEBOOK = ".ipynb"
_NOTEBOOKS = "`check` reads Python files alone, so far. An editor with Graphwright checks notebooks while they are open"
_STDIN = "-"
_REPORTS = {"json": "json_report", "sarif": "sarif_report", "github": "github_report"}


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
    run: Run = field(default_factory=Run)
    log: analysis_log.AnalysisLog = field(default_factory=analysis_log.listen)
    style: Style = field(init=False)
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
    targets = list(_targets(invocation, paths))
    progress = Progress(len(targets))
    cache = Cache(None if invocation.options.no_cache or invocation.changes_files else default_folder())
    found: list[Outcome] = []
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
        invocation.run.files.append(result)
        _note_unparsed(invocation, target.shown, outcome.checked.unparsed, target.named)
        if result.diagnostics and invocation.streams_findings:
            _print_findings(invocation, result, target.folder)


def _note_unparsed(invocation: _Invocation, shown: str, unparsed: Iterable[tuple[int, str]], named: bool) -> None:
    for line, message in unparsed:
        invocation.run.unparsed[shown] = named
        _say(f"{shown}:{line}: can't be parsed ({message}); the rest of the file was checked")


def _outcomes(invocation: _Invocation, targets: Sequence[Target], cache: Cache) -> Iterator[Outcome]:
    if invocation.changes_files:
        return (_fix_file(invocation, target) for target in targets)
    jobs: int = invocation.options.jobs or available_processors()
    return outcomes(targets, jobs, cache)


def _survived(shown: str, messages: Iterable[str]) -> Iterator[Failure]:
    for message in messages:
        yield Failure(shown, f"{message}; this is a bug in Graphwright", crashed=True)


def _note_notebooks(invocation: _Invocation, folders: Iterable[tuple[Folder, Path]]) -> None:
    """What somebody may take for checked in a folder, and isn't."""
    if invocation.options.quiet:
        return
    count = sum(1 for folder, path in folders for _ in folder.files([path], (NOTEBOOK,)))
    if count:
        _say(f"{count} notebook{'s were' if count > 1 else ' was'} not checked: {_NOTEBOOKS}.")


def _targets(invocation: _Invocation, paths: Sequence[str]) -> Iterator[Target]:
    roots: dict[Path, Folder] = {}
    seen: set[Path] = set()
    folders: list[tuple[Folder, Path]] = []
    for given in paths:
        path = Path(os.path.abspath(given))
        try:
            is_folder = path.is_dir()
            exists = is_folder or path.exists()
        except (OSError, ValueError) as error:  # a name that the system can't even look up
            _fail(invocation, Failure(given, f"no such file or folder ({error})", missing=True))
            continue
        if not exists:
            _fail(invocation, Failure(given, "no such file or folder", missing=True))
            continue
        if path.suffix == NOTEBOOK and not is_folder:
            _fail(invocation, Failure(given, f"is a notebook, and was not checked: {_NOTEBOOKS}", missing=True))
            continue
        if is_folder and not os.access(path, os.R_OK | os.X_OK):
            _fail(invocation, Failure(given, "permission denied", missing=True))
            continue
        root = _project_root(path if is_folder else path.parent)
        if root not in roots:
            roots[root] = _folder(invocation.options, root)
        if is_folder:
            folders.append((roots[root], path))
        for file in roots[root].files([path]):
            file = Path(os.path.abspath(file))
            if file in seen:
                continue
            seen.add(file)
            if is_folder and file.exists() and not file.is_file():
                _fail(invocation, Failure(_shown(file, given), "is not a regular file"))
            else:
                yield Target(roots[root], file, _shown(file, given), not is_folder)
    _note_notebooks(invocation, folders)


def _fix_file(invocation: _Invocation, target: Target) -> Outcome:
    """Apply what is certain first, or show it; what is left is the outcome."""
    before = check(target, invocation.log)
    if isinstance(before.result, Failure):
        return before
    key = target.key
    try:
        source = decode_source(target.path.read_bytes())
        fixed = fixing.fix(target.project, key, source.text)
        if fixed.text == source.text:
            return before
        invocation.changed += 1
        if invocation.options.diff:
            sys.stdout.write(fixing.unified_diff(target.shown, source.text, fixed.text))
            return replace(before, result=replace(before.result, fixed=fixed.count))
        fixing.write(target.path, fixed.text, source.encoding)
    except fixing.CannotFix as error:
        return Outcome(Failure(target.shown, str(error), crashed=True))
    finally:
        target.project.forget(key)
    after = check(target, invocation.log)
    result = replace(after.result, fixed=fixed.count) if isinstance(after.result, CheckedFile) else after.result
    return replace(after, result=result)


def _check_stdin(invocation: _Invocation) -> None:
    name: str = invocation.options.stdin_filename or "<stdin>"
    path = Path(os.path.abspath(invocation.options.stdin_filename or "stdin.py"))
    root = _project_root(path.parent)
    project = project_of(_folder(invocation.options, root))
    try:
        source = decode_source(sys.stdin.buffer.read())
        if "\0" in source.text:
            raise UnicodeError("it holds null bytes")
        project.set_text(str(path), source.text)
        _check_stdin_text(invocation, project, str(path), name, source.text)
    except (SyntaxError, UnicodeError) as error:
        _fail(invocation, Failure(name, f"can't be read as Python: {error}"))
    except fixing.CannotFix as error:
        _fail(invocation, Failure(name, str(error), crashed=True))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        _fail(invocation, Failure(name, f"{CRASH} ({type(error).__name__}: {error})", crashed=True))


def _check_stdin_text(invocation: _Invocation, project: Project, key: str, name: str, text: str) -> None:
    fixed = fixing.fix(project, key, text) if invocation.changes_files else fixing.Fixed(text, 0)
    invocation.changed += fixed.text != text
    if invocation.options.diff:
        sys.stdout.write(fixing.unified_diff(name, text, fixed.text))
    elif invocation.options.fix:
        sys.stdout.write(fixed.text)
    file = CheckedFile(key, name, fixed.text, project.check(key), fixed.count)
    _note_unparsed(invocation, name, unparsed_in(project, key), True)
    invocation.run.files.append(file)
    for failure in _survived(name, invocation.log.take()):
        _fail(invocation, failure)
    if invocation.streams_findings and not invocation.options.fix:
        _print_findings(invocation, file, project)


def _folder(options: argparse.Namespace, root: Path) -> Folder:
    folder = Folder(root)
    select, ignore = _names(options.select), _names(options.ignore)
    if select:
        chosen = Settings.from_mapping({"select": select}, "--select").select
        # What is asked for by name is wanted, whatever the file says of it.
        folder.settings = folder.settings.updated(select=chosen, ignore=())
    if ignore:
        refused = Settings.from_mapping({"ignore": ignore}, "--ignore").ignore
        folder.settings = folder.settings.updated(ignore=(*folder.settings.ignore, *refused))
    return folder


def _names(given: list[str] | None) -> list[str]:
    return [name.strip() for part in given or [] for name in part.split(",") if name.strip()]


def _project_root(folder: Path) -> Path:
    """The nearest folder above that says it is a project; else the folder itself."""
    for candidate in (folder, *folder.parents):
        if os.path.isfile(candidate / "pyproject.toml") or os.path.exists(candidate / ".git"):
            return candidate
    return folder


def _shown(file: Path, given: str) -> str:
    current = Path.cwd()
    if file.is_relative_to(current):
        return str(file.relative_to(current))
    return str(file) if os.path.isabs(given) else os.path.relpath(file)


def _print_findings(invocation: _Invocation, file: CheckedFile, folder: Folder) -> None:
    def other_file(path: str) -> tuple[str, LineIndex] | None:
        try:
            return _shown(Path(path), file.shown), LineIndex(folder.text(path))
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
        stream.write(text_report.summary(run) + "\n")


def _exit_code(invocation: _Invocation) -> int:
    run, options = invocation.run, invocation.options
    if run.could_not_run:
        return EXIT_COULD_NOT_RUN
    if options.exit_zero:
        return EXIT_CLEAN
    found = invocation.changed > 0 if options.diff else run.counts_against
    return EXIT_FINDINGS if found else EXIT_CLEAN


def _plural_fixes(count: int) -> str:
    return "1 fix" if count == 1 else f"{count} fixes"


def _fail(invocation: _Invocation, failure: Failure) -> None:
    invocation.run.failures.append(failure)
    _say(str(failure))


def _refuse(message: str) -> int:
    _say(message)
    return EXIT_COULD_NOT_RUN


def _say(message: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"graphwright: {printable(message)}\n")
    sys.stderr.flush()
