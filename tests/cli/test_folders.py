"""Settings of folders in a project: the nearest file applies to what is reported, and patterns to single files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from graphwright_server.cli.main import main

PRINTS = "import tensorflow as tf\n\n\n@tf.function\ndef step(x: tf.Tensor):\n    print(x)\n    return x\n"
HELPERS = "import tensorflow as tf\n\n\ndef show(x):\n    print(x)\n    return x\n"
TRAIN = (
    "import tensorflow as tf\nfrom old.helpers import show\n\n\n@tf.function\ndef step(x: tf.Tensor):\n"
    "    return show(x)\n\n\nstep(tf.ones([3]))\n"
)
IGNORES = "[tool.graphwright]\nignore = ['print-at-trace']\n"

Output = pytest.CaptureFixture[str]


@pytest.fixture
def project(folder: Path) -> Path:
    """A folder with a file at the top, in a folder of it, and in one of that one."""
    (folder / "pyproject.toml").write_text("[tool.graphwright]\n")
    (folder / "old" / "deep").mkdir(parents=True)
    for file in ("a.py", "old/b.py", "old/deep/c.py"):
        (folder / file).write_text(PRINTS)
    return folder


def found(capsys: Output, *arguments: str) -> list[str]:
    capsys.readouterr()
    main(["check", "--format", "concise", "--quiet", *arguments])
    return [Path(line.partition(":")[0]).as_posix() for line in capsys.readouterr().out.splitlines() if line[0] != " "]


def test_the_nearest_file_applies(project: Path, capsys: Output):
    assert found(capsys) == ["a.py", "old/b.py", "old/deep/c.py"]
    (project / "old" / "pyproject.toml").write_text(IGNORES)
    assert found(capsys) == ["a.py"]
    (project / "old" / "deep" / "pyproject.toml").write_text("[tool.graphwright]\n")
    assert found(capsys) == ["a.py", "old/deep/c.py"]
    (project / "old" / "deep" / "pyproject.toml").write_text("[project]\nname = 'deep'\n")
    assert found(capsys) == ["a.py"]
    assert found(capsys, "old/deep") == []
    (project / "pyproject.toml").write_text(IGNORES)
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright.severity]\nprint-at-trace = 'hint'\n")
    assert found(capsys) == ["old/b.py", "old/deep/c.py"]
    assert main(["check", "old"]) == 0


def test_the_command_line_counts_for_more(project: Path, capsys: Output):
    (project / "old" / "pyproject.toml").write_text(IGNORES)
    assert found(capsys, "--select", "effects") == ["a.py", "old/b.py", "old/deep/c.py"]
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright]\n")
    assert found(capsys, "--ignore", "effects") == []


def test_exclude_is_relative_to_its_file(project: Path, capsys: Output):
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright]\nexclude = ['deep/*', 'a.py']\n")
    assert found(capsys) == ["a.py", "old/b.py"]


def test_per_file_ignores(project: Path, capsys: Output):
    settings = project / "pyproject.toml"
    settings.write_text("[tool.graphwright.per-file-ignores]\n'old/*' = ['effects']\n'a.py' = ['retracing']\n")
    assert found(capsys) == ["a.py"]
    settings.write_text(settings.read_text().replace("'old/*'", "'c.py'"))
    assert found(capsys) == ["a.py", "old/b.py"]
    assert found(capsys, "--select", "print-at-trace") == ["a.py", "old/b.py"]
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright.per-file-ignores]\n'b.py' = ['all']\n")
    assert found(capsys) == ["a.py", "old/deep/c.py"]


@pytest.mark.parametrize("wrong", ["'a.py' = ['nonsense']", "'a.py' = 'effects'"])
def test_per_file_ignores_that_are_wrong(wrong: str, project: Path, capsys: Output):
    (project / "pyproject.toml").write_text(f"[tool.graphwright.per-file-ignores]\n{wrong}\n")
    assert main(["check"]) == 2
    assert "per-file-ignores" in capsys.readouterr().err


def test_what_a_file_leads_to_elsewhere_is_judged_there(project: Path, capsys: Output):
    for file in ("a.py", "old/b.py", "old/deep/c.py"):
        (project / file).unlink()
    (project / "old" / "helpers.py").write_text(HELPERS)
    (project / "train.py").write_text(TRAIN)
    assert found(capsys) == ["old/helpers.py"]
    (project / "old" / "pyproject.toml").write_text(IGNORES)
    assert found(capsys) == []
    (project / "old" / "pyproject.toml").unlink()
    assert found(capsys) == ["old/helpers.py"]


def test_a_baseline_of_a_folder(project: Path, capsys: Output):
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright]\nbaseline = 'known.json'\n")
    assert main(["check", "--write-baseline"]) == 0
    assert (project / "old" / "known.json").exists() and (project / "graphwright-baseline.json").exists()
    assert found(capsys) == ["a.py"]


def test_settings_of_a_folder_that_are_wrong_are_named(project: Path, capsys: Output):
    (project / "old" / "pyproject.toml").write_text("[tool.graphwright]\nignor = []\n")
    assert main(["check"]) == 2
    error = capsys.readouterr().err
    assert str(Path("old", "pyproject.toml")) in error and "did you mean `ignore`" in error


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_files_that_say_who_edits_another_are_no_source(project: Path, capsys: Output):
    (project / ".#a.py").symlink_to("somebody@somewhere.123")
    assert main(["check", "--exit-zero"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["check", "--exit-zero", ".#a.py"]) == 2
