"""Every program of the collection does the same as written, converted and run eagerly, and as a graph."""

from __future__ import annotations

import differential
import graphwright as gw
import pytest
from graphwright.conversion import converted_function

_SUBJECT = differential.Subject(gw.function, converted_function)


@pytest.mark.parametrize("program", differential.programs(), ids=str)
def test_converted_programs_do_the_same(program: differential.Program) -> None:
    found = differential.disagreements(program, _SUBJECT)
    assert not found, "\n".join(found)


def test_there_are_enough_programs() -> None:
    names = [str(program) for program in differential.programs()]
    assert len(names) == len(set(names)) >= 330
