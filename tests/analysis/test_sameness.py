"""What tells two values apart: all that is known of them, also what `==` leaves out."""

from __future__ import annotations

import gast
import pytest
from graphwright_analysis.values.domain import PRESENT, STATIC, UNKNOWN, Api, Class, Value
from graphwright_analysis.values.sameness import same

NODE = gast.parse("class Kept:\n    pass").body[0]


def kept(*bases: Value) -> Class:
    return Class(NODE, None, 1, bases)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "left", [(), (UNKNOWN,), (PRESENT,), (STATIC,), (Api("tf.Module"),), (kept(UNKNOWN),), (kept(PRESENT),)]
)
@pytest.mark.parametrize("right", [(), (UNKNOWN,), (PRESENT,), (Api("tf.Module"),), (kept(UNKNOWN), UNKNOWN)])
def test_classes_are_told_apart_by_what_is_known_of_their_bases(left: tuple[Value, ...], right: tuple[Value, ...]):
    assert kept(*left) == kept(*right), "`==` leaves the bases out"
    assert same(kept(*left), kept(*right)) == (repr(left) == repr(right))
    assert same(kept(kept(*left)), kept(kept(*right))) == (repr(left) == repr(right))
