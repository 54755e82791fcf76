"""Jumps out of loops over Python values that stand in each other, in ejected functions."""

from __future__ import annotations

from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf
from test_eject import made_from, text_of


def inner_break(x: Any, limit: Any) -> Any:
    found = 0
    for a in (1, 2, 3):
        if x > 5:
            continue
        for b in (10, 20):
            found += a * b
            if found > limit:
                break
    return found


def break_in_the_else(x: Any, limit: Any) -> Any:
    found = 0
    for a in (1, 2, 3):
        for b in (10, 20):
            found += a * b
            if found > limit:
                break
        else:
            if x > 5:
                break
    return found


def inner_continue(x: Any, limit: Any) -> Any:
    found = 0
    for a in (1, 2, 3):
        for b in (10, 20):
            if x > b:
                continue
            found += a * b
        if found > limit:
            break
    return found


@pytest.mark.parametrize("function", [inner_break, break_in_the_else, inner_continue])
def test_a_jump_leaves_its_own_loop(function: Any) -> None:
    try:
        made = made_from(text_of(function, tf.constant(3), tf.constant(25)), function)
    except gw.ConversionError as error:
        assert "loop over `tf.range(...)`" in str(error)
        return
    for x in (3, 7, 15):
        for limit in (0, 25, 70, 1000):
            arguments = tf.constant(x), tf.constant(limit)
            wanted = function(x, limit)
            assert int(made(*arguments)) == wanted, (x, limit)
            assert int(tf.function(made)(*arguments)) == wanted, (x, limit)
