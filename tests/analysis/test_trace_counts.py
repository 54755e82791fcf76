"""How many traces a loop is said to make is what TensorFlow counts."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from graphwright_analysis import Project
from graphwright_analysis.mdtest import Section, sections
from random_loops import program

DOCUMENT = Path(__file__).parent / "mdtest" / "long_loops.md"
SECTIONS = [pytest.param(each, id=each.title) for each in sections(DOCUMENT.read_text("utf-8"))]
_SAID = re.compile(r"(at least )?(\d+) of the ")


@pytest.mark.truth
@pytest.mark.parametrize("section", SECTIONS)
def test_the_number_of_traces_is_tensorflows(section: Section, tmp_path: Path):
    [(_, text)] = section.blocks
    file = tmp_path / "model.py"
    file.write_text(text)
    namespace: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), namespace)
    count = namespace["f"].experimental_get_tracing_count()
    found = [each.message for each in Project(tmp_path).check(str(file))]
    if not found:
        assert count < 5
        return
    said = _SAID.search(found[0])
    assert said is not None, found[0]
    least, number = said[1], int(said[2])
    assert number <= count if least else number == count


@pytest.mark.truth
@pytest.mark.parametrize("seed", range(60))
def test_no_number_of_a_random_loop_is_wrong(seed: int, tmp_path: Path):
    text, file = program(Random(seed)), tmp_path / "model.py"
    file.write_text(text)
    namespace: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), namespace)
    count = namespace["f"].experimental_get_tracing_count()
    for said in filter(None, (_SAID.search(each.message) for each in Project(tmp_path).check(str(file)))):
        least, number = said[1], int(said[2])
        assert number <= count if least else number == count, text
