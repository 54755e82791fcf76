"""Baselines: what they hide, what edits leave them alone, what is said of entries that are gone, and in an old project
that has its settings in several places."""

from __future__ import annotations

import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from graphwright_server.cli.main import main

PRINTS = """\
import tensorflow as tf


@tf.function
def step(x: tf.Tensor):
    print(x)
    return x


class Model:
    @tf.function
    def call(self, x: tf.Tensor):
        print(x)
        return x
"""
DEFAULT = "graphwright-baseline.json"

Output = pytest.CaptureFixture[str]


@pytest.fixture
def old(folder: Path, capsys: Output) -> Path:
    """A project with findings, all of them in its baseline."""
    (folder / "pyproject.toml").write_text(f"[tool.graphwright]\nbaseline = '{DEFAULT}'\n")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "a.py").write_text(PRINTS)
    assert main(["check", "--write-baseline"]) == 0
    assert capsys.readouterr().err == f"graphwright: wrote 2 findings to {DEFAULT}\n"
    return folder


def entries(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text())["findings"]


def test_the_file_is_sorted_with_one_line_per_entry(old: Path):
    text = (old / DEFAULT).read_text()
    assert text == (
        '{\n  "version": 1,\n  "findings": [\n'
        '    {"file": "pkg/a.py", "function": "Model.call", "rule": "print-at-trace", "line": "print(x)", '
        '"count": 1},\n'
        '    {"file": "pkg/a.py", "function": "step", "rule": "print-at-trace", "line": "print(x)", "count": 1}\n'
        "  ]\n}\n"
    )


def test_what_it_has_is_not_reported(old: Path, capsys: Output):
    assert main(["check"]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("No new problems in 1 file; 2 in the baseline.\n", "")
    for report in ("json", "sarif", "github", "concise"):
        assert main(["check", "--format", report, "--quiet"]) == 0
        assert "print-at-trace]" not in capsys.readouterr().out
    assert main(["check", "--no-baseline"]) == 1
    assert "Found 2 warnings in 1 file." in capsys.readouterr().out


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: f'"""A docstring."""\n\n# and a comment\n{text}',
        lambda text: text.replace("    return x\n\n\nclass", "    return x + 1\n\n\nNEW = 1\n\n\nclass"),
        lambda text: text.replace("    print(x)", "    print( x )").replace("print( x )", "print(x)  "),
        lambda text: text.replace("class Model:", "class Model:\n    NAME = 'm'\n"),
        lambda text: text.replace("\n", "\r\n"),
    ],
)
def test_edits_elsewhere_leave_it_alone(edit: Any, old: Path, capsys: Output):
    file = old / "pkg" / "a.py"
    file.write_bytes(edit(PRINTS).encode())
    assert main(["check"]) == 0
    assert capsys.readouterr().err == ""
    before = (old / DEFAULT).read_text()
    assert main(["check", "--write-baseline"]) == 0
    assert (old / DEFAULT).read_text() == before


def test_what_is_new_is_reported(old: Path, capsys: Output):
    (old / "pkg" / "a.py").write_text(PRINTS.replace("        print(x)\n", "        print(x)\n        print(x)\n"))
    assert main(["check", "--format", "concise"]) == 1
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith(f"{os.path.join('pkg', 'a.py')}:14:9: warning[print-at-trace]")
    assert output[1] == "Found 1 warning in 1 file; 2 more in the baseline."
    (old / "pkg" / "a.py").write_text(PRINTS.replace("def step", "def other"))
    assert main(["check"]) == 1
    assert "1 entry of the baseline is gone: run --write-baseline" in capsys.readouterr().err


