"""What messages say: how often, of which dtype; and that a failure of ours costs what it is in, and is logged."""

from __future__ import annotations

import logging
import re

import pytest
from graphwright_analysis import Project, Settings
from graphwright_analysis.tracing.python import operators

LOOP = """
import tensorflow as tf

@tf.function
def step(x, epoch):
    return x * epoch

for epoch in range(3):
    for i in range(1000):
        step(tf.constant(1.0), epoch)

for i in range(1000):
    step(tf.constant(2.0), i)
"""


def messages_of(text: str) -> dict[int, str]:
    """The messages by their line, from 1."""
    project = Project(None, Settings())
    project.set_text("model.py", text)
    lines = project.module("model.py").lines
    return {lines.line_of(found.range.start) + 1: found.message for found in project.check("model.py")}


def test_how_often_a_loop_traces() -> None:
    found = messages_of(LOOP)
    assert "at least 3 of the calls here add a trace" in found[10]
    assert re.search(r"at least \d{2,} of the calls here add a trace", found[13])


def test_what_is_not_known_is_no_dtype() -> None:
    """For every pair of operands and function of two, known or not."""
    known = ["tf.constant(1)", "tf.constant(1.0)", "tf.reduce_sum(x)", "x", "tf.cast(x, d)", "[1.0]", "2.5", "3", "'a'"]
    names = ["divide", "math.divide_no_nan", "add", "multiply", "subtract", "maximum", "equal", "less", "pow", "matmul"]
    pairs = [f"tf.{name}({a}, {b})" for name in names for a in known for b in known]
    body = "\n".join(f"    {pair}" for pair in pairs)
    found = messages_of(f"import tensorflow as tf\n\n@tf.function\ndef f(x, d):\n{body}\n")
    assert len(found) > 50
    assert not [message for message in found.values() if " None" in message or "?" in message]


def test_a_failure_costs_the_function_it_is_in(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: object) -> None:
        raise AssertionError("ours")

    monkeypatch.setattr(operators, "binary", failing)
    text = """
import tensorflow as tf

@tf.function
def fails(x):
    return x + 1

@tf.function
def f(x):
    if x > 0:
        y = x
    return y

f(tf.constant(1))
"""
    with caplog.at_level(logging.INFO):
        assert [*messages_of(text)] == [10]
    assert "tracing failed" in caplog.text


def test_no_certain_fix_makes_a_float_of_an_integer() -> None:
    project = Project(None, Settings())
    text = "import tensorflow as tf\n\n@tf.function\ndef f(x: tf.Tensor):\n    if tf.size(x) > 0:\n        n = 0.5\n"
    project.set_text("model.py", f"{text}    else:\n        n = 1\n    return n\n")
    [found] = project.check("model.py")
    assert [(fix.title, fix.certain) for fix in found.fixes] == [("Use the float 1.0", False)]
