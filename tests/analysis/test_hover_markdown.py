"""Hovers and hints are Markdown that ends where it should, whatever backticks the code and its values have."""

from __future__ import annotations

import re

import pytest
from graphwright_analysis import LineIndex, Project, Range, Settings, hover, inlay_hints, markdown

TEXT = """
import tensorflow as tf

@tf.function
def f(x, kind):
    if kind == "a`b``c":
        for name in ["`", "|", "```"]:
            x = x + 1.0
    y = x if kind == "`" else x * 2.0
    return y

f(tf.constant(1.0), "a`b``c")
f(tf.constant(1.0), "```python")
f(tf.constant(1.0), "x | y `")
"""


@pytest.mark.parametrize("text", ["x", "`", "a`b", "``", "`a", "a`", "```\nb", "", "a``b`c"])
def test_code_ends_where_it_should(text: str) -> None:
    assert spans_of(markdown.code(text)) == [" ".join(text.splitlines()) or " "]
    assert blocks_of(markdown.block(text)) == [text]


def test_nothing_breaks_out() -> None:
    project = Project(None, Settings())
    project.set_text("model.py", TEXT)
    shown = [hint.tooltip for hint in inlay_hints(project, "model.py", Range(0, len(TEXT)))]
    shown += [found.markdown for at in range(len(TEXT)) if (found := hover(project, "model.py", at)) is not None]
    assert any("a`b``c" in text for text in shown)
    for text in shown:
        prose = re.sub(r"^(`{3,})python\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)
        # After the last span of each line no backtick is left.
        for line in prose.splitlines():
            assert "`" not in re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line), text
    assert LineIndex(TEXT).starts


def spans_of(text: str) -> list[str]:
    found = [match[2] for match in re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text)]
    return [each[1:-1] if each[0] == each[-1] == " " and each.strip() else each for each in found]


def blocks_of(text: str) -> list[str]:
    return [match[2] for match in re.finditer(r"^(`{3,})python\n(.*?)\n\1$", text, re.MULTILINE | re.DOTALL)]
