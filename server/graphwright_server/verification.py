"""Verifies a function with the agent: runs each way, even after one that ends the process.

It compares nothing itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from graphwright.agent import wire

from . import agent

_ENDED = ("Timeout", "Crash", "OutOfMemory")
"""Errors after which the agent's process is gone."""


def verify(job: agent.Job, listener: agent.Listener) -> wire.AgentReport:
    """The report on all ways of the request; a way that ends the process can't run, and the others run again."""
    ended = list[wire.VerifiedWay]()
    ways: tuple[wire.Way, ...] = job.request.ways
    while True:
        left: tuple[wire.Way, ...] = tuple(way for way in ways if all(way != each.way for each in ended))
        steps = list[str]()
        watching = replace(listener, progress=_noting(steps, listener.progress))
        report = agent.run(replace(job, request=replace(job.request, ways=left)), watching)
        way = _ended_in(report, steps, left)
        if way is None:
            break
        assert report.error is not None
        ended.append(wire.VerifiedWay(way, wire.CANT_RUN, report.error.message))
    if not report.ok:
        return report
    order = [wire.EAGER, *ways]
    found = sorted([*report.ways, *ended], key=lambda each: order.index(each.way))
    return replace(report, ways=tuple(found))


def is_equal(report: wire.AgentReport, asked: tuple[str, ...]) -> bool:
    """True if no way differs, and each way that was requested by name can run."""
    return report.ok and not any(
        each.agreement == wire.DIFFERS or (each.agreement == wire.CANT_RUN and each.way in asked)
        for each in report.ways
    )


def as_json(report: wire.AgentReport, arguments: str) -> dict[str, Any]:
    """The report for programs; lines count from 1."""
    error = report.error
    return {
        "file": shown_file(report.file),
        "function": report.function,
        "arguments": arguments,
        "tensorflow": report.environment.tensorflow,
        "python": report.environment.python,
        "error": error and {"type": error.type, "message": error.message},
        "ways": [_way(each) for each in report.ways],
        "notes": list(report.notes),
    }


def way_lines(way: wire.VerifiedWay, file: str) -> Iterator[str]:
    """The details of a way, without its name and outcome."""
    difference, line = way.difference, way.first_line
    if difference is not None:
        values = f"{difference.eager} {wire.EAGER}, {difference.other} {way.way}"
        yield f"{difference.path}: {values}{f' (call {difference.call})' if difference.call > 1 else ''}"
    if line is not None:
        visit = f" (iteration {line.visit})" if line.visit > 1 else ""
        yield f"first on line {line.line + 1}: {line.text}"
        yield f"    {line.name}: {line.eager} {wire.EAGER}, {line.other} {way.way}{visit}"
    if way.reason:
        place = "" if way.line is None else f" (line {way.line + 1})"
        if way.line is not None and way.file != file:
            place = f" ({shown_file(way.file)}:{way.line + 1})"
        first, *rest = way.reason.splitlines()
        yield f"{first}{place}"
        yield from rest


def shown_file(file: str) -> str:
    """A path, relative to the current folder if it is inside."""
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") else relative


def _noting(steps: list[str], tell: Callable[[str], None]) -> Callable[[str], None]:
    def progress(step: str) -> None:
        steps.append(step)
        tell(step)

    return progress


def _ended_in(report: wire.AgentReport, steps: list[str], ways: tuple[wire.Way, ...]) -> wire.Way | None:
    """The way during which the process ended; None if it didn't, or if it did in eager code."""
    if report.error is None or report.error.type not in _ENDED or not steps:
        return None
    last = next((step for step in reversed(steps) if step.startswith("running ")), "")
    return next((way for way in ways if last.endswith(f" as {way}")), None)


def _way(each: wire.VerifiedWay) -> dict[str, Any]:
    line, difference = each.first_line, each.difference
    return {
        "way": each.way,
        "agreement": each.agreement,
        "reason": each.reason,
        "file": shown_file(each.file) if each.file else "",
        "line": None if each.line is None else each.line + 1,
        "difference": difference
        and {"path": difference.path, "eager": difference.eager, "other": difference.other, "call": difference.call},
        "first_line": line
        and {
            "line": line.line + 1,
            "text": line.text,
            "name": line.name,
            "eager": line.eager,
            "other": line.other,
            "visit": line.visit,
        },
        "seconds": round(each.seconds, 3),
    }
