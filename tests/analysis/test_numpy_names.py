"""What stands for a NumPy function computes what the NumPy function does."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from graphwright_analysis.fixes import numpy_names

X = np.array([[0.5, 0.25], [0.75, 0.125]])
Y = np.array([[0.5, 2.0], [1.0, 0.25]])


def named(module: Any, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), module)


@pytest.mark.parametrize(("ours", "theirs"), numpy_names.ELEMENTWISE.items())
def test_elementwise(ours: str, theirs: str):
    x = X + 1.0 if ours == "arccosh" else X
    np.testing.assert_allclose(named(tf, theirs)(tf.constant(x)), named(np, ours)(x))


@pytest.mark.parametrize(("ours", "theirs"), numpy_names.PAIRWISE.items())
def test_pairwise(ours: str, theirs: str):
    np.testing.assert_allclose(named(tf, theirs)(tf.constant(X), tf.constant(Y)), named(np, ours)(X, Y))


@pytest.mark.parametrize(("ours", "theirs"), numpy_names.REDUCTIONS.items())
def test_reductions(ours: str, theirs: str):
    for arguments in ((), (1,)):
        np.testing.assert_allclose(named(tf, theirs)(tf.constant(X), *arguments), named(np, ours)(X, *arguments))


def test_shaped():
    x = tf.constant(X)
    given: dict[str, tuple[Any, ...]] = {
        "reshape": ([4],), "expand_dims": (0,), "squeeze": (), "tile": ([2, 1],), "transpose": (), "clip": (0.2, 0.6),
    }  # fmt: skip
    for name, arguments in given.items():
        theirs = named(tf, numpy_names.SHAPED[name])
        np.testing.assert_allclose(theirs(x, *arguments), named(np, name)(X, *arguments))
    for name in ("concatenate", "stack"):
        np.testing.assert_allclose(named(tf, numpy_names.SHAPED[name])([x, x], 1), named(np, name)([X, X], 1))
