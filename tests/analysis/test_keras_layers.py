"""What is said of Keras' layers is what Keras makes of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import random_layers
from graphwright_analysis.values.shapes import ANY

SEED = int(os.environ.get("GRAPHWRIGHT_SEED", "0"))
COUNT = int(os.environ.get("GRAPHWRIGHT_LAYERS", "400"))


@pytest.mark.truth
def test_layers_give_what_keras_says(tmp_path: Path):
    lines = random_layers.program(SEED, COUNT)
    found = random_layers.inferred(lines, tmp_path)
    total = known = 0
    for name, text, result in random_layers.given(lines):
        specs = random_layers.specs(result)
        told = random_layers.told(found[name])
        total += len(specs)
        if told is None:
            continue
        assert len(told) == len(specs), text
        for (dtype, shape), value in zip(specs, told, strict=True):
            assert value.dtype in (None, dtype), (text, value)
            sizes = value.shape if value.shape is not None else (ANY,) * len(shape)
            assert len(sizes) == len(shape), (text, shape, value)
            assert all(size in (ANY, true) for size, true in zip(sizes, shape, strict=True)), (text, shape, value)
            known += value.dtype is not None and value.shape is not None and ANY not in value.shape
    assert total > 0.8 * COUNT
    assert known > 0.97 * total, (known, total)
