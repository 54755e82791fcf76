"""Rewrites of texts as they come: whatever is offered leaves code that parses and keeps the text's line ends."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest
from graphwright.rewrites import REWRITES
from graphwright_analysis import Action, Project, Range, apply_edits, code_actions

PROGRAM = '''\
"""Größe und 日本 🎉."""
from __future__ import annotations

import os

import numpy as np
import tensorflow as tf

if os.name:
    def größe(x: tf.Tensor, n=3):  # 🎉
        """Doc."""
        if tf.reduce_sum(x) > 0:
            x = x + tf.constant([1.0])
        return x

class Model(tf.Module):
    """Doc."""
    @staticmethod
    # why
    def step(x: tf.Tensor): return tf.cond(x > 0, lambda: x, lambda: -x)

    def __init__(self):
        self.n = tf.constant(0.0)

    def loop(self, xs: tf.Tensor):
        for x in xs: self.n += x
        for x in xs:
            scale = tf.constant(2.0)
            self.n = self.n + x * scale  # more
        while self.n > 3:
            self.n = (self.n
                - 1)
        return self.n

pick = lambda x: x if x > 0 else -x
größe(tf.zeros([3])); größe(tf.zeros([2]))
Model().loop(tf.zeros([3]))
def last(x: tf.Tensor):
    while x > 0: x = x - 1
    return x'''
SHAPES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "a mark in front": lambda text: "\ufeff" + text,
    "no import": lambda text: text.replace("import tensorflow as tf\n", "# tensorflow\n"),
    "another name": lambda text: text.replace("as tf", "as tensor").replace("tf.", "tensor."),
    "half typed after": lambda text: text + "\n\ndef half(x:\n    if x >",
    "half typed in front": lambda text: text.replace("import os\n", "import os\nx = (\n"),
    "half typed inside": lambda text: text.replace("return self.n", "return self."),
    "a decorator alone": lambda text: text.replace("def last", "@\ndef last"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_offered_leaves_code_that_parses(shape: str):
    text = SHAPES[shape](PROGRAM)
    parses = _parses(text)
    places = [match.start() for match in re.finditer(r"\b(?:def|for|while|lambda|class|constant)\b", text)]
    made = 0
    for action in (action for place in places for action in offered(text, place)):
        if action.disabled is not None:
            continue
        after = apply_edits(text, action.edits)
        made += 1
        assert after != text
        assert _parses(after) or not parses, action
        assert "\r\n" not in text or not re.search(r"(?<!\r)\n", after), action
        assert _problems(after) <= _problems(text), action
    assert made or shape in ("half typed in front", "no import")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("import tensorflow as tf\n", "import graphwright as gw\nimport tensorflow as tf\n"),
        ("import os\nimport tensorflow as tf\n", "import os\nimport graphwright as gw\nimport tensorflow as tf\n"),
        (
            "import numpy as np\nimport tensorflow as tf\n",
            "import graphwright as gw\nimport numpy as np\nimport tensorflow as tf\n",
        ),
        (
            "import absl\nimport tensorflow as tf\n",
            "import absl\nimport graphwright as gw\nimport tensorflow as tf\n",
        ),
        (
            '"""Doc."""\nfrom __future__ import annotations\nfrom helpers import tf  # tensorflow\n',
            '"""Doc."""\nfrom __future__ import annotations\nfrom helpers import tf  # tensorflow\n',
        ),
        ("import graphwright\nimport tensorflow as tf\n", "import graphwright\nimport tensorflow as tf\n"),
        (
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise\n",
            "import graphwright as gw\ntry:\n    import tensorflow as tf\nexcept ImportError:\n    raise\n",
        ),
    ],
)
def test_an_import_goes_where_it_belongs(head: str, expected: str):
    text = f"{head}\n\ndef f(x: tf.Tensor):\n    y = tf.constant(1.0) + x\n    return y\n"
    (action,) = [action for action in offered(text, text.index("def f")) if action.kind.endswith("gw-function")]
    after = apply_edits(text, action.edits)
    assert after.startswith(expected), after


def offered(text: str, place: int) -> list[Action]:
    project = Project(None)
    project.set_text("any.py", text)
    return list(code_actions(project, "any.py", Range(place, place), ["refactor"], REWRITES))


def _parses(text: str) -> bool:
    try:
        ast.parse(text.removeprefix("\ufeff"))
    except SyntaxError:
        return False
    return True


def _problems(text: str) -> int:
    project = Project(None)
    project.set_text("any.py", text)
    return len(project.sources.problems("any.py"))
