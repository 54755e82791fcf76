"""`graphwright check`: find the files, check each, report.

`sharing` distributes them among processes, and uses the cache.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import (
    Cache,
    SettingsError,
    Unreadable,
    decode_source,
    default_folder,
    is_notebook,
    read_stream,
)

from graphwright_server import garbage
from graphwright_server.processes import available_processors
from graphwright_server.wording import plural

from . import exit_codes, fixing
from .applying import fix_files
from .findings import CheckedFile, Failure
from .invocation import STDIN, Invocation, say
from .notebooks import parts_of, place_in, unfollowed_in
from .reporting import exit_code, print_findings, print_notes, print_report
from .sharing import (
    CRASH,
    FileOutcome,
    as_one_program,
    outcomes,
    unparsed_in,
)
from .targets import Target, find, folder_of, project_of, project_root
from .terminal import ProgressBar

if TYPE_CHECKING:
    from graphwright_analysis import Project


def run(options: argparse.Namespace) -> int:
    """Check what the options name and return the exit code."""
    garbage.look_between()
    _name_baseline(options)
    try:
        _refuse_odd_pairs(options)
        if options.watch:
            from . import watching  # no other run needs it

            return watching.watch(options, _check)
        return _check(Invocation(options))
    except SettingsError as error:
        return _refuse(str(error))
    except _UsageError as error:
        return _refuse(str(error))


def _name_baseline(options: argparse.Namespace) -> None:
    """Use the value of --write-baseline as the baseline if it's a JSON file, otherwise as a path to check."""
    following = options.write_baseline
    if isinstance(following, str) and following.endswith(".json"):
        options.baseline = following
    elif isinstance(following, str):
        options.paths = [following, *options.paths]


def _refuse_odd_pairs(options: argparse.Namespace) -> None:
    """Raise `_UsageError` for arguments that can't be combined."""
    if STDIN in options.paths:
        if len(options.paths) > 1:
            raise _UsageError("'-' stands for standard input and can't be given with other paths")
        for name in ("write_baseline", "watch"):
            if getattr(options, name):
                raise _UsageError(f"--{name.replace('_', '-')} can't be used with standard input")
        if is_notebook(options.stdin_filename or ""):
            raise _UsageError("a notebook can't be read from standard input: pass its path instead")
    if options.watch and options.format not in ("text", "concise"):
        raise _UsageError(f"--watch prints for people: use --format text or concise, not {options.format}")
    if options.write_baseline and (options.watch or options.diff):
        raise _UsageError(f"--write-baseline can't be used with --{'watch' if options.watch else 'diff'}")


class _UsageError(Exception):
    """The arguments can't be combined."""


def _check(invocation: Invocation) -> int:
    paths: list[str] = invocation.options.paths or ["."]
    if STDIN in paths:
        _check_stdin(invocation)
    else:
        _check_paths(invocation, paths)
    print_report(invocation)
    print_notes(invocation)
    return exit_code(invocation)


def _check_paths(invocation: Invocation, paths: Sequence[str]) -> None:
    targets = list(find(invocation.options, paths, invocation.fail))
    found = _checked(invocation, targets)
    if invocation.changes_files:
        found = fix_files(invocation, targets, found, lambda: _checked(invocation, targets))
    if invocation.options.write_baseline:
        for said in invocation.known.write(targets, found):
            say(said)
    for target, outcome in zip(targets, found, strict=True):
        invocation.depended |= {target.key, *_asked_by(outcome)}
        outcome = invocation.known.without_known(target, outcome)
        result = outcome.result
        for failure in [*([result] if isinstance(result, Failure) else []), *_survived(target.shown, outcome.survived)]:
            invocation.fail(failure)
        if isinstance(result, Failure):
            continue
        _note_unparsed(invocation, target, outcome.checked.unparsed)
        invocation.run.unfollowed += unfollowed_in(target, outcome.checked.reports.cut)
        for part in parts_of(target, result):
            invocation.run.files.append(part)
            if part.diagnostics and invocation.streams_findings:
                print_findings(invocation, part, target.folder)


