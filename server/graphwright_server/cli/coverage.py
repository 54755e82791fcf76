"""`graphwright coverage`: what of a project's traced functions the analysis follows, and what it knows in them.

Nothing is found here; this is about what findings can't be about.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphwright_analysis import LineIndex, SettingsError, Unreadable, is_notebook

from graphwright_server import analysis_log, garbage

from . import exit_codes
from .findings import Failure, Unfollowed
from .notebooks import cell_and_line, unfollowed_in
from .sharing import Target
from .targets import find
from .terminal import ProgressBar, TerminalStyle, printable, style_for

if TYPE_CHECKING:
    from graphwright_analysis import FunctionCoverage, Survey

_SAID = {
    "shaped": "dtype and rank",
    "typed": "with a dtype",
    "tensor": "a tensor, no more",
    "python": "a Python value",
    "unknown": "unknown",
    "never": "never run",
}


def run(options: argparse.Namespace) -> int:
    """Print what is followed and return the exit code."""
    garbage.look_between()
    failures: list[Failure] = []
    log = analysis_log.listen()
    try:
        targets = [*find(options, options.paths or ["."], failures.append)]
    except SettingsError as error:
        _say(str(error))
        return exit_codes.COULD_NOT_RUN
    cut: list[Unfollowed] = []
    found = [*_covered(targets, failures, cut)]
    for message in log.take():
        _say(f"{message}; this is a bug in Graphwright")
    for failure in failures:
        _say(str(failure))
    keras = [*dict.fromkeys(target.folder.assumed_keras(target.key).words for target in targets)]
    if options.format == "json":
        sys.stdout.write(_as_json(found, cut, keras))
    else:
        sys.stdout.write(_as_text(found, cut, len(targets), style_for(sys.stdout, options.color)))
        sys.stdout.write(f"Assumed: {printable('; '.join(keras))}.\n" if found else "")
    return exit_codes.COULD_NOT_RUN if any(failure.missing for failure in failures) else exit_codes.CLEAN


@dataclass(frozen=True, slots=True)
class _Covered:
    """A function with the place that people are told."""

    target: Target
    function: FunctionCoverage
    cell: int | None
    line: int
    reasons: tuple[tuple[int | None, int, str], ...]

    @property
    def status(self) -> str:
        return self.function.status.value

    @property
    def names(self) -> dict[str, int]:
        return {knowledge.value: count for knowledge, count in self.function.names.items()}


def _covered(targets: list[Target], failures: list[Failure], cut: list[Unfollowed]) -> Iterator[_Covered]:
    """All functions that TensorFlow traces, when everything has been run that may call them; adds what was cut."""
    from graphwright_analysis import Survey

    surveys: dict[int, Survey] = {}
    progress, readable = ProgressBar(2 * len(targets), "Looking at"), list[Target]()
    for target in targets:
        progress.advance()
        garbage.look(garbage.BETWEEN_FILES)
        survey = surveys.setdefault(id(target.project), Survey(target.project))
        try:
            survey.add(target.key)
            target.project.set_aside(target.key)
            readable.append(target)
        except Unreadable as error:
            failures.append(Failure(target.shown, error.reason, missing=target.named))
    for target in readable:
        progress.advance()
        survey = surveys[id(target.project)]
        cut += unfollowed_in(target, survey.cut[target.key])
        yield from _of_file(survey, target)
    progress.clear()


def _of_file(survey: Survey, target: Target) -> Iterator[_Covered]:
    functions = [*survey.functions(target.key)]
    lines = LineIndex(target.folder.text(target.key)) if functions else LineIndex("")

    def place(offset: int) -> tuple[int | None, int]:
        line = lines.line_of(offset) + 1
        return cell_and_line(target, line) if is_notebook(target.key) else (None, line)

    for function in functions:
        reasons = tuple((*place(reason.range.start), reason.why) for reason in function.reasons)
        yield _Covered(target, function, *place(function.range.start), reasons)


def _totals(found: list[_Covered]) -> tuple[Counter[str], Counter[str]]:
    functions, names = Counter[str](), Counter[str]()
    for each in found:
        functions[each.status] += 1
        names.update(each.names)
    return functions, names


def _as_json(found: list[_Covered], cut: list[Unfollowed], keras: list[str]) -> str:
    functions, names = _totals(found)
    statuses = ("followed", "partly", "not entered")
    report = {
        "functions": [_entry(each) for each in found],
        "cut": [_place(each.shown, each.cell, each.line) | {"name": each.name, "why": each.message} for each in cut],
        "keras": keras,
        "totals": {
            "functions": {status: functions[status] for status in statuses},
            "names": {kind: names[kind] for kind in _SAID},
        },
    }
    return json.dumps(report, indent=2) + "\n"


def _entry(each: _Covered) -> dict[str, Any]:
    file = each.target.shown
    return {
        **_place(file, each.cell, each.line),
        "name": each.function.name,
        "kind": each.function.kind,
        "status": each.status,
        "reasons": [_place(file, cell, line) | {"why": why} for cell, line, why in each.reasons],
        "names": {kind: each.names.get(kind, 0) for kind in _SAID},
    }


def _place(file: str, cell: int | None, line: int) -> dict[str, Any]:
    return {"file": file, **({} if cell is None else {"cell": cell}), "line": line}


def _as_text(found: list[_Covered], cut: list[Unfollowed], files: int, style: TerminalStyle) -> str:
    """The functions of which something isn't followed, and the totals."""
    lines: list[str] = []
    for each in found:
        if each.reasons:
            where = printable(f"{each.target.shown}:{_line(each.cell, each.line)}")
            status = style(each.status, "bold", "red" if each.status == "not entered" else "yellow")
            lines.append(f"{style(where, 'bold')}: `{each.function.name}` is {_WORDS[each.function.kind]}: {status}")
            lines += [f"    {_at(each, cell, line)}{why}" for cell, line, why in each.reasons]
            lines.append("")
    lines += [f"{style(printable(each.where), 'bold')}: {printable(each.message)}" for each in cut]
    lines += [""] if cut else []
    functions, names = _totals(found)
    if not found:
        count = f"{files} file{'' if files == 1 else 's'}"
        return "\n".join([*lines, f"Found no traced functions in {count}."]) + "\n"
    several = f"{len(found)} function{'' if len(found) == 1 else 's'}"
    told = ", ".join(f"{functions[status]} {status}" for status in ("followed", "partly", "not entered"))
    lines.append(f"{several} that TensorFlow traces: {told}.")
    lines.append(_shares(names))
    return "\n".join(lines) + "\n"


_WORDS = {"traced": "traced", "keras": "called by Keras", "called": "called in a graph"}


def _line(cell: int | None, line: int) -> str:
    return str(line) if cell is None else f"cell {cell}:{line}"


def _at(each: _Covered, cell: int | None, line: int) -> str:
    own = (cell, line) == (each.cell, each.line)
    return "" if own else f"line {line}: " if cell == each.cell else f"cell {cell}, line {line}: "


def _shares(names: Mapping[str, int]) -> str:
    total = sum(names.values())
    shares = ", ".join(f"{100 * names[kind] / max(total, 1):.1f}% {said}" for kind, said in _SAID.items())
    return f"{total} names in them: {shares}."


def _say(message: str) -> None:
    sys.stderr.write(f"graphwright: {printable(message)}\n")
