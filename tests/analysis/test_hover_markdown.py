"""Hovers and hints are Markdown that ends where it should, whatever backticks the code and its values have."""

from __future__ import annotations

import re

import pytest
from graphwright_analysis import (
    LineIndex,
    Project,
    Range,
    Settings,
    hover,
    inlay_hints,
    live_findings,
    live_run,
    markdown,
)

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


def test_what_a_trace_file_says_is_no_markup() -> None:
    hostile = "![x](https://a.example/x.png) <img src=y> [z](command:a) `n` was *1* https://b.example\n\n# head"
    trace = dict.fromkeys(("signature", "cause", "remedy", "file", "text"), hostile)
    numbers = {"calls": 10**400, "seconds": 10**400, "staged": 10**400, "traced": 10**400, "line": 10**400}
    function = {**numbers, "file": "model.py", "name": "f", "traces": [{**trace, "seconds": float("nan"), "line": 5}]}
    account = {"version": 1, "started": hostile, "program": hostile, "tensorflow": hostile, "functions": [function]}
    run = live_run(account)
    assert run is not None
    project = Project(None, Settings())
    project.set_text("model.py", TEXT)
    (found,) = live_findings(project, "model.py", [run])
    assert found.title
    outside = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", found.markdown)
    assert not re.search(r"(?<!\\)[\[\]<#!]|(?<!\\):(?=//)", outside), outside
    assert "`n` was \\*1\\*" in found.markdown
