"""The catalogue of what is to be found: each rule announces its bad example and is silent on the cure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from graphwright_analysis import Diagnostic, Project, Severity, find_rule

HEAD = "import numpy as np\nimport tensorflow as tf\n"
SECTION = re.compile(
    r"^## ([\w-]+)\n.*?^Bad:\n\n```python\n(.*?)^```\n.*?^Fixed:\n\n```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Entry:
    rule: str
    bad: str
    cured: str


def entries() -> list[Entry]:
    documents = sorted((Path(__file__).parent / "catalogue").glob("*.md"))
    return [Entry(*match.groups()) for path in documents for match in SECTION.finditer(path.read_text("utf-8"))]


def check(code: str) -> tuple[str, tuple[Diagnostic, ...]]:
    project, text = Project(None), HEAD + code
    project.set_text("example.py", text)
    return text, project.check("example.py")


def told(text: str, found: tuple[Diagnostic, ...], rule: str) -> set[int]:
    return {text[: d.range.start].count("\n") + 1 for d in found if d.rule == rule}


def test_the_catalogue_is_whole():
    assert len(entries()) == 78
    assert len({entry.rule for entry in entries()}) == 78


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.rule) for entry in entries()])
def test_entry(entry: Entry):
    assert find_rule(entry.rule) is not None
    text, found = check(entry.bad)
    marked = {number for number, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("# error")}
    assert marked, "no line of the bad example is marked"
    assert told(text, found, entry.rule) == marked
    text, found = check(entry.cured)
    assert told(text, found, entry.rule) == set()
    assert [d for d in found if d.severity <= Severity.WARNING] == []
