"""The workflows pin what they use, and try what the package says that it supports.

actionlint and zizmor read them in `make release-check`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: (?:\./(?: #.*)?|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)")
CI = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
RELEASE = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.name)
def test_every_action_is_pinned(path: Path):
    used = [line.strip() for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert used and [line for line in used if not PINNED.fullmatch(line.removeprefix("- "))] == []


def test_an_action_has_one_version():
    used = {
        match
        for path in [*WORKFLOWS, ROOT / "action.yml"]
        for match in re.findall(r"uses: ([\w-]+/[\w-]+).*@(\w+) # (\S+)", path.read_text("utf-8"))
    }
    assert len({name for name, _, _ in used}) == len(used)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_nothing_is_permitted_that_a_job_does_not_ask_for(path: Path):
    text = path.read_text("utf-8")
    assert "\npermissions: {}\n" in text
    jobs = text.partition("\njobs:\n")[2]
    assert len(re.findall(r"^  [\w-]+:$", jobs, re.MULTILINE)) == jobs.count("\n    permissions:\n")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_they_run_commands_that_there_are(path: Path):
    text = path.read_text("utf-8")
    assert set(re.findall(r"run: make ([a-z-]+)", text)) <= TARGETS
    assert all((ROOT / name).is_file() for name in re.findall(r"tools/\w+\.\w+", text))


def test_ci_runs_every_python_that_is_supported():
    supported = re.findall(r"Python :: (3\.\d+)", PROJECT)
    tried = re.search(r"^  tests:\n.*?python: \[(.*?)\]", CI, re.MULTILINE | re.DOTALL)
    assert tried and tried[1].replace('"', "").split(", ") == supported


def test_ci_runs_every_tensorflow_that_is_supported():
    oldest = re.search(r'^tensorflow = \["tensorflow>=2\.(\d+)"\]', PROJECT, re.MULTILINE)
    tried = [int(minor) for minor in re.findall(r'tensorflow: "2\.(\d+)"', CI)]
    assert oldest and sorted(set(tried)) == list(range(int(oldest[1]), max(tried) + 1))


def test_a_release_is_checked_before_anything_is_published():
    build, published = RELEASE.split("\n  pypi:\n")
    assert build.index("--check --tag") < build.index("make release-check") < build.index("upload-artifact")
    assert set(re.findall(r"needs: (.+)", published)) == {"build", "[pypi, extension]"}
