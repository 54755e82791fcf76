"""Functions that are there only while another one runs, and lambdas, as they are given to `Dataset.map`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graphwright.agent import failures, wire, working

pytestmark = pytest.mark.truth

MODULE = """\
import tensorflow as tf

FACTOR = 3
raw = tf.data.Dataset.range(4)
double = raw.map(lambda x: x * 2).map(lambda y: y + FACTOR)
branching = raw.map(
    lambda x: -x
    if x > 1
    else x
)


def make(size, offset=1):
    def helper(x):
        return x + offset

    def plain(x, n=FACTOR, *, m=1):
        if x > 2:
            x = x * n
        return x * m

    @tf.autograph.experimental.do_not_convert
    def sized(x):
        return helper(x) * size

    def endless(x):
        return endless(x - 1) if x > 0 else x

    def late(x, n=size):
        return x * n

    return raw.map(plain).map(sized).map(lambda x: helper(x) + size).map(endless)


class Reader:
    def __init__(self, scale):
        self.scale = scale

    def data(self):
        def scaled(x):
            return x * self.scale

        return raw.map(scaled).map(lambda x: x - self.scale)
"""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., wire.AgentReport]]:
    file = tmp_path / "module_with_datasets.py"
    file.write_text(MODULE)
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def asked(function: str, text: str = "", action: Any = wire.TRACE) -> wire.AgentReport:
        request = wire.AgentRequest(str(file), function, text, action)
        progress = working.StepReporter(lambda step: None, lambda: None)
        sys.modules.pop(file.stem, None)
        return working.work(request, progress, time.perf_counter())

    yield asked
    sys.modules.pop(file.stem, None)


def line_of(text: str) -> int:
    return MODULE[: MODULE.index(text)].count("\n") + 1


Ask = Callable[..., wire.AgentReport]


@pytest.mark.parametrize(
    ("function", "given", "result"),
    [
        (f"<lambda>@{line_of('double =')}", "x=5", "10"),
        (f"<lambda>@{line_of('double =')}.2", "y=5", "8"),
        ("make.<locals>.plain", "x=5", "15"),
        ("make.<locals>.plain", "x=5, n=1, m=7", "35"),
        ("make.<locals>.sized", "x=5, size=10, offset=2", "70"),
        (f"<lambda>@{line_of('.map(sized)')}", "x=5, size=10, offset=2", "17"),
        ("make.<locals>.endless", "x=3", "0"),
        ("make.<locals>.late", "x=3, n=2", "6"),
        ("Reader.data.<locals>.scaled", "x=5, self=Reader(4)", "20"),
        (f"<lambda>@{line_of('lambda x: x - self')}", "x=5, self=Reader(4)", "1"),
    ],
)
def test_it_is_made_from_the_text(ask: Ask, function: str, given: str, result: str) -> None:
    report = ask(function, given, wire.RUN)
    assert report.result is not None
    assert report.result.text == result


@pytest.mark.parametrize(
    ("function", "line"),
    [(f"<lambda>@{line_of('lambda x: -x')}", "lambda x: -x"), ("make.<locals>.plain", "if x > 2:")],
)
def test_its_graph_leads_back_to_the_source(ask: Ask, function: str, line: str) -> None:
    report = ask(function, "x=tf.TensorSpec([], tf.int64)")
    assert report.graph is not None
    branches = [node for node in report.graph.nodes if node.op == "StatelessIf"]
    assert [node.line for node in branches] == [line_of(line) - 1]
    assert report.traces[0].line is not None


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        ("make.<locals>.sized", "x=1", "sized reads variables of make. Add size=..., offset=... to the arguments."),
        (f"<lambda>@{line_of('lambda x: x - self')}", "x=1", "Add self=... to the arguments."),
        ("<lambda>@1", "x=1", "Line 1 no longer has this lambda."),
        (f"<lambda>@{line_of('double =')}.3", "x=1", "no longer has this lambda"),
        ("make.<locals>.gone", "x=1", "no longer has make.<locals>.gone"),
        ("make.<locals>.late", "x=1", "also needs n"),
    ],
)
def test_what_is_missing_is_told(ask: Ask, function: str, given: str, message: str) -> None:
    with pytest.raises(BaseException) as caught:
        ask(function, given)
    error = failures.failure(caught.value, "tracing")
    assert error.type == "Invalid request"
    assert message in error.message
