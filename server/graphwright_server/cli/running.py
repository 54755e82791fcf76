"""What the commands that run the user's code share: which function with which arguments, and the agent at work.

Nothing of the user's is imported here; the agent does that in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from graphwright.agent import wire
from graphwright_analysis import (
    Project,
    Settings,
    SettingsError,
    Specs,
    Unreadable,
    function_names,
    immutable,
    specs_by_name,
)

from graphwright_server import agent

from . import exit_codes
from .terminal import Steps

COMMAND_ERRORS = "Interpreter", "Invalid request"
"""The types of errors in what the command line asked for; all others are the user's code's."""


class CommandRefused(Exception):
    """The command can't run; the message says why, and what to write."""


@immutable
class RunTarget:
    """A function of a file, the file's text, and the arguments to call it with, as a text."""

    path: str
    name: str
    source: str
    arguments: str


def target_of(options: argparse.Namespace) -> RunTarget:
    """The function that is named, with the arguments of `--spec` or those that the analysis infers."""
    file, _, name = options.target.partition("::")
    path = os.path.abspath(file)
    project = _project()
    try:
        names = function_names(project, path)
        found = specs_by_name(project, path, name) if name else None
        source = project.text(path)
    except Unreadable as error:
        before, colon, after = file.rpartition(":")
        hint = f"; write {before}::{after} for a function in a file" if colon and os.path.isfile(before) else ""
        raise CommandRefused(f"{file}: {error.reason}{hint}") from None
    if not name:
        if not names:
            raise CommandRefused(f"{file} defines no functions")
        raise CommandRefused(f"name a function: {file}::NAME, where NAME is one of {', '.join(names)}")
    arguments = "\n".join(options.spec) if options.spec else _inferred(found)
    if arguments is None:
        raise CommandRefused(_missing(options.command, file, name, found))
    return RunTarget(path, name, source, arguments)


def refuse(message: str) -> int:
    """Print why a command can't run, and return the exit code."""
    sys.stderr.write(f"graphwright: {message}\n")
    return exit_codes.COULD_NOT_RUN


def ask(
    options: argparse.Namespace,
    request: wire.AgentRequest,
    quiet: bool,
    work: Callable[[agent.Job, agent.Listener], wire.AgentReport] = agent.run,
) -> wire.AgentReport:
    """Have the agent work on a request; steps and what the user's code prints are shown on standard error."""
    job = agent.Job(request, options.python or sys.executable, os.getcwd(), options.memory)
    steps = Steps(quiet=quiet)
    try:
        return work(job, agent.Listener(steps.show, lambda line: _printed(line, steps), waiting=steps.show))
    finally:
        steps.clear()


def exit_code(report: wire.AgentReport) -> int:
    """The exit code for a report that may be one of a failure."""
    if report.error is not None and report.error.type in COMMAND_ERRORS:
        return exit_codes.COULD_NOT_RUN
    return exit_codes.CLEAN if report.ok else exit_codes.FINDINGS


def _project() -> Project:
    try:
        return Project(Path.cwd())
    except SettingsError:
        return Project(Path.cwd(), Settings())


def _inferred(found: Specs | None) -> str | None:
    """The arguments as the analysis knows them; None where it doesn't know them all."""
    if found is None:
        return ""  # a function that another name or module holds: it may need no arguments
    return found.arguments if found.complete else None


def _missing(command: str, file: str, name: str, found: Specs | None) -> str:
    assert found is not None
    needed = [each.name for each in found.asked]
    known = {each.name: each.spec for each in found.asked if each.spec is not None}
    inferred = f"; inferred: {', '.join(f'{key}={spec}' for key, spec in known.items())}" if known else ""
    example = ", ".join(f"{each}={known.get(each) or 'tf.TensorSpec([None, 3], tf.float32)'}" for each in needed)
    line = f"  graphwright {command} {file}::{name} --spec '{example}'"
    return f"missing --spec: {name} requires {', '.join(needed)}{inferred}; for example\n{line}"


def _printed(line: str, steps: Steps) -> None:
    """What the user's code prints goes to standard error, as standard output is the report's."""
    steps.clear()
    sys.stderr.write(f"{line}\n")
