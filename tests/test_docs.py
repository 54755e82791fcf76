"""What the documentation says is run: code blocks, commands' output, generated pages, links."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings
from graphwright_analysis.rule import FAMILIES
from graphwright_analysis.settings_files import tomllib

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = ROOT / "vscode-extension"
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
    prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
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


@pytest.mark.truth
def test_the_readme_code_fails_as_it_says(tmp_path: Path):
    (tmp_path / "model.py").write_text(blocks(ROOT / "README.md", "python")[0], "utf-8")
    done = subprocess.run([sys.executable, "model.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert "'scale' must also be initialized in the else branch" in done.stderr


@pytest.mark.truth
def test_the_readme_code_converts_as_it_says(tmp_path: Path):
    (tmp_path / "model.py").write_text(blocks(ROOT / "README.md", "python")[1], "utf-8")
    command = [sys.executable, "model.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    assert [done.stdout.rstrip() + "\n"] == blocks(ROOT / "README.md", "text")


def test_the_readme_settings_are_settings():
    [text] = blocks(ROOT / "README.md", "toml")
    settings = Settings.from_mapping(tomllib.loads(text)["tool"]["graphwright"], "README.md")
    assert settings.ignore == ("retracing",)
    assert settings.severity == {"branch-dtype-mismatch": "warning"}
    assert settings.tensorflow_version == (2, 19)


@pytest.mark.truth
def test_pages_print_what_they_show(tmp_path: Path):
    pages = [str(ROOT / "docs" / f"{name}.md") for name in ("concepts", "converter", "tutorial")]
    command = [sys.executable, "-u", str(ROOT / "tests/page_runner.py"), str(tmp_path), *pages]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    failures = json.loads(done.stdout.splitlines()[-1])
    assert not failures, "\n\n".join(failures)


def test_the_settings_page_names_every_setting():
    page = ROOT / "docs/settings.md"
    [text] = blocks(page, "toml")
    table = tomllib.loads(text)["tool"]["graphwright"]
    Settings.from_mapping(table, "docs/settings.md")
    fields = {name.replace("_", "-") for name in Settings.__dataclass_fields__}
    listed = set(re.findall(r"^\| `([a-z][\w-]+)` \|", page.read_text("utf-8"), re.MULTILINE))
    assert set(table) == fields == listed


def test_the_settings_page_names_every_variable():
    sources = [path.read_text("utf-8") for name in ("analysis", "converter") for path in (ROOT / name).rglob("*.py")]
    used = set(re.findall(r"\bGRAPHWRIGHT_[A-Z_]+", "".join(sources)))
    page = (ROOT / "docs/settings.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(GRAPHWRIGHT_\w+)` \|", page, re.MULTILINE)) == used


def test_the_settings_page_names_every_option_of_check():
    command = [sys.executable, "-m", "graphwright_server", "check", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    page = (ROOT / "docs/settings.md").read_text("utf-8")
    options = set(re.findall(r"--[a-z-]+", done.stdout)) - {"--help", "--quiet", "--color"}
    assert options == {name for name in options if f"`{name}" in page}


def test_the_readme_names_every_family():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^\| \[(\w+)\]\(docs/rules/README\.md#\1\) \|", readme, re.MULTILINE) == list(FAMILIES)


def test_rule_pages_are_up_to_date():
    command = [sys.executable, str(ROOT / "tools/generate_rule_pages.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


EXAMPLES = {
    "undefined_in_branch": ("undefined", True),
    "none_and_early_returns": ("undefined", True),
    "branch_dtype_mismatch": ("consistency", True),
    "loop_state": ("consistency", True),
    "list_append_in_graph": ("collections", True),
    "tensors_in_python": ("collections", True),
    "tf_function_per_call": ("retracing", False),
    "traced_again": ("retracing", False),
    "frozen_at_trace": ("effects", False),
    "not_converted": ("conversion", True),
    "variables_and_arrays": ("state", True),
    "converted": (None, False),
    "all_well": (None, False),
}
"""The family of each example's trouble, and whether TensorFlow refuses it."""
WALKTHROUGH = {
    "undefined": ("undefined", True),
    "consistency": ("consistency", True),
    "collections": ("collections", True),
    "retracing": ("retracing", False),
    "preview": (None, False),
    "convert": (None, False),
}
"""The same of the examples that the extension's walkthrough opens."""
RUN = """
import json, runpy, sys
errors = {}
for path in sys.argv[1:]:
    try:
        runpy.run_path(path, run_name="__main__")
        errors[path] = None
    except Exception as error:
        errors[path] = str(error)
print()
print(json.dumps(errors))
"""


def example(name: str) -> str:
    return str(ROOT / "examples" / f"{name}.py")


def example_of_walkthrough(name: str) -> str:
    return str(EXTENSION / "media/walkthrough" / f"{name}.py")


@pytest.fixture(scope="module")
def errors() -> dict[str, str | None]:
    """What running each example ends with, all in one process because TensorFlow takes long to start."""
    command = [sys.executable, "-c", RUN, *map(example, EXAMPLES), *map(example_of_walkthrough, WALKTHROUGH)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.truth
@pytest.mark.xdist_group("examples")
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_show_what_they_are_said_to(name: str, errors: dict[str, str | None]):
    """Each example has findings of its family alone, and TensorFlow refuses what is said to fail."""
    family, refused = EXAMPLES[name]
    assert {found.family for found in Project(None).check(example(name))} == ({family} if family else set())
    error = errors[example(name)]
    assert (error is not None) == refused, error


@pytest.mark.truth
@pytest.mark.xdist_group("examples")
@pytest.mark.parametrize("name", WALKTHROUGH)
def test_the_walkthrough_shows_what_it_says(name: str, errors: dict[str, str | None]):
    family, refused = WALKTHROUGH[name]
    path = example_of_walkthrough(name)
    assert {found.family for found in Project(None).check(path)} == ({family} if family else set())
    assert (errors[path] is not None) == refused, errors[path]


def test_the_walkthrough_leads_somewhere():
    contributes = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    commands = {command["command"] for command in contributes["commands"]}
    steps = [step for walkthrough in contributes["walkthroughs"] for step in walkthrough["steps"]]
    opened = re.findall(r"openExample\?%5B%22(\w+)%22%5D", " ".join(step["description"] for step in steps))
    assert set(opened) == set(WALKTHROUGH)
    for step in steps:
        assert (EXTENSION / step["media"]["markdown"]).is_file()
        for command in re.findall(r"\(command:(graphwright\.\w+)", step["description"]):
            assert command in commands


def test_the_extension_page_names_every_setting_and_command():
    contributes = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    page = (EXTENSION / "README.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(graphwright\.[\w.]+)` \|", page, re.MULTILINE)) == set(
        contributes["configuration"]["properties"]
    )
    for command in contributes["commands"]:
        assert f"**Graphwright: {command['title']}**" in page


def test_every_example_is_listed():
    readme = (ROOT / "examples/README.md").read_text("utf-8")
    listed = [
        (row[0][:-3], row[1] or None) for row in re.findall(r"^\| `(\w+\.py)` \| (\w*) ?\|", readme, re.MULTILINE)
    ]
    assert dict(listed) == {name: family for name, (family, _) in EXAMPLES.items()}
    assert set(EXAMPLES) == {path.stem for path in (ROOT / "examples").glob("*.py")}
