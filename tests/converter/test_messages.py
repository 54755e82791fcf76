"""What the author of a wrong program is shown: the pages of `messages/` hold programs and their tracebacks."""

from __future__ import annotations

import re
import sys

import pytest
from messages import shown_by, wrong_programs

PROGRAMS = wrong_programs()
OF_VALUES = [wrong for wrong in PROGRAMS if wrong.page == "values"]
INTERNAL = ("graphwright/", "site-packages", "Maybe", "Turn", "slot", "leaf", "autograph", "AutoGraph")


def test_there_are_programs():
    assert len(PROGRAMS) >= 90


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there, a bare `raise` brings back a frame of ours")
@pytest.mark.truth
@pytest.mark.parametrize("wrong", PROGRAMS, ids=lambda wrong: f"{wrong.page}: {wrong.title}")
def test_the_author_is_shown(wrong):
    assert shown_by(wrong.program).rstrip() == wrong.shown.rstrip()


@pytest.mark.parametrize("wrong", OF_VALUES, ids=lambda wrong: wrong.title)
def test_a_message_names_the_line_and_what_is_on_it(wrong):
    message = wrong.shown.rstrip().splitlines()[-1]
    named = re.search(r"`([^`]+)`(?: \(|, called at )program\.py:\d+", message)
    assert named is not None
    assert named[1] in wrong.program


COMPREHENSIONS = {
    "{k: sum(v) for k, v in rows.items() if len(v) > 0}": "leaves keys out where `len(v) > 0` is false",
    "len({x for x in xs})": "uses the tensor `x` as a key",
}


@pytest.mark.truth
@pytest.mark.parametrize("expression", COMPREHENSIONS)
def test_a_message_names_the_comprehension(expression):
    # Until Python 3.12, a comprehension has a frame of its own, so that the whole traceback differs.
    program = f"""
import tensorflow as tf
import graphwright as gw


@gw.function
def run(xs):
    rows = {{"small": [], "large": []}}
    for x in xs:
        if x > 2.0:
            rows["large"].append(x)
    return {expression}


run(tf.constant([1.0, 3.0]))
"""
    message = shown_by(program).rstrip().splitlines()[-1]
    assert "(program.py:12) " + COMPREHENSIONS[expression] in message


@pytest.mark.truth
@pytest.mark.parametrize(
    "body",
    [
        "raise TypeError('SymbolicTensor')",
        "raise KeyError('symbolic Tensor')",
        "return {}['x']",
        "return x + undefined",
        "return int('a')",
    ],
)
def test_what_isnt_about_a_tensor_keeps_its_words(body):
    shown = shown_by(f"import graphwright as gw\n\n\n@gw.function\ndef f(x):\n    {body}\n\n\nf(1.0)\n")
    assert "originally" not in shown


@pytest.mark.truth
def test_a_caught_error_is_the_one_that_was_raised():
    program = (
        "import graphwright as gw\nimport tensorflow as tf\n\n\n@gw.function\ndef f(x):\n    try:\n"
        "        return x.numpy()\n    except AttributeError as error:\n        print(error)\n        return x\n\n\n"
        "f(tf.constant(1))\n"
    )
    assert shown_by(program).strip() == "'SymbolicTensor' object has no attribute 'numpy'"


@pytest.mark.truth
def test_with_full_tracebacks_tensorflow_says_it_itself(monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_FULL_TRACEBACK", "1")
    wrong = next(wrong for wrong in PROGRAMS if wrong.title == "an array's method")
    assert "originally" in wrong.shown
    assert "originally" not in shown_by(wrong.program)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=lambda wrong: f"{wrong.page}: {wrong.title}")
def test_the_traceback_is_the_authors(wrong):
    """Where it is ours to show: what a plain tf.function shows is TensorFlow's."""
    if "tf.function(" in wrong.program:
        return
    assert not [word for word in INTERNAL if word in wrong.shown]
