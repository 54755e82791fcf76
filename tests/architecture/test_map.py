"""docs/architecture.md names every module and room at the top of each package, and no file that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
TRACING = ROOT / "analysis" / "graphwright_analysis" / "tracing"
QUOTED = set(re.findall(r"`([^`\s]+)`", PAGE))
NAMES = {part for quoted in QUOTED for part in re.split(r"[/.]", quoted)}


@pytest.mark.parametrize(
    "package",
    ["analysis/graphwright_analysis", "converter/graphwright", "server/graphwright_server", TRACING.relative_to(ROOT)],
    ids=str,
)
def test_every_module_is_on_the_map(package: str):
    found = {path.stem for path in (ROOT / package).iterdir() if path.is_dir() or path.suffix == ".py"}
    assert {name for name in found if not name.startswith("_")} - NAMES == set()


def test_every_file_on_the_map_is_there():
    named = {quoted for quoted in QUOTED if re.fullmatch(r"[\w/]+\.(?:py|md|txt|json|toml)", quoted)}
    assert len(named) > 20
    there = {path.relative_to(ROOT).as_posix() for path in _files()}
    assert {each for each in named if not any(path == each or path.endswith(f"/{each}") for path in there)} == set()


def test_nothing_has_been_left_at_the_top():
    """What programs write where they are run (saved models, checkpoints, logs) doesn't belong there."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - ignored <= TOP


TOP = {
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md"),
    *("action.yml", "analysis", "benchmarks", "changelog.d", "converter", "docs", "examples", "pyproject.toml"),
    *("requirements", "server", "tests", "tools", "typings", "vscode-extension"),
}


def _files() -> list[Path]:
    folders = ("analysis", "converter", "server", "tests", "tools", "docs", "benchmarks", "examples")
    return [*ROOT.glob("*.*"), *(path for folder in folders for path in (ROOT / folder).rglob("*.*"))]
