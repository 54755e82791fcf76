"""Random programs of nested control flow do the same as written, converted and run eagerly, and as a graph."""

from __future__ import annotations

from pathlib import Path

import differential
import graphwright as gw
import pytest
import random_programs

_SUBJECT = differential.Subject(gw.function, gw.to_graph)
_PROGRAMS, _PER_TEST = 2000, 50


@pytest.mark.parametrize("start", range(0, _PROGRAMS, _PER_TEST))
def test_random_programs_do_the_same(start: int, tmp_path: Path) -> None:
    wrong: list[str] = []
    for seed in range(start, start + _PER_TEST):
        body = random_programs.draw(seed)
        found = random_programs.disagreement(body, _SUBJECT, tmp_path, f"program_{seed}")
        if found:
            wrong.append(f"python tests/converter/random_programs.py {seed}\n{found}\n{random_programs.source(body)}")
    assert not wrong, f"{len(wrong)} of {_PER_TEST}\n" + "\n".join(wrong)


def test_the_same_seed_draws_the_same_program() -> None:
    drawn = [random_programs.source(random_programs.draw(seed)) for seed in range(20)]
    assert drawn == [random_programs.source(random_programs.draw(seed)) for seed in range(20)]
    assert len(set(drawn)) == 20


def test_a_wrong_program_is_shrunk(tmp_path: Path) -> None:
    def forgetful(function, **options):
        """Stands for a converter that loses what is in `a`."""
        lines = Path(function.__code__.co_filename).read_text()
        return random_programs.load(lines.replace("a += 3", "pass"), tmp_path, "forgetful")

    subject = differential.Subject(forgetful)
    body = ("a = n", "b = 1", "if n > 1:", "a += 3", "return a + b")
    body = (*body[:2], random_programs.Compound((((body[2],), (body[3], "b = 2")),)), body[4])
    assert random_programs.disagreement(body, subject, tmp_path, "whole")
    small = random_programs.source(random_programs.shrunk(body, subject, tmp_path))
    assert "a += 3" in small and "if" not in small and small.count("\n") == 7
