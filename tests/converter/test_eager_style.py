"""Programs as people write them in eager style: ejected, they do the same."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf
from differential import plain, same
from eager_style import PROGRAMS
from test_eject import made_from, spec


@pytest.mark.parametrize("name", PROGRAMS)
def test_ejected_programs_do_the_same(name: str) -> None:
    function, calls = PROGRAMS[name]
    text = gw.to_code(function, style="tensorflow", signature=[spec(value) for value in calls[0]])
    made = tf.function(made_from(text, function), autograph=False)
    for arguments in calls:
        assert same(plain(function(*arguments)), plain(made(*arguments)))


def test_there_are_sixty() -> None:
    assert len(PROGRAMS) == 60
