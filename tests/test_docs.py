"""What the documentation says is run: code blocks, commands' output, generated pages, links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings
from graphwright_analysis.project import tomllib

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("*/README.md"))
    if "node_modules" not in path.parts
)


def blocks(path: Path, language: str) -> list[str]:
    text = path.read_text("utf-8")
    return [m.group(1) for m in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text("utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_blocks_are_python(path: Path):
    for block in blocks(path, "python"):
        compile(block, str(path), "exec")


def test_the_readme_shows_what_check_prints(tmp_path: Path):
    readme = (ROOT / "README.md").read_text("utf-8")
    (tmp_path / "model.py").write_text(blocks(ROOT / "README.md", "python")[0], "utf-8")
    shown = re.search(r"^    \$ graphwright (check model\.py)\n((?:    .*\n)+)", readme, re.MULTILINE)
    assert shown
    wanted = "".join(line[4:] for line in shown.group(2).splitlines(keepends=True))
    command = [sys.executable, "-m", "graphwright_server", *shown.group(1).split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(wanted)
    assert done.returncode == 1


def test_the_readme_code_fails_as_it_says(tmp_path: Path):
    (tmp_path / "model.py").write_text(blocks(ROOT / "README.md", "python")[0], "utf-8")
    done = subprocess.run([sys.executable, "model.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert "'scale' must also be initialized in the else branch" in done.stderr


def test_the_readme_settings_are_settings():
    [text] = blocks(ROOT / "README.md", "toml")
    settings = Settings.from_mapping(tomllib.loads(text)["tool"]["graphwright"], "README.md")
    assert settings.ignore == ("retracing",)
    assert settings.severity == {"branch-dtype-mismatch": "warning"}


def test_rule_pages_are_up_to_date():
    command = [sys.executable, str(ROOT / "tools/generate_rule_pages.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["undefined_in_branch", "branch_dtype_mismatch", "list_append_in_graph"])
def test_examples_fail_as_they_are_said_to(name: str):
    """TensorFlow refuses what the analysis reports in the first place."""
    path = str(ROOT / "examples" / f"{name}.py")
    assert Project(None).check(path)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "in user code:" in done.stderr


def test_the_example_that_is_well_runs_and_is_silent():
    path = str(ROOT / "examples/all_well.py")
    assert Project(None).check(path) == ()
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
