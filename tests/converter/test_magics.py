"""The magics in IPython and in a notebook that runs: findings, hints and traces below the cell."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from graphwright import watching
from graphwright.cell_reports import CellReport, ShownFinding, ShownFunction, as_html, as_text

interactive: Any = pytest.importorskip("IPython.core.interactiveshell")
capture: Any = pytest.importorskip("IPython.utils.capture")

RETRACED = """%%gw
@tf.function
def scaled(x, n):
    total = tf.reduce_sum(x) * tf.cast(n, tf.float32)
    return total

for i in range(3):
    scaled(tf.ones([2]), i)
6 * 7
"""
WRONG = """%%gw
@tf.function
def bad(x):
    if tf.reduce_sum(x) > 0:
        z = 1
    return z

bad(tf.ones([2]))
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    interactive.InteractiveShell.clear_instance()
    shell = interactive.InteractiveShell.instance()
    for cell in ("%load_ext graphwright", "import tensorflow as tf"):
        assert shell.run_cell(cell, store_history=True).success
    yield shell
    interactive.InteractiveShell.clear_instance()


def run(shell: Any, cell: str) -> tuple[Any, list[dict[str, str]], str]:
    with capture.capture_output() as captured:
        result = shell.run_cell(cell, store_history=True)
    return result, [output.data for output in captured.outputs if "text/html" in output.data], captured.stdout


def test_a_cell_shows_findings_hints_and_traces(shell: Any):
    result, [shown], printed = run(shell, RETRACED)
    assert result.success and "42" in printed
    text = shown["text/plain"]
    assert "line 8: warning: `n` is a Python value" in text and "[python-scalar-argument]" in text
    assert "scaled: 3 traces in" in text and "`n` was int 0 in trace 1 and is int 1 now." in text
    assert "   4      total: float32[] = tf.reduce_sum(x)" in text
    assert "<code>scaled</code>: 3 traces" in shown["text/html"] and "<i>: float32[]</i>" in shown["text/html"]
    assert shell.user_ns["scaled"].experimental_get_tracing_count() == 3


def test_a_line_with_a_magic_is_shown_as_written(shell: Any):
    run(shell, RETRACED)
    _, [shown], _ = run(shell, "%%gw\n%time total = scaled(tf.ones([2]), 1)\n")
    assert "%time total: float32[] = scaled(tf.ones([2]), 1)" in shown["text/plain"]


@pytest.mark.parametrize(("kind", "name"), [("line", "gw_check"), ("cell", "gw")])
def test_a_magic_says_what_it_does(shell: Any, kind: str, name: str):
    assert "Graphwright's findings in" in shell.find_magic(name, kind).__doc__


def test_a_failing_cell_fails_and_is_explained(shell: Any):
    result, [shown], printed = run(shell, WRONG)
    assert not result.success
    assert "must also be initialized in the else branch" in printed
    assert printed.count("Traceback") == 1
    assert "line 4: error: `z` is bound only if the branch is taken" in shown["text/plain"]
    assert watching.WATCHERS == []


def test_a_cell_is_judged_with_those_before_it(shell: Any):
    run(shell, "def double(x):\n    if tf.reduce_sum(x) > 0:\n        y = x\n    return y\n")
    result, [shown], _ = run(shell, "%%gw\nn = 3\n")
    assert result.success and shown["text/plain"] == "No findings in this cell."


def test_cells_that_have_run_are_checked(shell: Any):
    run(shell, WRONG)
    _, [shown], _ = run(shell, "%gw_check")
    assert shown["text/plain"].startswith("In [3], line 4: error: `z` is bound only")


def test_a_file_is_checked(shell: Any, tmp_path: Path):
    (tmp_path / "model.py").write_text("import tensorflow as tf\n" + WRONG.partition("\n")[2], "utf-8")
    _, [shown], _ = run(shell, "%gw_check model.py")
    assert shown["text/plain"].startswith("model.py:4: error: `z`")
    _, shown, printed = run(shell, "%gw_check missing.py")
    assert shown == [] and "missing.py: " in printed


def test_a_file_that_cant_be_parsed_is_reported(shell: Any, tmp_path: Path):
    (tmp_path / "half.py").write_text("import tensorflow as tf\nx = (\n" + WRONG.partition("\n")[2], "utf-8")
    _, [shown], _ = run(shell, "%gw_check half.py")
    first, second = shown["text/plain"].splitlines()
    assert first.startswith("half.py:2: error: can't be parsed (") and second.startswith("half.py:5: error: `z`")


def test_places_in_a_notebook_are_cells(shell: Any, tmp_path: Path):
    sources = ["# text", "import tensorflow as tf\n", "\n" + WRONG.partition("\n")[2]]
    kinds = ["markdown", "code", "code"]
    cells = [{"cell_type": kind, "source": source} for kind, source in zip(kinds, sources, strict=True)]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}), "utf-8")
    _, [shown], _ = run(shell, "%gw_check a.ipynb")
    assert shown["text/plain"].startswith("a.ipynb:cell 3:4: error: `z`")


def test_everything_is_escaped():
    evil = "<script>`x`</script>"
    report = CellReport(
        (ShownFinding(evil, "error", evil, evil),),
        (("1", (evil, evil, "")),),
        (ShownFunction(evil, 9, 0.1, (evil,) * 9, evil),),
        evil,
    )
    page = as_html(report)
    assert "<script" not in page and "<code>x</code>" in page and "and 4 more" in page
    assert evil in as_text(report)


def test_a_notebook_runs_with_the_magics(tmp_path: Path):
    nbclient: Any = pytest.importorskip("nbclient")
    nbformat: Any = pytest.importorskip("nbformat")
    cells = ["%load_ext graphwright\nimport tensorflow as tf", RETRACED, WRONG, "%gw_check"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    client = nbclient.NotebookClient(notebook, timeout=300, allow_errors=True, kernel_name="python3")
    client.execute(cwd=str(tmp_path), env=environment)
    pages = ["".join(output.get("data", {}).get("text/html", "") for output in cell.outputs) for cell in notebook.cells]
    assert "<code>scaled</code>: 3 traces" in pages[1]
    assert "is bound only if the branch is taken" in pages[2]
    assert any(output.output_type == "error" and output.ename == "CellFailed" for output in notebook.cells[2].outputs)
    assert "In [2], line 8" in pages[3] and "In [3], line 4" in pages[3]
    assert tf is not None
