"""What is reported of random programs happens in a graph, and little of what happens isn't reported."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import random_verdicts
from tiers import part

_PER_TEST = 40
_MISSED: dict[random_verdicts.Decorator, int] = {"tf.function": 4, "gw.function": 6}
_PARTS: list[tuple[int, random_verdicts.Decorator]] = [
    *((start, "tf.function") for start in part(range(0, 400, _PER_TEST), 5)),
    *((start, "gw.function") for start in part(range(0, 120, _PER_TEST), 3)),
]


@pytest.mark.parametrize(("start", "decorator"), _PARTS)
def test_what_is_reported_of_random_programs_happens(
    start: int, decorator: random_verdicts.Decorator, tmp_path: Path
) -> None:
    judged = [random_verdicts.judged(seed, tmp_path, decorator) for seed in range(start, start + _PER_TEST)]
    tally = Counter(verdict for verdict, _ in judged)
    assert [text for verdict, text in judged if verdict == "false"] == []
    assert tally["missed"] <= _MISSED[decorator], "\n".join(text for verdict, text in judged if verdict == "missed")
    assert tally["right"] >= _PER_TEST // 2
