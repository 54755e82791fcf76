"""What is reported of random programs happens under `tf.function`, and little of what happens isn't reported."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import random_verdicts
from tiers import part

_PER_TEST, _MISSED = 40, 3


@pytest.mark.parametrize("start", part(range(0, 400, _PER_TEST), 5))
def test_what_is_reported_of_random_programs_happens(start: int, tmp_path: Path) -> None:
    judged = [random_verdicts.judged(seed, tmp_path) for seed in range(start, start + _PER_TEST)]
    tally = Counter(verdict for verdict, _ in judged)
    assert [text for verdict, text in judged if verdict == "false"] == []
    assert tally["missed"] <= _MISSED, "\n".join(text for verdict, text in judged if verdict == "missed")
    assert tally["right"] >= _PER_TEST // 2
