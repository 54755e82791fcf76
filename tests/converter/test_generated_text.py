"""The graph code of every program is the one that was reviewed, line for line; TensorFlow judges it elsewhere."""

from __future__ import annotations

import generated_text
import pytest
import snapshots

FUNCTIONS = [pytest.param(*each, id=".".join(each)) for each in generated_text.functions()]


@pytest.mark.parametrize(("family", "name"), FUNCTIONS)
def test_the_code_is_what_was_reviewed(family: str, name: str) -> None:
    now = generated_text.generated(family, name)
    snapshots.fail_with([snapshots.difference(generated_text.FOLDER, f"{family}.txt", name, now)])


def test_every_snapshot_belongs_to_a_program() -> None:
    wanted: dict[str, set[str]] = {}
    for family, name in generated_text.functions():
        wanted.setdefault(f"{family}.txt", set()).add(name)
    assert snapshots.left_over(generated_text.FOLDER, wanted) == []
