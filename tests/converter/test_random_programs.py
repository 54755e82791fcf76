"""Random programs of nested control flow do the same as written, converted and run eagerly, as a graph, and ejected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import differential
import graphwright as gw
import pytest
import random_changes
import random_features
import random_programs
import tensorflow as tf
from graphwright.conversion import converted_function
from random_sources import Compound, Drawn, draw, source
from tiers import part

_SUBJECT = differential.Subject(gw.function, converted_function)
_IN_A_GRAPH = differential.Subject(gw.function, None)
_PROGRAMS, _PER_TEST = 2000, 50


@pytest.fixture(autouse=True, scope="module")
def unoptimised_graphs() -> Iterator[None]:
    """Graphs run as they were traced: what TensorFlow makes of them isn't tested, and takes longer than all else."""
    before = tf.config.optimizer.get_experimental_options()
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    yield
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False, **before})


@pytest.mark.parametrize("start", part(range(0, _PROGRAMS, _PER_TEST), 4))
def test_random_programs_do_the_same(start: int, tmp_path: Path) -> None:
    wrong: list[str] = []
    for seed in range(start, start + _PER_TEST):
        drawn, gradients = draw(seed), random_programs.with_gradients(seed)
        found = random_programs.disagreement(drawn, _SUBJECT, tmp_path, f"program_{seed}", gradients)
        if found:
            wrong.append(f"python tests/converter/random_programs.py {seed}\n{found}\n{source(drawn)}")
    assert not wrong, f"{len(wrong)} of {_PER_TEST}\n" + "\n".join(wrong)


@pytest.mark.parametrize("start", part(range(0, 1000, 50), 10))
def test_random_programs_of_all_kinds_give_no_other_value(start: int, tmp_path: Path) -> None:
    """Some can't be converted, and some fail as they are written."""
    wrong: list[str] = []
    for seed in range(start, start + 50):
        drawn = random_features.draw(seed)
        try:
            found = random_programs.disagreement(drawn, _SUBJECT, tmp_path, f"any_{seed}")
        except Exception:
            continue
        if found and " instead of " in found:
            wrong.append(f"{found}\n{source(drawn)}")
    assert not wrong, f"{len(wrong)} of 50\n" + "\n".join(wrong)


@pytest.mark.parametrize("start", part(range(0, 1000, 25), 10))
def test_random_changes_give_no_other_value(start: int, tmp_path: Path) -> None:
    """Some can't be converted, but few."""
    wrong: list[str] = []
    refused = 0
    for seed in range(start, start + 25):
        drawn = random_changes.draw(seed)
        found = random_programs.disagreement(drawn, _IN_A_GRAPH, tmp_path, f"changes_{seed}")
        if found and " instead of " in found:
            wrong.append(f"{found}\n{source(drawn)}")
        elif found:
            refused += 1
    assert not wrong, f"{len(wrong)} of 25\n" + "\n".join(wrong)
    assert refused <= 3


@pytest.mark.parametrize("start", range(50_000, 50_200, 50))
def test_random_programs_are_ejected_to_the_same(start: int, tmp_path: Path) -> None:
    found = {
        seed: random_programs.ejected_disagreement(draw(seed), tmp_path, f"ejected_{seed}")
        for seed in range(start, start + 50)
    }
    assert {seed: words for seed, words in found.items() if words} == {}
    assert sum(words is None for words in found.values()) >= 10


def test_random_programs_do_the_same_under_xla(tmp_path: Path) -> None:
    seeds = range(60_000, 60_010)
    found = [random_programs.compiled_disagreement(draw(seed), tmp_path, f"compiled_{seed}") for seed in seeds]
    assert [words for words in found if words] == []
    assert sum(words is None for words in found) >= 3


def test_the_same_seed_draws_the_same_program() -> None:
    drawn = [source(draw(seed)) for seed in range(20)]
    assert drawn == [source(draw(seed)) for seed in range(20)]
    assert len(set(drawn)) == 20


def test_a_wrong_program_is_shrunk(tmp_path: Path) -> None:
    def forgetful(function, **options):
        """Stands for a converter that loses what is in `a`."""
        lines = Path(function.__code__.co_filename).read_text()
        return random_programs.load(lines.replace("a += 3", "pass"), tmp_path, "forgetful")

    subject = differential.Subject(forgetful)
    body = ("a = n", "b = 1", "if n > 1:", "a += 3", "return a + b")
    body = (*body[:2], Compound((((body[2],), (body[3], "b = 2")),)), body[4])
    drawn = Drawn({}, body)
    assert random_programs.disagreement(drawn, subject, tmp_path, "whole")
    small = source(random_programs.shrunk(drawn, subject, tmp_path))
    assert "a += 3" in small and "if" not in small and "if" not in small
