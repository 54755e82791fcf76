"""A short soak: whatever is edited, asked and sent, every request is answered and every finding is a fresh server's.

`python tests/server/soak.py 10000` does it for as long as is wanted, and looks at the memory, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from soak import soak


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_random_work_does_no_harm(tmp_path: Path, seed: int):
    folder = tmp_path / "work"
    folder.mkdir()
    outcome = soak(seed, steps=150, every=30, folder=folder)
    assert outcome.faults == []
    assert sum(outcome.steps.values()) == 150 and outcome.compared > 0
