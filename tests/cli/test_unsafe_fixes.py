"""`--unsafe-fixes`: which fixes it adds and what the report says of them; fixes of what other files lead to."""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path

import pytest
from graphwright_server.cli.main import main

TEXT = """\
import tensorflow as tf


@tf.function
def scale(x: tf.Tensor):
    if tf.size(x):
        print(x)
        return 0.5
    else:
        return 1.5


@tf.function
def choose(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = x
    return y


choose(tf.ones([3]))
"""

HELPERS = """\
import tensorflow as tf


def halve(x):
    if tf.size(x):
        return 0.5
    else:
        return 1.5


def show(x):
    print(x)
    return halve(x)
"""

TRAIN = """\
import tensorflow as tf
from helpers import show


@tf.function
def step(x: tf.Tensor):
    return show(x)


step(tf.ones([3]))
"""

Output = pytest.CaptureFixture[str]


def test_the_report_counts_what_each_option_fixes(folder: Path, capsys: Output):
    (folder / "a.py").write_text(TEXT)
    assert main(["check"]) == 1
    output = capsys.readouterr().out
    assert output.endswith("in 1 file.\n1 fixable with --fix, 1 more with --unsafe-fixes.\n")
    assert "help: Replace with tf.print (unsafe: needs --unsafe-fixes)\n" in output
    assert "help: Compare it with 0\n" in output
    assert "help: Bind `y` before the `if`: choose a value for `...` (offered in the editor)\n" in output
    (folder / "a.py").write_text(TEXT.replace("tf.size(x)", "tf.size(x) > 0"))
    assert main(["check"]) == 1
    assert capsys.readouterr().out.endswith("\n1 fixable with --fix --unsafe-fixes.\n")
    (folder / "a.py").write_text(
        TEXT[TEXT.index("@tf.function\ndef choose") :].join(["import tensorflow as tf\n\n", ""])
    )
    assert main(["check"]) == 1
    assert "fixable" not in capsys.readouterr().out


def test_unsafe_fixes_alone_change_nothing_and_say_so(folder: Path, capsys: Output):
    (folder / "a.py").write_text("x = 1\n")
    assert main(["check", "--unsafe-fixes"]) == 0
    assert capsys.readouterr().err == "graphwright: --unsafe-fixes has no effect without --fix or --diff\n"
    assert main(["check", "--diff", "--unsafe-fixes"]) == 0
    assert "no effect" not in capsys.readouterr().err


def test_unsafe_fixes_need_the_option(folder: Path, capsys: Output):
    file = folder / "a.py"
    file.write_text(TEXT)
    assert main(["check", "--fix"]) == 1
    safe = TEXT.replace("tf.size(x)", "(tf.size(x) != 0)")
    assert file.read_text() == safe
    assert main(["check", "--fix", "--unsafe-fixes"]) == 1
    assert file.read_text() == safe.replace("print(x)", "tf.print(x)")
    assert "Fixed 1 problem. Found 1 error in 1 file.\n" in capsys.readouterr().out


def test_a_fix_that_leaves_a_choice_is_never_applied(folder: Path):
    file = folder / "a.py"
    file.write_text(TEXT)
    assert main(["check", "--fix", "--unsafe-fixes"]) == 1
    assert "..." not in file.read_text()


def test_the_json_report_tells_them_apart(folder: Path, capsys: Output):
    (folder / "a.py").write_text(TEXT)
    main(["check", "--format", "json"])
    found = {each["rule"]: (each["fixable"], each["fixable_unsafely"]) for each in json.loads(capsys.readouterr().out)}
    assert found["condition-not-bool-scalar"] == (True, False)
    assert found["print-at-trace"] == (False, True)
    assert found["undefined-in-branch"] == (False, False)


@pytest.mark.parametrize("unsafe", [False, True])
def test_the_difference_is_what_is_written(unsafe: bool, folder: Path, capsys: Output):
    (folder / "a.py").write_text(TEXT)
    options = ["--unsafe-fixes"] if unsafe else []
    assert main(["check", "--diff", *options]) == 1
    output = capsys.readouterr()
    assert output.out.count("\n+") == 2 + unsafe  # the heading is one of them
    assert f"{1 + unsafe} fix" in output.err
    assert (folder / "a.py").read_text() == TEXT


def test_line_ends_and_the_byte_order_mark_stay(folder: Path):
    file = folder / "a.py"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert main(["check", "--fix", "--unsafe-fixes", "--quiet"]) == 1
    wanted = TEXT.replace("tf.size(x)", "(tf.size(x) != 0)").replace("print(x)", "tf.print(x)").replace("\n", "\r\n")
    assert file.read_bytes() == b"\xef\xbb\xbf" + wanted.encode()


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Output):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["check", "--fix", "--unsafe-fixes", "-"]) == 1
    assert "    tf.print(x)\n" in capsys.readouterr().out


def test_cells_of_a_notebook(folder: Path, capsys: Output):
    file = folder / "a.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "code", "source": TEXT}]}))
    assert main(["check", "--fix", "--unsafe-fixes"]) == 1
    assert "Fixed 2 problems." in capsys.readouterr().out
    assert "tf.print(x)" in "".join(json.loads(file.read_text())["cells"][0]["source"])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_findings_that_another_file_leads_to_are_fixed(jobs: str, folder: Path, capsys: Output):
    (folder / "helpers.py").write_text(HELPERS)
    (folder / "train.py").write_text(TRAIN)
    assert main(["check", "--fix", "--jobs", jobs]) == 1
    assert "Fixed 1 problem. Found 1 warning in 1 of 2 files.\n" in capsys.readouterr().out
    assert main(["check", "--fix", "--unsafe-fixes", "--jobs", jobs]) == 0
    assert "Fixed 1 problem. No problems in 2 files.\n" in capsys.readouterr().out
    text = (folder / "helpers.py").read_text()
    assert "tf.print(x)" in text and "tf.size(x) != 0" in text
    assert (folder / "train.py").read_text() == TRAIN


TOGETHER = """\
import numpy as np
import tensorflow as tf


@tf.function
def step(x: tf.Tensor, y: tf.Tensor):
    print(x)
    total = 0
    for each in x:
        total += each
    if y:
        print(total)
    return np.mean(x) + total


step(tf.constant([1.0]), tf.constant(1.0))
"""


def test_several_fixes_of_a_file_work_together(folder: Path, capsys: Output):
    file = folder / "a.py"
    file.write_text(TOGETHER)
    assert main(["check", "--fix", "--unsafe-fixes"]) == 0
    assert "Fixed 4 problems. No problems in 1 file.\n" in capsys.readouterr().out
    text = file.read_text()
    ast.parse(text)
    assert "tf.print(x)" in text and "tf.reduce_mean(x)" in text