def _asked_by(outcome: FileOutcome) -> Iterator[str]:
    """The files that an outcome depends on."""
    yield from (each.file for each in outcome.checked.imports if each.file is not None)
    yield from (each.file for each in outcome.checked.dependencies)


def _checked(invocation: Invocation, targets: Sequence[Target]) -> Sequence[FileOutcome]:
    """The outcomes of all files, as one program."""
    progress = ProgressBar(len(targets))
    cache = Cache(None if invocation.options.no_cache else default_folder())
    found: list[FileOutcome] = []
    try:
        for outcome in outcomes(targets, invocation.options.jobs or available_processors(), cache):
            progress.advance()
            found.append(outcome)
    finally:  # an interrupt leaves no bar, and what is checked stays in the cache
        progress.clear()
        cache.close()
    return [*as_one_program(targets, found)]


def _note_unparsed(invocation: Invocation, target: Target, unparsed: Sequence[tuple[int, str]]) -> None:
    """Name the first places that can't be parsed: a quote left out makes nonsense of all that follows."""
    for line, message in unparsed[:_NAMED_PLACES]:
        invocation.run.unparsed.add(target.shown)
        say(f"{place_in(target, line)}: can't be parsed ({message}); the rest of the file was checked")
    if more := len(unparsed[_NAMED_PLACES:]):
        say(f"{target.shown}: {plural(more, 'later place')} can't be parsed either")


_NAMED_PLACES = 3


def _survived(shown: str, messages: Iterable[str]) -> Iterator[Failure]:
    for message in messages:
        yield Failure(shown, f"{message}; this is a bug in Graphwright", crashed=True)


def _check_stdin(invocation: Invocation) -> None:
    name: str = invocation.options.stdin_filename or "<stdin>"
    path = Path(os.path.abspath(invocation.options.stdin_filename or "stdin.py"))
    root = project_root(path.parent)
    project = project_of(folder_of(invocation.options, root))
    try:
        if sys.stdin is None:
            raise Unreadable(name, "standard input is closed")
        source = decode_source(read_stream(name, sys.stdin.buffer))
        if "\0" in source.text:
            raise SyntaxError("it contains null bytes")
        project.set_text(str(path), source.text)
        _check_stdin_text(invocation, project, str(path), name, source.text)
    except (SyntaxError, LookupError) as error:
        invocation.fail(Failure(name, f"can't be decoded: {error}"))
    except Unreadable as error:
        invocation.fail(Failure(name, error.reason))
    except fixing.CannotFix as error:
        invocation.fail(Failure(name, str(error), crashed=True))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:
        invocation.fail(Failure(name, f"{CRASH} ({type(error).__name__}: {error})", crashed=True))


def _check_stdin_text(invocation: Invocation, project: Project, key: str, name: str, text: str) -> None:
    from graphwright_analysis import proved  # it loads the analysis

    target = Target(project.sources, Path(key), name, True)
    wanted = partial(invocation.known.new, target)
    unsafe = invocation.unsafe
    fixed = fixing.fix(project, key, text, unsafe, wanted) if invocation.changes_files else fixing.Fixed(text, 0)
    invocation.changed += fixed.text != text
    if invocation.options.diff:
        sys.stdout.write(fixing.unified_diff(name, text, fixed.text))
    elif invocation.options.fix:
        sys.stdout.write(fixed.text)
    found = CheckedFile(key, name, fixed.text, proved(project, key, project.check(key)), fixed.count)
    file = invocation.known.without_known(target, FileOutcome(found)).result
    assert isinstance(file, CheckedFile)
    _note_unparsed(invocation, target, unparsed_in(project, key))
    invocation.run.unfollowed += unfollowed_in(target, project.run_reports(key).cut)
    invocation.run.files.append(file)
    for failure in _survived(name, invocation.log.take()):
        invocation.fail(failure)
    if invocation.streams_findings and not invocation.options.fix:
        print_findings(invocation, file, project.sources)


def _refuse(message: str) -> int:
    say(message)
    return exit_codes.COULD_NOT_RUN
