"""What the editor is told, as tables in Markdown: each block is a file with what is shown in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphwright_analysis import Project, Range, Settings, inlay_hints
from graphwright_analysis.mdtest import Section, sections

FOLDER = Path(__file__).parent / "editor"


def cases(name: str) -> list[object]:
    return [pytest.param(s, id=s.title) for s in sections((FOLDER / name).read_text("utf-8"))]


def project_with(text: str) -> Project:
    project = Project(None, Settings())
    project.set_text("file.py", text)
    return project


@pytest.mark.parametrize("section", cases("inlay_hints.md"))
def test_inlay_hints(section: Section):
    for _, wanted in section.blocks:
        text = re.sub("«.*?»", "", wanted)
        got = text
        for hint in reversed(inlay_hints(project_with(text), "file.py", Range(0, len(text)))):
            got = f"{got[: hint.offset]}«{hint.label.strip()}»{got[hint.offset :]}"
        assert got == wanted


def test_hints_are_given_for_the_part_that_is_asked_for():
    text = "import tensorflow as tf\nx = tf.zeros([2])\ny = tf.ones([3])\n"
    [hint] = inlay_hints(project_with(text), "file.py", Range(text.index("y ="), len(text)))
    assert (hint.offset, hint.label) == (text.index("y =") + 1, ": float32[3]")
