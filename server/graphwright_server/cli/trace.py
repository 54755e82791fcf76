"""`graphwright trace`: trace a function in the user's own Python, and say what its graph is made of.

This is the one command that runs the user's code, in a process of its own; the others only read it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from graphwright.agent import wire
from graphwright_analysis import Project, Settings, SettingsError, Specs, Unreadable, function_names, specs_by_name

from graphwright_server import agent, pages, pictures

from . import exit_codes, recorded_run
from .terminal import Steps, style_for
from .trace_report import report_text


def run(options: argparse.Namespace) -> int:
    """Trace, print the report and return the exit code."""
    if recorded_run.is_recorded(options.target):
        return _recorded(options)
    file, _, name = options.target.partition("::")
    path = os.path.abspath(file)
    project = _project()
    try:
        names = function_names(project, path)
        found = specs_by_name(project, path, name) if name else None
        source = project.text(path)
    except Unreadable as error:
        return _refuse(f"{file}: {error.reason}")
    if not name:
        choice = f"one of {', '.join(names)}" if names else "but the file defines none"
        return _refuse(f"which function? Write {file}::NAME, {choice}")
    arguments = "\n".join(options.spec) if options.spec else _inferred(found)
    if arguments is None:
        return _refuse(_missing(file, name, found))
    report = _worked(options, path, name, arguments)
    report = replace(report, svg=pictures.picture_of(report, {path: source}))
    if options.svg is not None and report.svg:
        try:
            Path(options.svg).write_text(report.svg, "utf-8")
        except OSError as error:
            return _refuse(f"{options.svg}: {error.strerror}")
    if options.html is not None:
        shown = _with_graph(report, options, path, name, arguments, source)
        problem = recorded_run.write(pages.page_of_report(shown, source), options.html)
        if problem:
            return _refuse(problem)
    _print(report, options, source, arguments)
    if report.error is not None and report.error.type in ("Interpreter", "Invalid request"):
        return exit_codes.COULD_NOT_RUN
    return exit_codes.CLEAN if report.ok else exit_codes.FINDINGS


def _recorded(options: argparse.Namespace) -> int:
    """Write the page of a recorded run."""
    if options.html is None:
        return _refuse(f"which page? Write graphwright trace {options.target} --html report.html")
    try:
        page = recorded_run.page_of(options.target)
    except ValueError as error:
        return _refuse(str(error))
    problem = recorded_run.write(page, options.html)
    if problem:
        return _refuse(problem)
    sys.stdout.write(f"Wrote the page to {options.html}.\n")
    return exit_codes.CLEAN


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


def _missing(file: str, name: str, found: Specs | None) -> str:
    assert found is not None
    needed = [each.name for each in found.asked]
    known = {each.name: each.spec for each in found.asked if each.spec is not None}
    told = f"; inferred: {', '.join(f'{key}={spec}' for key, spec in known.items())}" if known else ""
    example = ", ".join(f"{each}={known.get(each) or 'tf.TensorSpec([None, 3], tf.float32)'}" for each in needed)
    command = f"  graphwright trace {file}::{name} --spec '{example}'"
    return f"missing --spec: {name} takes {', '.join(needed)}{told}\n{command}"


def _with_graph(
    report: wire.AgentReport, options: argparse.Namespace, path: str, name: str, arguments: str, source: str
) -> wire.AgentReport:
    """The report for a page: timing or running a function doesn't report its graph, so it's traced as well."""
    if report.graph is not None or not report.ok:
        return report
    traced = _asked(options, path, name, arguments, wire.TRACE)
    svg = pictures.picture_of(traced, {path: source})
    return replace(report, traces=traced.traces, graph=traced.graph, svg=svg)


def _worked(options: argparse.Namespace, path: str, name: str, arguments: str) -> wire.AgentReport:
    action = wire.TIME if options.time else wire.RUN if options.run else wire.TRACE
    return _asked(options, path, name, arguments, action)


def _asked(
    options: argparse.Namespace, path: str, name: str, arguments: str, action: wire.AgentAction
) -> wire.AgentReport:
    request = wire.AgentRequest(path, name, arguments, action, options.timeout)
    job = agent.Job(request, options.python or sys.executable, os.getcwd(), options.memory)
    steps = Steps(quiet=options.json)
    try:
        return agent.run(job, agent.Listener(steps.show, lambda line: _printed(line, steps)))
    finally:
        steps.clear()


def _printed(line: str, steps: Steps) -> None:
    """What the user's code prints goes to standard error, as standard output is the report's."""
    steps.clear()
    sys.stderr.write(f"{line}\n")


def _print(report: wire.AgentReport, options: argparse.Namespace, source: str, arguments: str) -> None:
    if options.json:
        sys.stdout.write(json.dumps(wire.as_json(report), indent=2) + "\n")
        return
    style = style_for(sys.stdout, options.color)
    sys.stdout.write(report_text(report, source, arguments if not options.spec else "", style))
    if options.svg and report.svg:
        sys.stdout.write(f"\nWrote the picture to {options.svg}.\n")
    if options.html:
        sys.stdout.write(f"\nWrote the page to {options.html}.\n")


def _refuse(message: str) -> int:
    sys.stderr.write(f"graphwright: {message}\n")
    return exit_codes.COULD_NOT_RUN
