"""Prints the findings of a run of `graphwright check` in the chosen format, and determines the exit code."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from graphwright_analysis import Folder, LineIndex, Severity, Unreadable

from . import concise_report, exit_codes, text_report
from .findings import CheckedFile, is_fixable_unsafely
from .invocation import STDIN, Invocation, say
from .notebooks import other_cell
from .targets import shown

_REPORTS = {"json": "json_report", "sarif": "sarif_report", "github": "github_report"}
_WITHOUT_NOTES = ("json", "github")
"""The formats that have room only for findings: everything else goes to standard error."""


def print_findings(invocation: Invocation, file: CheckedFile, folder: Folder) -> None:
    """Print the findings of one file for people."""

    def other_file(path: str) -> tuple[str, LineIndex] | None:
        try:
            return other_cell(path, folder) or (shown(Path(path), file.shown), LineIndex(folder.text(path)))
        except Unreadable:
            return None

    for diagnostic in file.diagnostics:
        where = file, diagnostic, invocation.style, other_file, invocation.known_calls
        if invocation.options.format == "concise":
            sys.stdout.write(concise_report.render(*where))
        else:
            sys.stdout.write(text_report.render(*where) + "\n")


def print_report(invocation: Invocation) -> None:
    """Print the report and the summary of the whole run."""
    options, run = invocation.options, invocation.run
    if options.diff:
        if not options.quiet:
            unsafe = 0 if invocation.unsafe else sum(map(is_fixable_unsafely, run.diagnostics))
            more = f"; {unsafe} more with --unsafe-fixes" if unsafe else ""
            say(f"{_plural_fixes(run.fixed)} would be applied{more}.")
        return
    to_stdout = not (options.fix and options.paths == [STDIN])
    if options.format in _REPORTS and to_stdout:
        report = importlib.import_module(f"{__package__}.{_REPORTS[options.format]}")
        sys.stdout.write(report.render(run))
    stream = sys.stdout if invocation.prints_for_people and to_stdout else sys.stderr
    if options.statistics:
        stream.write(text_report.statistics(run))
    if not run.files and not run.failures:
        say("No Python files found.")
    elif invocation.prints_for_people and not options.quiet and run.files:
        stream.write(text_report.summary(run, invocation.known.hidden) + "\n" + text_report.unfollowed(run))
    elif options.format in _WITHOUT_NOTES and not options.quiet and run.unfollowed:
        say(text_report.unfollowed(run).rstrip())


def print_notes(invocation: Invocation) -> None:
    """Report options without effect, baselines that don't exist, and entries of others whose findings are gone."""
    if invocation.options.quiet:
        return
    if invocation.unsafe and not invocation.changes_files:
        say("--unsafe-fixes has no effect without --fix or --diff")
    for path in invocation.known.missing():
        say(f"the baseline {path} doesn't exist: run --write-baseline")
    gone = 0 if invocation.options.paths == [STDIN] else invocation.known.gone()
    if gone:
        entries = "1 entry of the baseline is" if gone == 1 else f"{gone} entries of the baseline are"
        say(f"{entries} gone: run --write-baseline")


def exit_code(invocation: Invocation) -> int:
    """Return the exit code of a run."""
    run, options = invocation.run, invocation.options
    if run.could_not_run:
        return exit_codes.COULD_NOT_RUN
    if options.exit_zero:
        return exit_codes.CLEAN
    found = invocation.changed > 0 if options.diff else run.fails(Severity[options.min_severity.upper()])
    return exit_codes.FINDINGS if found else exit_codes.CLEAN


def _plural_fixes(count: int) -> str:
    return "1 fix" if count == 1 else f"{count} fixes"
