"""Notebooks on the command line: findings told by cell and line, and fixes that leave everything else alone."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from graphwright_server.cli.main import main

HEAD = "import tensorflow as tf\n%matplotlib inline"
FUNCTION = (
    "@tf.function\ndef scale(x: tf.Tensor):\n    if tf.size(x):\n        return 0.5\n    else:\n        return 1.5"
)
OUTPUTS = [{"name": "stdout", "output_type": "stream", "text": ["1e-05 é\n"]}]


def notebook(*cells: tuple[str, str], language: str = "python") -> dict[str, Any]:
    made: list[dict[str, Any]] = []
    for kind, source in cells:
        cell = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        made.append(cell | ({"execution_count": 1, "outputs": OUTPUTS} if kind == "code" else {}))
    return {"cells": made, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4, "nbformat_minor": 5}


def write(folder: Path, content: dict[str, Any], indent: int = 1) -> Path:
    path = folder / "model.ipynb"
    path.write_text(json.dumps(content, indent=indent, ensure_ascii=False) + "\n", "utf-8")
    return path


CELLS = (("markdown", "# A model"), ("code", HEAD), ("code", FUNCTION), ("code", "scale(tf.constant([1.0]))"))


def test_a_finding_is_told_by_cell_and_line(folder: Path, capsys: pytest.CaptureFixture[str]):
    write(folder, notebook(*CELLS))
    for path in ("model.ipynb", "."):
        assert main(["check", path]) == 1
        output = capsys.readouterr()
        assert output.out.startswith("model.ipynb:cell 3:3:8: error[condition-not-bool-scalar] ")
        assert "3 |     if tf.size(x):" in output.out
        assert "Found 1 error in 1 file" in output.out
    assert main(["check", "--format", "json", "model.ipynb"]) == 1
    [found] = json.loads(capsys.readouterr().out)
    assert (found["file"], found["cell"], found["line"], found["column"]) == ("model.ipynb", 3, 3, 8)


def test_formats_with_lines_of_files_name_the_cell_instead(folder: Path, capsys: pytest.CaptureFixture[str]):
    write(folder, notebook(*CELLS))
    assert main(["check", "--format", "github"]) == 1
    start = "::error title=Graphwright (condition-not-bool-scalar),file=model.ipynb::cell 3, line 3: "
    assert capsys.readouterr().out.startswith(start)
    assert main(["check", "--format", "sarif"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert found["message"]["text"].startswith("cell 3, line 3: ")
    assert found["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "model.ipynb"}}}]
    assert "fixes" not in found


def test_a_notebook_from_standard_input_is_refused(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "-", "--stdin-filename", "model.ipynb"]) == 2
    message = "graphwright: a notebook can't be read from standard input: pass its path instead\n"
    assert capsys.readouterr().err == message


def test_a_related_place_may_be_in_another_cell(folder: Path, capsys: pytest.CaptureFixture[str]):
    reading = "@tf.function\ndef f(x):\n    return x * rate\n\nf(tf.constant(1))"
    changing = "\nrate = 2\nf(tf.constant(1))"
    write(folder, notebook(("code", HEAD), ("code", "rate = 1"), ("code", reading), ("code", changing)))
    assert main(["check", "model.ipynb"]) == 1
    output = capsys.readouterr().out
    assert "model.ipynb:cell 3:3:16: warning[stale-python-capture]" in output
    assert "--> model.ipynb:cell 4:2:1\n" in output
    assert "2 | rate = 2\n" in output


@pytest.mark.parametrize("indent", [1, 2])
def test_a_fix_changes_the_code_of_cells_alone(indent: int, folder: Path, capsys: pytest.CaptureFixture[str]):
    path = write(folder, notebook(*CELLS), indent)
    before = path.read_text("utf-8")
    assert main(["check", "--diff", "model.ipynb"]) == 1
    assert "+++ model.ipynb:cell 3" in capsys.readouterr().out
    assert path.read_text("utf-8") == before
    assert main(["check", "--fix", "model.ipynb"]) == 0
    assert "Fixed 1 problem." in capsys.readouterr().out
    after = path.read_text("utf-8")
    assert after == before.replace("if tf.size(x):", "if (tf.size(x) != 0):")
    assert after != before


@pytest.mark.parametrize("magic", ["time", "gw"])
def test_what_a_cell_says_to_ipython_is_left_alone(magic: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    cells = (("code", f"{HEAD}\n!pip list"), ("code", f"%%{magic}\n{FUNCTION}"), ("code", "%%bash\nif tf:"))
    path = write(folder, notebook(*cells))
    assert main(["check", "--fix", "model.ipynb"]) == 0
    capsys.readouterr()
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    assert sources == [cells[0][1], cells[1][1].replace("tf.size(x)", "(tf.size(x) != 0)"), cells[2][1]]


INDENTED = (
    "  import tensorflow as tf\n  %matplotlib inline\n  # all of it is indented",
    "\n" + textwrap.indent(FUNCTION, "  ") + '\n  scale(\n tf.constant([1.0]))\n  text = """a\n b"""\nlast = 1',
    "%%time\n  for i in range(3):\n    g = tf.function(lambda x: x)\n    g(tf.ones(3))",
    " !pip list\n print(g)",
    "    # a comment further in\n\n  print(g)",
)
"""What IPython runs, in some version: it takes the indentation from all lines."""


def test_a_cell_may_be_indented(folder: Path, capsys: pytest.CaptureFixture[str]):
    path = write(folder, notebook(*(("code", cell) for cell in INDENTED)))
    assert main(["check", "--format", "concise", "model.ipynb"]) == 1
    output = capsys.readouterr()
    found = [line.partition(": ")[0] for line in output.out.splitlines()[:2]]
    assert found == ["model.ipynb:cell 2:4:10", "model.ipynb:cell 3:3:9"]
    assert output.err == ""
    assert main(["check", "--fix", "--unsafe-fixes", "model.ipynb"]) == 0
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    hoisted = "%%time\n  g = tf.function(lambda x: x)\n  for i in range(3):\n    g(tf.ones(3))"
    assert sources == [INDENTED[0], INDENTED[1].replace("tf.size(x)", "(tf.size(x) != 0)"), hoisted, *INDENTED[3:]]


def test_lines_that_are_indented_differently_cannot_be_parsed(folder: Path, capsys: pytest.CaptureFixture[str]):
    write(folder, notebook(("code", "x = 1\n  y = 2"), ("code", "  x = 1\n    y = 2"), ("code", "# x\n  y = 2")))
    assert main(["check", "model.ipynb"]) == 1
    assert capsys.readouterr().err.count("can't be parsed (unexpected indent)") == 3


def test_a_cell_that_cannot_be_parsed_is_named(folder: Path, capsys: pytest.CaptureFixture[str]):
    write(folder, notebook(("code", HEAD), ("markdown", "..."), ("code", "x = 1\ny = = 2")))
    assert main(["check", "model.ipynb"]) == 1
    assert "model.ipynb:cell 3:2: can't be parsed (invalid syntax)" in capsys.readouterr().err


def test_what_is_no_notebook_of_python(folder: Path, capsys: pytest.CaptureFixture[str]):
    write(folder, notebook(*CELLS, language="julia"))
    assert main(["check", "model.ipynb"]) == 0
    for text in ("", "[]", "{}", '{"cells": 3}', '{"cells": [', "\udc80"):
        (folder / "model.ipynb").write_text(text, "utf-8", "surrogatepass")
        capsys.readouterr()
        assert main(["check", "model.ipynb"]) == 2
        assert "graphwright: model.ipynb: isn't a notebook" in capsys.readouterr().err
    (folder / "model.ipynb").write_text("[" * 100_000, "utf-8")
    assert main(["check", "model.ipynb"]) == 2
    assert capsys.readouterr().err == "graphwright: model.ipynb: isn't a notebook: nested too deeply\n"
