"""The report for code scanning services: SARIF 2.1.0, with each rule's page as its help.

Columns count code points, which the report says of itself. In a notebook, messages name the cell and the line in it,
without a region or fixes: these would be about the text of the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from graphwright_analysis import (
    DOCUMENTATION,
    REPOSITORY,
    Diagnostic,
    Edit,
    LineIndex,
    Range,
    Rule,
    Severity,
    __version__,
    all_rules,
)

from .findings import CheckedFile, CheckRun, Unfollowed, in_cell

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def render(run: CheckRun) -> str:
    """The whole report."""
    rules = all_rules()
    numbers = {rule.name: number for number, rule in enumerate(rules)}
    results = [_result(file, diagnostic, numbers) for file in run.files for diagnostic in file.diagnostics]
    report = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Graphwright",
                        "semanticVersion": __version__,
                        "informationUri": DOCUMENTATION or REPOSITORY,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run)],
                "results": results,
            }
        ],
    }
    return json.dumps(report, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "helpUri": rule.url,
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.family]},
    }


def _invocation(run: CheckRun) -> dict[str, Any]:
    notifications: list[dict[str, Any]] = [
        {"level": "error", "message": {"text": str(failure)}} for failure in run.failures
    ]
    notifications += [_unfollowed(each) for each in run.unfollowed]
    return {
        "executionSuccessful": not run.could_not_run,
        "toolExecutionNotifications": notifications,
    }


def _unfollowed(each: Unfollowed) -> dict[str, Any]:
    """What was followed only in part is no result but a note on the run."""
    region = {"region": {"startLine": each.line}} if each.cell is None else {}
    location = {"artifactLocation": {"uri": _uri(each.shown)}, **region}
    message = f"{each.message}."
    return {
        "level": "note",
        "message": {"text": message if each.cell is None else in_cell(each.cell, each.line, message)},
        "locations": [{"physicalLocation": location}],
    }


def _result(file: CheckedFile, diagnostic: Diagnostic, numbers: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.rule,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": file.message_at(diagnostic.range.start, diagnostic.message)},
        "locations": [{"physicalLocation": _location(file, diagnostic.range)}],
    }
    if diagnostic.rule in numbers:
        result["ruleIndex"] = numbers[diagnostic.rule]
    related = [item for item in diagnostic.related if item.path in (None, file.path)]
    if related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": file.message_at(item.range.start, item.message)},
                "physicalLocation": _location(file, item.range),
            }
            for number, item in enumerate(related, 1)
        ]
    if diagnostic.fixes and file.cell is None:
        result["fixes"] = [
            {
                "description": {"text": fix.title},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": _uri(file.shown)},
                        "replacements": [_replacement(file.lines, edit) for edit in fix.edits],
                    }
                ],
            }
            for fix in diagnostic.fixes
            if fix.edits
        ]
    return result


def _replacement(lines: LineIndex, edit: Edit) -> dict[str, Any]:
    return {"deletedRegion": _region(lines, edit.range), "insertedContent": {"text": edit.text}}


def _location(file: CheckedFile, place: Range) -> dict[str, Any]:
    region = {"region": _region(file.lines, place)} if file.cell is None else {}
    return {"artifactLocation": {"uri": _uri(file.shown)}, **region}


def _region(lines: LineIndex, place: Range) -> dict[str, int]:
    line, column = lines.line_column(place.start)
    end_line, end_column = lines.line_column(place.end)
    return {
        "startLine": line + 1,
        "startColumn": column + 1,
        "endLine": end_line + 1,
        "endColumn": end_column + 1,
    }


def _uri(shown: str) -> str:
    path = Path(shown)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix(), errors="surrogateescape")
