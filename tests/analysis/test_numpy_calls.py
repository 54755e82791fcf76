"""What is said of NumPy's arrays is what NumPy makes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import random_arrays
from graphwright_analysis.values.domain import Array, Tensor
from graphwright_analysis.values.shapes import ANY

SEED = int(os.environ.get("GRAPHWRIGHT_SEED", "0"))
COUNT = int(os.environ.get("GRAPHWRIGHT_ARRAYS", "500"))


@pytest.mark.truth
def test_arrays_are_what_numpy_makes(tmp_path: Path):
    lines = random_arrays.program(SEED, COUNT)
    found = random_arrays.inferred(lines, tmp_path)
    total = known = 0
    for name, text, result in random_arrays.given(lines):
        assert isinstance(result, (np.ndarray, np.generic)), text
        total += 1
        value = found[name]
        assert not isinstance(value, Tensor), (text, value)
        if not isinstance(value, Array):
            continue
        assert value.dtype in (None, result.dtype.name), (text, result.dtype, value)
        sizes = value.shape if value.shape is not None else (ANY,) * result.ndim
        assert len(sizes) == result.ndim, (text, result.shape, value)
        assert all(size in (ANY, true) for size, true in zip(sizes, result.shape, strict=True)), (text, value)
        known += value.dtype is not None and value.shape is not None and ANY not in value.shape
    assert total > 1.6 * COUNT
    assert known > 0.9 * total, (known, total)
