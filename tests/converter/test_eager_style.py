"""Programs as people write them in eager style: ejected, they do the same, or are refused with line and reason."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf
from differential import plain, same
from eager_style import PROGRAMS
from test_eject import made_from, spec

REFUSED = {
    "all_small": "`result` may be undefined before this loop",
}


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in REFUSED])
def test_ejected_programs_do_the_same(name: str) -> None:
    function, calls = PROGRAMS[name]
    text = gw.to_code(function, style="tensorflow", signature=[spec(value) for value in calls[0]])
    made = tf.function(made_from(text, function), autograph=False)
    for arguments in calls:
        assert same(plain(function(*arguments)), plain(made(*arguments)))


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_line_and_reason(name: str) -> None:
    function, calls = PROGRAMS[name]
    with pytest.raises(gw.ConversionError) as caught:
        gw.to_code(function, style="tensorflow", signature=[spec(value) for value in calls[0]])
    assert caught.value.reason.startswith(REFUSED[name])
    assert caught.value.line > function.__code__.co_firstlineno


def test_there_are_sixty() -> None:
    assert len(PROGRAMS) == 60
