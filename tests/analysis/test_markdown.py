"""Runs every section of the Markdown tests as a test of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Diagnostic, Project
from graphwright_analysis.mdtest import Section, account, problems, sections
from graphwright_analysis.tracing.python import calls

DOCUMENTS = sorted((Path(__file__).parent / "mdtest").glob("*.md"))
SECTIONS = [
    pytest.param(section, id=f"{path.stem}: {section.title}")
    for path in DOCUMENTS
    for section in sections(path.read_text("utf-8"))
]


def test_there_are_sections():
    assert len(SECTIONS) > 10


@pytest.mark.parametrize("section", SECTIONS)
def test_section(section: Section, monkeypatch: pytest.MonkeyPatch):
    assert problems(section) == []
    monkeypatch.setattr(calls, "REMEMBERED", 1)
    assert problems(section) == [], "every call is remembered"


def test_the_harness_tells_a_missed_and_a_surplus_finding():
    [section] = sections(
        "# wrong\n\n```python\nimport tensorflow as tf\nx = 1  # error: [undefined-in-branch]\n"
        "reveal(x)  # revealed: str\n```\n"
    )
    assert problems(section) == ["line 2: no error [undefined-in-branch]", "line 3: revealed int = 1, expected str"]


TOLD = """# told

```python
import tensorflow as tf


@tf.function
def total(x):
    if tf.reduce_sum(x) > 0:  # error: [branch-dtype-mismatch]
        y = 1
    else:
        y = 0.5
    return x * y
```
"""


def test_the_same_finding_told_twice_is_a_problem(monkeypatch: pytest.MonkeyPatch):
    [section] = sections(TOLD)
    assert problems(section) == []
    check = Project.check

    def twice(self: Project, path: str) -> tuple[Diagnostic, ...]:
        return check(self, path) * 2

    monkeypatch.setattr(Project, "check", twice)
    assert problems(section) == ["line 6: [branch-dtype-mismatch] is told 2 times"]


def test_the_account_of_a_test_is_all_that_is_told():
    [section] = sections(TOLD)
    assert account(section) == (
        "6:8-6:28 error [branch-dtype-mismatch] «tf.reduce_sum(x) > 0»\n"
        "    `y` is int32 if the branch is taken and float32 otherwise, so TensorFlow can't build this `if`. "
        "Cast to one dtype in both branches.\n"
        "    7:9-7:10 int32 here\n"
        "    9:9-9:10 float32 here\n"
        "    fix: Use the float 1.0\n"
        "        7:13-7:14 '1' -> '1.0'\n"
    )
    [silent] = sections("# silent\n\n```python\nimport tensorflow as tf\n```\n")
    assert account(silent) == "nothing\n"
