"""What of a file counts for those that import it: what they ask for, what that mentions, and what has effects."""

from __future__ import annotations

import pytest
from graphwright_analysis import Project, Text

HUB = '''\
import functools
from . import shapes
import tensorflow as tf

"""Words in here mention nothing: scale."""


def scale(x):
    return x * FACTOR


FACTOR = 2.0
LIMIT = 3.0


class Layer(tf.Module):
    kinds = ("a", "b")

    @property
    def kind(self):
        return scale(self.kinds)

    @functools.lru_cache
    def twice(self, x, by=2):
        return shapes.of(x) * by


@tf.function
def limited(x):
    return tf.minimum(x, LIMIT)


alone = tf.constant(1.0)
'''


def outline(text: str):
    project = Project(None)
    project.set_text("/hub.py", text)
    return project.sources.outline("/hub.py")


def counts(before: str, after: str, asked: set[str] | None) -> bool:
    """Whether a change counts for whoever asks for these names and no others."""
    return outline(before).run_fingerprint(asked) != outline(after).run_fingerprint(asked)


@pytest.mark.parametrize("name", ["scale", "Layer", "limited", "alone", "FACTOR", "nothing"])
@pytest.mark.parametrize(
    ("before", "after", "concerned"),
    [
        # Whoever runs a function or method asks for what it mentions.
        ("x * FACTOR", "x / FACTOR", {"scale"}),
        ("2.0", "2.5", {"FACTOR"}),
        ("3.0", "4", set()),
        # What a definition uses while the file is run is part of it.
        ("by=2", "by=LIMIT", {"Layer"}),
        ("(tf.Module)", "(shapes.Shaped)", {"Layer"}),
        ("by=2", "by=3", {"Layer"}),
        ("tf.minimum", "tf.maximum", {"limited"}),
        ("constant(1.0)", "constant(1)", {"alone"}),
        ("import shapes", "import forms as shapes", {"Layer"}),
        ("LIMIT = 3.0", "LIMIT = 3.0  # at most", set()),
        ("\n\n\nFACTOR", "\n\n# By how much.\n\n\nFACTOR", set()),
        ("(1.0)\n", "(1.0)\n\n# The end.\n", set()),
        ('("a", "b")', '("a", "b")  # "both"', set()),
        ('("a", "b")', '("a#", "b")', {"Layer"}),
        ("(1.0)\n", "(1.0)\n\n\ndef more(x):\n    return LIMIT\n", set()),
        # What has effects counts for whoever gets hold of anything that it gets at.
        ("(1.0)\n", "(1.0)\nLayer.kinds = FACTOR\n", {"everybody"}),
        ("(1.0)\n", "(1.0)\nregister(scale)\n", {"scale", "FACTOR"}),
        ("(1.0)\n", "(1.0)\nif LIMIT: pass\n", set()),
        ("(1.0)\n", "(1.0)\nglobals()[name] = 1\n", {"everybody"}),
        ("(1.0)\n", "(1.0)\nfrom shapes import *\n", {"everybody"}),
        ("(1.0)\n", "(1.0)\nprint(tf)\n", set()),
        # It may change what is imported, which everybody has.
        ("@functools.lru_cache", "@shapes.cached", {"everybody"}),
        ("    return x * FACTOR", "    tf.Tensor.scaled = x", {"everybody"}),
        ("import functools", "import functools\nfrom keras import Model", set()),
        ("def scale(x", "def scale(x=(", {"scale", "FACTOR"}),
    ],
)
def test_a_change_concerns_those_that_it_can_reach(name: str, before: str, after: str, concerned: set[str]):
    assert HUB.count(before) == 1
    assert counts(HUB, HUB.replace(before, after), {name}) is (name in concerned or "everybody" in concerned)


def test_whoever_asks_for_any_name_is_concerned_by_every_change_of_the_code():
    assert counts(HUB, HUB.replace("3.0", "4"), None)
    assert not counts(HUB, HUB + "# The end.\n", None)


EFFECTS = """\
KNOWN = []


def known(x):
    KNOWN.append(x)


def plain(x):
    return _plain(x)


def _plain(x, times=1):
    return x * times


"""


