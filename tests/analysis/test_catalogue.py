"""The catalogue of what is to be found: each rule announces its bad example and is silent on the cure."""

from __future__ import annotations

import pytest
from graphwright_analysis import Diagnostic, Project, Severity, all_rules
from pages import CATALOGUE, Entry, read_entries

ENTRIES = [entry for page in CATALOGUE for entry in read_entries(page)]


def check(text: str) -> tuple[Diagnostic, ...]:
    project = Project(None)
    project.set_text("example.py", text)
    return project.check("example.py")


def told(text: str, found: tuple[Diagnostic, ...], rule: str) -> set[int]:
    return {text[: d.range.start].count("\n") + 1 for d in found if d.rule == rule}


def test_every_rule_is_in_the_catalogue_once():
    assert sorted(entry.rule for entry in ENTRIES) == sorted(rule.name for rule in all_rules())


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.rule) for entry in ENTRIES])
def test_entry(entry: Entry):
    marked = {number for number, line in enumerate(entry.bad.splitlines(), 1) if line.rstrip().endswith("# error")}
    assert marked, "no line of the bad example is marked"
    assert told(entry.bad, check(entry.bad), entry.rule) == marked
    found = check(entry.cured)
    assert told(entry.cured, found, entry.rule) == set()
    assert [d for d in found if d.severity <= Severity.WARNING] == []
