"""`graphwright trace`: trace a function in the user's own Python, and say what its graph is made of.

It and `graphwright verify` run the user's code, in a process of its own; the other commands only read it.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace

from graphwright.agent import wire

from graphwright_server import pages, pictures

from . import exit_codes, recorded_run
from .running import CommandRefused, RunTarget, ask, exit_code, refuse, target_of
from .terminal import style_for
from .trace_report import report_text


def run(options: argparse.Namespace) -> int:
    """Trace, print the report and return the exit code."""
    if recorded_run.is_recorded(options.target):
        return _recorded(options)
    try:
        target = target_of(options)
    except CommandRefused as error:
        return refuse(str(error))
    action = wire.TIME if options.time else wire.RUN if options.run else wire.TRACE
    report = _asked(options, target, action)
    report = replace(report, svg=pictures.picture_of(report, {target.path: target.source}))
    drawn = _with_graph(report, options, target) if options.svg or options.html else report
    written = bool(options.svg and drawn.svg)
    problem = recorded_run.write(drawn.svg, options.svg) if written else ""
    if options.html and not problem:
        problem = recorded_run.write(pages.page_of_report(drawn, target.source), options.html)
    if problem:
        return refuse(problem)
    _print(report, options, target, written=written)
    return exit_code(report)


def _recorded(options: argparse.Namespace) -> int:
    """Write the page of a recorded run."""
    if options.html is None:
        return refuse(f"a recorded run is shown as a page; write graphwright trace {options.target} --html report.html")
    try:
        page = recorded_run.page_of(options.target)
    except ValueError as error:
        return refuse(str(error))
    problem = recorded_run.write(page, options.html)
    if problem:
        return refuse(problem)
    sys.stdout.write(f"Wrote the page to {options.html}.\n")
    return exit_codes.CLEAN


def _with_graph(report: wire.AgentReport, options: argparse.Namespace, target: RunTarget) -> wire.AgentReport:
    """The report for a page or picture: timing or running a function doesn't report its graph, so it's traced too."""
    if report.graph is not None or not report.ok:
        return report
    traced = _asked(options, target, wire.TRACE)
    svg = pictures.picture_of(traced, {target.path: target.source})
    return replace(report, traces=traced.traces, graph=traced.graph, svg=svg)


def _asked(options: argparse.Namespace, target: RunTarget, action: wire.AgentAction) -> wire.AgentReport:
    request = wire.AgentRequest(target.path, target.name, target.arguments, action, options.timeout)
    return ask(options, request, quiet=options.json)


def _print(report: wire.AgentReport, options: argparse.Namespace, target: RunTarget, *, written: bool) -> None:
    if options.json:
        sys.stdout.write(json.dumps(wire.as_json(report), indent=2) + "\n")
        return
    style = style_for(sys.stdout, options.color)
    sys.stdout.write(report_text(report, target.source, target.arguments if not options.spec else "", style))
    if written:
        sys.stdout.write(f"\nWrote the picture to {options.svg}.\n")
    if options.html:
        sys.stdout.write(f"\nWrote the page to {options.html}.\n")
