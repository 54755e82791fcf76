"""What the author of a wrong program is shown: the pages of `messages/` hold programs and their tracebacks."""

from __future__ import annotations

import sys

import pytest
from messages import shown_by, wrong_programs

PROGRAMS = wrong_programs()
INTERNAL = ("graphwright/", "site-packages", "Maybe", "Turn", "slot", "leaf", "autograph", "AutoGraph")


def test_there_are_programs():
    assert len(PROGRAMS) >= 90


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there, a bare `raise` brings back a frame of ours")
@pytest.mark.truth
@pytest.mark.parametrize("wrong", PROGRAMS, ids=lambda wrong: f"{wrong.page}: {wrong.title}")
def test_the_author_is_shown(wrong):
    assert shown_by(wrong.program).rstrip() == wrong.shown.rstrip()


@pytest.mark.parametrize("wrong", PROGRAMS, ids=lambda wrong: f"{wrong.page}: {wrong.title}")
def test_the_traceback_is_the_authors(wrong):
    """Where it is ours to show: what a plain tf.function shows is TensorFlow's."""
    if "tf.function(" in wrong.program:
        return
    assert not [word for word in INTERNAL if word in wrong.shown]
