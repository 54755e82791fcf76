"""Every view states the same number of operations and the same size of a graph, functions inside of it included."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import graphwright_analysis as analysis
import pytest
from graphwright.agent import wire, working
from graphwright_server.cli.terminal import TerminalStyle
from graphwright_server.cli.trace_report import report_text
from graphwright_server.graph_lines import operations_text, size_text
from graphwright_server.mcp.tracing import result_of, trace_text
from graphwright_server.mcp.workspace import Workspace
from graphwright_server.pages import page_of_report, page_of_run
from graphwright_server.pictures import picture_of

pytestmark = pytest.mark.truth

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / ".dev" / "node" / "bin" / "node"
MODEL = """\
import tensorflow as tf


@tf.function
def doubled(x):
    return x * 2.0


def step(x, n):
    if tf.reduce_sum(x) > 0.0:
        x = doubled(doubled(x))
    for i in tf.range(n):
        x += tf.cast(i, tf.float32)
    return x
"""
SPEC = "x=tf.TensorSpec([2]), n=tf.TensorSpec([], tf.int32)"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sizes") / "model_of_sizes.py"
    path.write_text(MODEL, "utf-8")
    return path


@pytest.fixture(scope="module", params=[SPEC, f"{SPEC}; x=tf.TensorSpec([3]), n=tf.TensorSpec([], tf.int32)"])
def report(request: pytest.FixtureRequest, file: Path) -> wire.AgentReport:
    asked = wire.AgentRequest(str(file), "step", request.param)
    done = working.work(asked, working.StepReporter(lambda _: None, lambda: None), 0.0)
    return replace(done, svg=picture_of(done, {str(file): MODEL}))


def total(report: wire.AgentReport) -> int:
    assert report.graph is not None
    return len(report.graph.nodes)


def stated(text: str) -> set[str]:
    """The numbers that a text states of operations, with their sizes."""
    return set(re.findall(r"\d[\d,]* operations?(?:, [\d.]+ [kM]B)?", re.sub(r"<[^>]*>", " ", text)))


def views(report: wire.AgentReport) -> Iterator[tuple[str, str]]:
    yield "terminal", report_text(report, MODEL, "", TerminalStyle(False))
    yield "picture", report.svg
    yield "page", page_of_report(report, MODEL)
    yield "coding agents", trace_text(result_of(Workspace(Path(report.file).parent), report, SPEC))


def test_all_views_state_one_number(report: wire.AgentReport):
    assert report.graph is not None
    assert {trace.operations for trace in report.traces} == {total(report)}
    assert any(node.parent for node in report.graph.nodes)
    both = {operations_text(total(report)), size_text(report.graph)}
    for name, text in views(report):
        assert size_text(report.graph) in stated(text) <= both, name


def test_the_extension_states_it_as_well(report: wire.AgentReport):
    if not NODE.exists():
        pytest.skip("Node isn't installed in .dev: `make lint` installs it")
    assert report.graph is not None
    large = replace(report.graph, size=12_345_678)
    program = (
        "import { graphSize } from './src/report.ts';"
        "console.log(JSON.stringify(JSON.parse(process.argv[1]).map(graphSize)))"
    )
    command = [str(NODE), "--input-type=module", "-e", program, json.dumps([asdict(report.graph), asdict(large)])]
    done = subprocess.run(
        command, cwd=ROOT / "vscode-extension", capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout) == [size_text(report.graph), size_text(large)]


@pytest.mark.parametrize("decorated", ["tf.function", "gw.function"])
def test_the_history_of_traces_states_it_as_well(report: wire.AgentReport, tmp_path: Path, decorated: str):
    program = f"import graphwright as gw\n{MODEL}\n\nstep = {decorated}(step)\nstep(tf.ones([2]), tf.constant(3))\n"
    program += "print(step.explain())\n" if decorated == "gw.function" else ""
    (tmp_path / "train.py").write_text(program, "utf-8")
    variables = {**os.environ, "GRAPHWRIGHT_TRACES": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "train.py"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    (path,) = (tmp_path / ".graphwright" / "traces").glob("*.json")
    account = json.loads(path.read_text("utf-8"))
    account["functions"] = [each for each in account["functions"] if each["name"] == "step"]
    [trace] = account["functions"][0]["traces"]
    if decorated == "tf.function":
        assert trace["operations"] == total(report)
    else:
        assert stated(done.stdout) == {operations_text(trace["operations"])}
    assert stated(page_of_run(account, {})) == {operations_text(trace["operations"])}
    run = analysis.live_run(account)
    assert run is not None
    project = analysis.Project()
    project.set_text(str(tmp_path / "train.py"), program)
    [finding] = analysis.live_findings(project, str(tmp_path / "train.py"), [run])
    assert stated(finding.markdown) == {operations_text(trace["operations"])}
