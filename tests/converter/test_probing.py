"""Which expressions of a function ejecting asks for their values."""

from __future__ import annotations

import functools

import gast
import tensorflow as tf
from graphwright.probing import Probing
from graphwright.sources import source_of


def test_what_runs_once_with_a_definition_is_not_watched() -> None:
    def decorated(x):
        @functools.cache
        def inner(y: tf.Tensor) -> tf.Tensor:
            return y + x

        z: tf.Tensor = inner(x)
        return z

    watched = Probing(None, decorated.__code__, source_of(decorated)).watched
    assert {gast.unparse(node) for node in watched} == {"y + x", "y", "x", "inner(x)", "inner", "z"}
