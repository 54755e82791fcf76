"""Runs every section of the Markdown tests as a test of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis.mdtest import Section, problems, sections

DOCUMENTS = sorted((Path(__file__).parent / "mdtest").glob("*.md"))
SECTIONS = [
    pytest.param(section, id=f"{path.stem}: {section.title}")
    for path in DOCUMENTS
    for section in sections(path.read_text("utf-8"))
]


def test_there_are_sections():
    assert len(SECTIONS) > 10


@pytest.mark.parametrize("section", SECTIONS)
def test_section(section: Section):
    assert problems(section) == []


def test_the_harness_tells_a_missed_and_a_surplus_finding():
    [section] = sections(
        "# wrong\n\n```python\nimport tensorflow as tf\nx = 1  # error: [undefined-in-branch]\n"
        "reveal(x)  # revealed: str\n```\n"
    )
    assert problems(section) == ["line 2: no error [undefined-in-branch]", "line 3: revealed int = 1, expected str"]