@pytest.mark.parametrize(
    ("statement", "has_effects"),
    [
        ("made = plain(2)", False),
        ("made = plain(plain)", False),
        ("made = len('abc')", False),
        ("made = KNOWN", False),
        ("made = known(2)", True),
        ("made = plain(KNOWN)", True),
        ("made = [KNOWN.pop() for _ in ()]", True),
        ("made = (KNOWN := 2)", True),
        ("made, other = 1, 2", True),
        ("made: int = plain(2)", False),
        ("made.x = 2", True),
        ("def made(x=known(2)): pass", True),
        ("class made(known(2)): pass", True),
        ("class made:\n    known(2)", True),
        ("class made:\n    x = plain(2)\n    def known(self): known(self)", False),
        ("from x import *", True),
        ("del made", False),
        ("del made.x", True),
    ],
)
def test_what_running_a_statement_may_change(statement: str, has_effects: bool):
    assert outline(EFFECTS + statement + "\n").parts[-1].effects is has_effects


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return _plain(x)", "global KNOWN; KNOWN = x"),
        ("return _plain(x)", "_plain.last = x"),
        ("times=1", "times=[]"),
        ("x * times", "known(x)"),
        ("def _plain", "@tf.function\ndef _plain"),
        ("def _plain", "plain = 2\ndef _plain"),
    ],
)
def test_a_function_that_changes_something_is_not_called_for_nothing(before: str, after: str):
    assert outline(EFFECTS.replace(before, after) + "made = plain(2)\n").parts[-1].effects


@pytest.mark.parametrize(
    ("text", "name", "asked"),
    [
        ("from hub import f\nf.x(y)", "f", {"f"}),
        ("import hub\nhub.f(y). \\\n  g", None, {"f", "g"}),
        ("import hub\ngetattr(hub, 'f')", None, {"f"}),
        ("import hub\ngetattr(hub, f'{x}')", None, None),
        ("import hub\ngetattr(hub, 'f')\nf = getattr", None, None),
        ("import hub\nvars(hub)", None, None),
        ("from hub import f\nf.__globals__", "f", None),
        ("from hub import *\nf(x)", "*", {"from", "hub", "import", "f", "x"}),
    ],
)
def test_what_a_text_asks_for(text: str, name: str | None, asked: set[str] | None):
    assert Text.of(text).asks(name) == asked


@pytest.mark.parametrize(
    ("asked", "begins"), [({"scale"}, False), ({"limited"}, True), ({"Layer"}, False), (None, True), (set(), False)]
)
def test_where_a_graph_may_begin(asked: set[str] | None, begins: bool):
    assert outline(HUB).begins_for(asked) is begins


@pytest.mark.parametrize(
    ("code", "begins"),
    [
        ("f = tf.function(f)", True),
        ("from tensorflow import (\n    function,\n)", True),
        ("from tensorflow import *", True),
        ("x = data.map(f)", True),
        ("f = getattr(tf, 'function')", True),
        ("import tf_keras", True),
        ("x = 1  # tf.function", False),
        ('"""Use tf.function."""', False),
        ("x = tf.cond(a, b, c)", True),
        ("x = tf.where(a, b, c)", False),
    ],
)
def test_what_may_begin_a_graph(code: str, begins: bool):
    assert outline(code + "\n").begins_for(None) is begins


@pytest.mark.parametrize(
    ("code", "further"),
    [
        ("def f(x):\n    from .others import late\n    return late(x)", ("others", 1, "late")),
        ("import others.parts\n\ndef f(x):\n    return others.parts.late(x)", ("others.parts", 0, None)),
        ("import others.parts as parts\n\ndef f(x):\n    return parts.late(x)", ("others.parts", 0, None)),
    ],
)
def test_what_a_function_leads_to(code: str, further: tuple[str, int, str | None]):
    asked = frozenset({"f"})
    assert outline(code + "\n").imported_for(asked) == [further]
    assert outline(f"{code}\n\ndef g():\n    from .more import g\n").imported_for(asked) == [further]


def test_what_comes_by_a_star_may_be_what_is_asked_for():
    starred = HUB + "\nfrom .others import *\n"
    assert ("others", 1, "*") in outline(starred).imported_for(frozenset({"anything"}))
    assert ("others", 1, "*") not in outline(HUB).imported_for(frozenset({"anything"}))
    assert counts(HUB, starred, {"scale"})
    assert counts(starred, starred.replace(".others", ".more"), {"scale"})
