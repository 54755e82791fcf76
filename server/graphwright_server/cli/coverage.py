"""`graphwright coverage`: how much of a project's traced functions the analysis covers.

It reports no findings, but the code that findings can't be about.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from graphwright_analysis import LineIndex, SettingsError, Unreadable, immutable, is_notebook, shortened_words

from graphwright_server import analysis_log, garbage
from graphwright_server.wording import plural

from . import exit_codes
from .findings import Failure, Unfollowed
from .notebooks import cell_and_line, unfollowed_in
from .targets import Target, find
from .terminal import ProgressBar, TerminalStyle, printable, style_for

if TYPE_CHECKING:
    from graphwright_analysis import FunctionCoverage, Survey

_KNOWN = {
    "shaped": "dtype and rank",
    "typed": "dtype but not rank",
    "tensor": "tensor of unknown dtype",
    "python": "Python value",
    "unknown": "unknown",
    "never": "unreachable",
}
_STATUSES = {"followed": "analyzed", "partly": "analyzed in part", "not entered": "not analyzed"}
"""The statuses of functions in JSON, and in text."""


def run(options: argparse.Namespace) -> int:
    """Print the coverage and return the exit code."""
    garbage.look_between()
    failures: list[Failure] = []
    log = analysis_log.listen()
    try:
        targets = [*find(options, options.paths or ["."], failures.append)]
    except SettingsError as error:
        _say(str(error))
        return exit_codes.COULD_NOT_RUN
    cut: list[Unfollowed] = []
    shortened = dict[str, Set[str]]()
    found = [*_covered(targets, failures, cut, shortened)]
    for message in log.take():
        _say(f"{message}; this is a bug in Graphwright")
    for failure in failures:
        _say(str(failure))
    keras = [*dict.fromkeys(target.folder.assumed_keras(target.key).words for target in targets)]
    if options.format == "json":
        sys.stdout.write(_as_json(found, cut, shortened, keras))
    elif targets or not failures:
        sys.stdout.write(_as_text(found, cut, shortened, len(targets), style_for(sys.stdout, options.color)))
        sys.stdout.write(f"Assumed: {printable('; '.join(keras))}.\n" if found else "")
    return exit_codes.COULD_NOT_RUN if any(failure.missing for failure in failures) else exit_codes.CLEAN


@immutable
class _Covered:
    """A function, and its place as it is shown."""

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


def _covered(
    targets: list[Target], failures: list[Failure], cut: list[Unfollowed], shortened: dict[str, Set[str]]
) -> Iterator[_Covered]:
    """All traced functions, after running everything that may call them.

    Adds starts over the step limit to `cut`, and, for each file, the functions of other files over theirs.
    """
    from graphwright_analysis import Survey

    surveys: dict[int, Survey] = {}
    progress, readable = ProgressBar(2 * len(targets), "Analyzing"), list[Target]()
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
        if names := survey.shortened[target.key]:
            shortened[target.shown] = names
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


def _as_json(found: list[_Covered], cut: list[Unfollowed], shortened: Mapping[str, Set[str]], keras: list[str]) -> str:
    functions, names = _totals(found)
    report = {
        "functions": [_entry(each) for each in found],
        "cut": [_place(each.shown, each.cell, each.line) | {"name": each.name, "why": each.message} for each in cut],
        "shortened": [{"file": file, "names": sorted(names)} for file, names in shortened.items()],
        "keras": keras,
        "totals": {
            "functions": {status: functions[status] for status in _STATUSES},
            "names": {kind: names[kind] for kind in _KNOWN},
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
        "names": {kind: each.names.get(kind, 0) for kind in _KNOWN},
    }


def _place(file: str, cell: int | None, line: int) -> dict[str, Any]:
    return {"file": file, **({} if cell is None else {"cell": cell}), "line": line}


def _as_text(
    found: list[_Covered],
    cut: list[Unfollowed],
    shortened: Mapping[str, Set[str]],
    files: int,
    style: TerminalStyle,
) -> str:
    """The functions that aren't analyzed completely, and the totals."""
    lines: list[str] = []
    for each in found:
        if each.reasons:
            where = printable(f"{each.target.shown}:{_line(each.cell, each.line)}")
            status = style(_STATUSES[each.status], "bold", "red" if each.status == "not entered" else "yellow")
            lines.append(f"{style(where, 'bold')}: `{each.function.name}` is {_WORDS[each.function.kind]}: {status}")
            lines += [f"    {_at(each, cell, line)}{why}" for cell, line, why in each.reasons]
            lines.append("")
    lines += [f"{style(printable(each.where), 'bold')}: {printable(each.message)}" for each in cut]
    lines += [f"{style(printable(file), 'bold')}: {shortened_words(names)}" for file, names in shortened.items()]
    lines += [""] if cut or shortened else []
    functions, names = _totals(found)
    if not found:
        count = plural(files, "file")
        return "\n".join([*lines, f"Found no traced functions in {count}."]) + "\n"
    counted = ", ".join(f"{functions[status]} {words}" for status, words in _STATUSES.items())
    lines.append(f"{plural(len(found), 'traced function')}: {counted}.")
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
    shares = ", ".join(f"{words} {100 * names[kind] / max(total, 1):.1f}%" for kind, words in _KNOWN.items())
    return f"{plural(total, 'name')} in them: {shares}."


def _say(message: str) -> None:
    sys.stderr.write(f"graphwright: {printable(message)}\n")
