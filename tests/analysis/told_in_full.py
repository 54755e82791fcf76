"""All that a project says of a file, as plain data that two projects can be compared by.

Numbers of what a run has made, and places in memory, differ from project to project; here each is told by the order in
which it is met.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import gast
from graphwright_analysis import (
    Project,
    Range,
    Unreadable,
    code_actions,
    code_lenses,
    file_coverage,
    hover,
    inlay_hints,
    semantic_tokens,
)
from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing import Trace
from graphwright_analysis.tracing.machine import numbering

Told = Mapping[str, Any]


def by_itself(project: Project, path: str) -> Told:
    """What is told of a file by its own run, whoever uses it."""
    try:
        return {
            "problems": project.module(path).errors,
            "run_reports": project.run_reports(path),
            "values": _known(project, path, project.trace(path)),
            "shown values": _known(project, path, project.trace(path, shown=True)),
            "imports": [*project.sources.imports(path)],
            "outline": project.sources.outline(path),
            "destinations": project.sources.destinations(path),
        }
    except Unreadable as problem:
        return {"unreadable": problem.reason}


def with_callers(project: Project, path: str) -> Told:
    """What is told of a file by its own run and by those of the files that use it."""
    try:
        text = project.text(path)
        everything, dice = Range(0, len(text)), random.Random(text)
        return {
            "check": project.check(path),
            "whole": _known(project, path, project.trace_with_callers(path)),
            "callers": sorted(project.traces_of_callers(path)),
            "hints": inlay_hints(project, path, everything),
            "tokens": semantic_tokens(project, path),
            "lenses": code_lenses(project, path),
            "coverage": file_coverage(project, path),
            "hovers": [hover(project, path, dice.randrange(len(text) + 1)) for _ in range(5)],
            "actions": code_actions(project, path, everything) if len(text) < 2_000 else (),
        }
    except Unreadable as problem:
        return {"unreadable": problem.reason}


def unlike(one: Told, other: Told) -> dict[str, tuple[Any, Any]]:
    """What of two differs."""
    return {key: (one.get(key), other.get(key)) for key in {**one, **other} if one.get(key) != other.get(key)}


def _known(project: Project, path: str, trace: Trace) -> list[str]:
    """What each name and expression is, and what was decided, in the order of the text."""
    module, together, numbers = project.module(path), trace.values.together(), dict[int, int]()
    found = [f"complete: {trace.complete}"]
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                value, decisions = together.get(node), trace.decisions(node)
                if value is not None or decisions:
                    told = _plain(value, numbers), sorted(_plain(each, numbers) for each in decisions)
                    found.append(f"{_plain(node, numbers)}: {told}")
    return found


def _plain(held: Any, numbers: dict[int, int]) -> str:
    match held:
        case gast.AST():
            return f"<{type(held).__name__} {getattr(held, 'name', getattr(held, 'id', ''))}>"
        case Block() | Range():
            # Comments and blank lines that came since it was traced stand elsewhere, and make no difference.
            return f"<{type(held).__name__}>"
        case bool():
            return repr(held)
        case int() if held >> numbering.RANGE:
            return f"#{numbers.setdefault(held, len(numbers))}"
        case tuple() | list():
            return f"({', '.join(_plain(each, numbers) for each in held)})"
        case dict():
            return f"{{{', '.join(f'{_plain(k, numbers)}: {_plain(v, numbers)}' for k, v in held.items())}}}"
        case set() | frozenset():
            return f"{{{', '.join(sorted(_plain(each, numbers) for each in held))}}}"
        case type():
            return held.__name__
        case _ if is_dataclass(held):
            parts = (f"{each.name}={_plain(getattr(held, each.name), numbers)}" for each in fields(held))
            return f"{type(held).__name__}({', '.join(parts)})"
        case _:
            return repr(held)[:200]
