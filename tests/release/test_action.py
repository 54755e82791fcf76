"""The GitHub action: its script is run as action.yml runs it, with a `gh` that writes down what it is asked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ACTION = (ROOT / "action.yml").read_text("utf-8")
SCRIPT = ROOT / "tools" / "github_action.sh"
PROGRAMS = {
    "graphwright": f'#!/bin/sh\nexec "{sys.executable}" -m graphwright_server "$@"\n',
    "python": f'#!/bin/sh\nif [ "$2" = pip ]; then echo "$@" >>"$ASKED"; else exec "{sys.executable}" "$@"; fi\n',
    "gh": """#!/bin/sh
printf '%s\\n' "$*" >>"$ASKED"
if [ -e "$REFUSES" ]; then exit 1; fi
case "$*" in *--paginate*) cat "$COMMENTS" ;; esac
""",
}
BAD = """\
import tensorflow as tf


@tf.function
def clip(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(2.0)  # ``` @somebody ![x](https://a.example)
    return y
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its programs are shell scripts")


@dataclass(frozen=True, slots=True)
class Runner:
    """A machine of GitHub's: the project that it has checked out, and its files for outputs and comments."""

    folder: Path

    def run(self, step: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a step in the project; what it needs of GitHub's own variables is set."""
        names = ("ASKED", "COMMENTS", "REFUSES", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GRAPHWRIGHT_CACHE_DIR")
        files = {name: str(self.folder / name) for name in names}
        variables = {
            **os.environ,
            **files,
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_REPOSITORY": "someone/project",
            "GITHUB_ACTION_PATH": str(ROOT),
            **environment,
        }
        project = self.folder / "project"
        return subprocess.run(
            ["bash", str(SCRIPT), step], cwd=project, env=variables, capture_output=True, text=True, timeout=120
        )

    def comment(self, code: int, **environment: str) -> subprocess.CompletedProcess[str]:
        numbers = {"GRAPHWRIGHT_ACTION_EXIT_CODE": str(code), "GRAPHWRIGHT_ACTION_PULL_REQUEST": "7"}
        return self.run("comment", **numbers, **environment)

    def read(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    for name in ("bin", "project"):
        (tmp_path / name).mkdir()
    for name, text in PROGRAMS.items():
        program = tmp_path / "bin" / name
        program.write_text(text)
        program.chmod(0o755)
    (tmp_path / "COMMENTS").touch()
    (tmp_path / "project" / "pyproject.toml").touch()
    (tmp_path / "project" / "a model.py").write_text(BAD)
    return Runner(tmp_path)


def test_findings_are_shown_and_written(runner: Runner):
    done = runner.run("check", GRAPHWRIGHT_ACTION_PATHS="a model.py\n", GRAPHWRIGHT_ACTION_ARGS="")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::error title=Graphwright (undefined-in-branch),file=a model.py,")
    outputs = dict(line.split("=", 1) for line in runner.read("GITHUB_OUTPUT").splitlines())
    assert outputs["exit-code"] == "1"
    (run,) = json.loads(Path(outputs["sarif"]).read_text("utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["undefined-in-branch"]
    assert "    a model.py:6:8: error[undefined-in-branch]" in runner.read("GITHUB_STEP_SUMMARY")


def test_options_are_passed_on(runner: Runner):
    runner.run("check", GRAPHWRIGHT_ACTION_ARGS="--ignore undefined-in-branch --quiet")
    assert runner.read("GITHUB_OUTPUT").startswith("exit-code=0\n")
    runner.run("check", GRAPHWRIGHT_ACTION_ARGS="--no-such-option")
    assert "exit-code=2\n" in runner.read("GITHUB_OUTPUT")


def test_no_input_is_run_as_a_command(runner: Runner):
    hostile = "$(touch hacked); `touch hacked`"
    runner.run("check", GRAPHWRIGHT_ACTION_PATHS=hostile, GRAPHWRIGHT_ACTION_ARGS=hostile)
    assert "exit-code=2\n" in runner.read("GITHUB_OUTPUT")
    assert not (runner.folder / "project" / "hacked").exists()


def test_a_finding_is_commented_on(runner: Runner):
    runner.run("check")
    assert runner.comment(1).returncode == 0
    searched, posted = runner.read("ASKED").splitlines()
    assert "--paginate repos/someone/project/issues/7/comments" in searched
    assert "--method POST repos/someone/project/issues/7/comments -F body=@" in posted
    body = runner.read("graphwright.md")
    assert body.startswith("<!-- graphwright -->\n**Graphwright** found code")
    # What the pull request brings along is code in the comment: its lines are all indented.
    quoted = [line for line in body.splitlines() if "@somebody" in line]
    assert quoted and all(line.startswith("    ") for line in quoted)


def test_the_comment_is_written_once_and_updated(runner: Runner):
    (runner.folder / "COMMENTS").write_text("123\n456\n")
    for code in (1, 0):
        runner.comment(code)
        assert "--method PATCH repos/someone/project/issues/comments/123 -F body=@" in runner.read("ASKED")
        assert "POST" not in runner.read("ASKED")
    assert "found nothing" in runner.read("graphwright.md")


def test_nothing_to_say_is_no_comment(runner: Runner):
    runner.comment(0)
    assert len(runner.read("ASKED").splitlines()) == 1


def test_a_token_that_may_not_comment_is_a_warning(runner: Runner):
    (runner.folder / "REFUSES").touch()
    done = runner.comment(1)
    assert (done.returncode, len(runner.read("ASKED").splitlines())) == (0, 1)
    assert done.stdout.startswith("::warning::")


@pytest.mark.parametrize(("version", "wanted"), [("", str(ROOT)), ("1.2.3", "graphwright==1.2.3")])
def test_what_is_installed(runner: Runner, version: str, wanted: str):
    assert runner.run("install", GRAPHWRIGHT_ACTION_VERSION=version).returncode == 0
    assert runner.read("ASKED").split()[-1] == wanted


def test_action_and_script_agree():
    """Each step and each variable of the script's is one of action.yml, and each input is used."""
    script = SCRIPT.read_text("utf-8")
    assert set(re.findall(r"GRAPHWRIGHT_ACTION_\w+", script)) == set(re.findall(r"(GRAPHWRIGHT_ACTION_\w+):", ACTION))
    assert re.findall(r"github_action\.sh\" (\w+)", ACTION) == ["install", "check", "comment"]
    inputs = re.findall(r"^  ([\w-]+):\n    description", ACTION.partition("\noutputs:")[0], re.MULTILINE)
    assert set(inputs) == set(re.findall(r"inputs\.([\w-]+)", ACTION)) and len(inputs) == 7


def test_no_expression_is_part_of_a_command():
    assert not [line for line in ACTION.splitlines() if line.strip().startswith("run:") and "${{" in line]
