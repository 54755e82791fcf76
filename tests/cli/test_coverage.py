"""`graphwright coverage`: what is followed, what isn't and why, and how much is known of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from graphwright_server.cli.main import main

MODEL = """\
import tensorflow as tf
import unheard_of


class Scaled(tf.keras.layers.Layer):
    def call(self, x):
        return x * 2.0


@tf.function
def step(x, verbose):
    y = tf.reduce_sum(x)
    if verbose:
        z = y
    return helped(y)


def helped(y):
    return y + 1.0


def eager(x):
    return x


step(tf.ones([2]), False)
"""


def covered(path: str, capsys: pytest.CaptureFixture[str]):
    assert main(["coverage", "--format", "json", path]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_traced_function_is_told_of(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "model.py").write_text(MODEL)
    report = covered(".", capsys)
    found = {each["name"]: each for each in report["functions"]}
    assert {name: (each["kind"], each["status"]) for name, each in found.items()} == {
        "Scaled.call": ("keras", "followed"),
        "step": ("traced", "partly"),
        "helped": ("called", "followed"),
    }
    why = "its condition is false in all analyzed calls"
    assert found["step"]["reasons"] == [{"file": "model.py", "line": 14, "why": why}]
    assert (found["step"]["file"], found["step"]["line"]) == ("model.py", 11)
    assert found["step"]["names"] == {"shaped": 4, "typed": 0, "tensor": 0, "python": 4, "unknown": 0, "never": 2}
    assert report["totals"]["functions"] == {"followed": 2, "partly": 1, "not entered": 0}
    assert sum(report["totals"]["names"].values()) == sum(sum(e["names"].values()) for e in found.values())


def test_calls_in_other_files_count(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "model.py").write_text("def helped(y):\n    return y + 1.0\n")
    text = "import tensorflow as tf\nfrom model import helped\n\n@tf.function\ndef f(x):\n    return helped(x)\n"
    (folder / "run.py").write_text(text + "\nf(tf.ones([2]))\n")
    [helped, _] = covered(".", capsys)["functions"]
    assert (helped["name"], helped["kind"], helped["names"]["shaped"]) == ("helped", "called", 2)


def test_what_is_never_called_is_said_to_be_so(folder: Path, capsys: pytest.CaptureFixture[str]):
    text = "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    raise ValueError(x)\n    return x\n"
    (folder / "model.py").write_text(text)
    assert main(["coverage", "model.py"]) == 0
    output = capsys.readouterr().out
    assert "model.py:4: `f` is traced: analyzed in part\n    line 6: the code before it never continues\n" in output
    assert "1 traced function: 0 analyzed, 1 analyzed in part, 0 not analyzed." in output


def test_what_stands_behind_a_return_that_python_takes(folder: Path, capsys: pytest.CaptureFixture[str]):
    head, body = (
        "import tensorflow as tf\n\n@tf.function\n",
        "    if x.shape.rank == 0:\n        return x\n    return -x\n",
    )
    (folder / "model.py").write_text(f"{head}def f(x):\n{body}\nf(tf.constant(1.0))\n")
    [found] = covered("model.py", capsys)["functions"]
    assert [each["why"] for each in found["reasons"]] == ["the code before it never continues"]


def test_a_syntax_error_is_the_reason(folder: Path, capsys: pytest.CaptureFixture[str]):
    text = "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    y = tf.\n    return x\n\nf(tf.ones([2]))\n"
    (folder / "model.py").write_text(text)
    [found] = covered("model.py", capsys)["functions"]
    assert [(each["line"], each["why"]) for each in found["reasons"]] == [(5, "syntax error")]


def test_nothing_to_tell(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "model.py").write_text("x = 1\n")
    assert main(["coverage"]) == 0
    assert capsys.readouterr().out == "Found no traced functions in 1 file.\n"
    assert main(["coverage", "missing.py"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "no such file" in said.err


def test_a_project_may_have_more_files_than_are_remembered(folder: Path, capsys: pytest.CaptureFixture[str]):
    """What is seen is noted by nodes, so that each file has to stay the same tree until all of them are run."""
    own = "import tensorflow as tf\n\n\n@tf.function\ndef step(x):\n    return x\n\n\nstep(tf.ones([3]))\n"
    for number in range(420):
        (folder / f"step_{number:03}.py").write_text(own)
    (folder / "zz_main.py").write_text("import tensorflow as tf\nimport step_000\n\nstep_000.step(tf.ones([3]))\n")
    report = covered(".", capsys)
    assert report["totals"]["functions"] == {"followed": 420, "partly": 0, "not entered": 0}
    assert report["totals"]["names"]["never"] == 0