def test_entries_that_are_gone_are_counted_and_do_not_fail(old: Path, capsys: Output):
    (old / "pkg" / "a.py").write_text("")
    assert main(["check"]) == 0
    assert capsys.readouterr().err == "graphwright: 2 entries of the baseline are gone: run --write-baseline\n"
    assert main(["check", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    (old / "pkg" / "a.py").unlink()
    (old / "b.py").write_text("")
    assert main(["check", "b.py"]) == 0
    assert "2 entries" in capsys.readouterr().err
    assert main(["check", "--write-baseline"]) == 0
    assert entries(old / DEFAULT) == []


def test_only_what_was_looked_for_can_be_gone(old: Path, bad: str, capsys: Output):
    (old / "b.py").write_text(bad)
    assert main(["check", "--write-baseline", "b.py"]) == 0
    assert len(entries(old / DEFAULT)) == 3
    assert main(["check", "b.py"]) == 0
    assert main(["check", "--select", "undefined"]) == 0
    assert main(["check", "--ignore", "effects", "pkg"]) == 0
    assert "gone" not in capsys.readouterr().err
    (old / "pkg" / "a.py").write_text("")
    assert main(["check", "--write-baseline", "--select", "undefined"]) == 0
    assert len(entries(old / DEFAULT)) == 3
    assert main(["check", "--write-baseline"]) == 0
    assert len(entries(old / DEFAULT)) == 1


def test_without_settings_a_file_is_named(folder: Path, bad: str, capsys: Output):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--write-baseline"]) == 0
    assert "set baseline = " in capsys.readouterr().err
    assert main(["check"]) == 1
    assert main(["check", "--baseline", DEFAULT]) == 0
    (folder / DEFAULT).unlink()
    capsys.readouterr()
    assert main(["check", "--baseline", DEFAULT]) == 2
    assert "no such baseline" in capsys.readouterr().err
    assert main(["check", "--write-baseline", "known.json", "a.py"]) == 0
    assert main(["check", "--baseline", "known.json", "a.py"]) == 0
    assert main(["check", "--write-baseline", "a.py"]) == 0
    assert len(entries(folder / DEFAULT)) == 1


def test_a_baseline_that_is_set_and_missing_is_said(old: Path, capsys: Output):
    (old / DEFAULT).unlink()
    assert main(["check"]) == 1
    assert capsys.readouterr().err == f"graphwright: the baseline {DEFAULT} doesn't exist: run --write-baseline\n"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{"file": "a.py"}]}', "[" * 9999],
)
def test_a_baseline_that_cannot_be_read_is_refused(text: str, old: Path, capsys: Output):
    (old / DEFAULT).write_text(text)
    assert main(["check"]) == 2
    error = capsys.readouterr().err
    assert DEFAULT in error and "--write-baseline" in error and "Traceback" not in error
    # Neither can --write-baseline read it, so the message says what lets it.
    assert main(["check", "--write-baseline"]) == 2
    assert "delete" in error and "delete" in capsys.readouterr().err
    (old / DEFAULT).unlink()
    assert main(["check", "--write-baseline"]) == 0


def test_fixes_leave_what_is_known_alone(old: Path, capsys: Output):
    file = old / "pkg" / "a.py"
    file.write_text(f"{PRINTS}\n\n@tf.function\ndef other(x: tf.Tensor):\n    print(x)\n    return x\n")
    assert main(["check", "--fix", "--unsafe-fixes"]) == 0
    assert "Fixed 1 problem. No new problems in 1 file; 2 in the baseline." in capsys.readouterr().out
    assert file.read_text().count("tf.print(x)") == 1
    assert main(["check", "--fix", "--unsafe-fixes", "--no-baseline"]) == 0
    assert file.read_text().count("tf.print(x)") == 3


def test_standard_input(old: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output):
    for name, code in ((os.path.join("pkg", "a.py"), 0), ("other.py", 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PRINTS.encode())))
        assert main(["check", "-", "--stdin-filename", name]) == code
    assert "gone" not in capsys.readouterr().err
    assert main(["check", "-", "--write-baseline"]) == 2


def test_notebooks(old: Path, capsys: Output):
    def write(*cells: str) -> None:
        content = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
        (old / "a.ipynb").write_text(json.dumps(content))

    write("import tensorflow as tf", PRINTS)
    assert main(["check", "--write-baseline"]) == 0
    write("import tensorflow as tf", "x = 1", PRINTS)
    capsys.readouterr()
    assert main(["check"]) == 0
    assert "4 in the baseline" in capsys.readouterr().out


def test_from_another_folder_the_paths_are_the_same(old: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output):
    before = (old / DEFAULT).read_text()
    monkeypatch.chdir(old / "pkg")
    assert main(["check", "--write-baseline"]) == 0
    assert main(["check", "a.py"]) == 0
    assert (old / DEFAULT).read_text() == before


def test_a_full_disk_leaves_the_earlier_baseline(
    folder: Path, bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--write-baseline"]) == 0
    before = (folder / "graphwright-baseline.json").read_bytes()
    write = Path.write_bytes

    def fill(self: Path, data: bytes) -> int:
        write(self, data[:5])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (folder / "b.py").write_text(bad)
    monkeypatch.setattr(Path, "write_bytes", fill)
    capsys.readouterr()
    assert main(["check", "--write-baseline"]) == 2
    assert "can't be written: No space left on device" in capsys.readouterr().err
    assert (folder / "graphwright-baseline.json").read_bytes() == before
    assert [*folder.glob(".graphwright*")] == []
