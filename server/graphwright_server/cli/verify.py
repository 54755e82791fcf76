"""`graphwright verify`: run a function eagerly and as a graph in every way, and show where the results differ first.

It and `graphwright trace` run the user's code, in a process of its own; the other commands only read it.
"""

from __future__ import annotations

import argparse
import json
import sys

from graphwright.agent import wire

from graphwright_server import verification

from . import exit_codes
from .running import CommandRefused, ask, exit_code, refuse, target_of
from .terminal import style_for
from .verify_report import report_text

WAYS: dict[str, wire.Way] = {way.lower(): way for way in wire.COMPARED}


def run(options: argparse.Namespace) -> int:
    """Run the function in all ways, print the comparison and return the exit code."""
    try:
        asked = ways_of(options.ways)
        target = target_of(options)
    except CommandRefused as error:
        return refuse(str(error))
    request = wire.AgentRequest(
        target.path,
        target.name,
        target.arguments,
        wire.VERIFY,
        options.timeout,
        ways=asked or wire.COMPARED,
        calls=options.calls,
        gradients=options.gradients,
    )
    report = ask(options, request, options.format == "json", verification.verify)
    if options.format == "json":
        sys.stdout.write(json.dumps(verification.as_json(report, target.arguments), indent=2) + "\n")
    else:
        inferred = "" if options.spec else target.arguments
        sys.stdout.write(report_text(report, inferred, style_for(sys.stdout, options.color)))
    if not report.ok:
        return exit_code(report)
    return exit_codes.CLEAN if verification.is_equal(report, asked) else exit_codes.FINDINGS


def ways_of(text: str | None) -> tuple[wire.Way, ...]:
    """The ways that are named, separated by commas."""
    names = [name.strip().lower() for name in (text or "").split(",") if name.strip()]
    unknown = [name for name in names if name not in WAYS]
    if unknown:
        raise CommandRefused(f"unknown way: {unknown[0]}; the ways are {', '.join(WAYS)}")
    return tuple(WAYS[name] for name in dict.fromkeys(names))
