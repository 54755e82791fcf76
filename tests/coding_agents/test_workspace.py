"""Which files are checked again after a change, and which are left to the next call."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import BASELINE_NAME, SettingsError
from graphwright_server.cli.main import main
from graphwright_server.mcp import workspace as workspaces
from graphwright_server.mcp.results import changes_of, changes_text
from graphwright_server.mcp.workspace import ChangedFiles, RefusedRequest, Workspace

HELPER = "import tensorflow as tf\n\n\ndef scale(x):\n    return x\n"
MODEL = """\
import tensorflow as tf
from helper import scale


@tf.function
def step(x):
    return scale(x) + tf.constant([1, 2])


step(tf.constant({argument}))
"""
LAYER = """\
import tensorflow as tf


class Layer(tf.keras.layers.Layer):
    def call(self, x):
        if tf.reduce_sum(x) > 0:
            y = x
        return y
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "helper.py").write_text(HELPER, "utf-8")
    (tmp_path / "model.py").write_text(MODEL.format(argument="1"), "utf-8")
    (tmp_path / "other.py").write_text(MODEL.format(argument="2"), "utf-8")
    return Workspace(tmp_path)


def check(workspace: Workspace) -> None:
    workspace.check([str(workspace.root)], nobody)


def nobody(done: int, total: int) -> None:
    """Report to nobody."""


def names(paths: tuple[str, ...]) -> list[str]:
    return sorted(Path(path).name for path in paths)


def test_only_what_changed_is_checked_and_what_depends_on_it(workspace: Workspace):
    check(workspace)
    assert workspace.check_changed(nobody).checked == ()
    (workspace.root / "other.py").write_text(MODEL.format(argument="1.5"), "utf-8")
    assert names(workspace.check_changed(nobody).checked) == ["other.py"]
    (workspace.root / "helper.py").write_text(f"\n{HELPER}", "utf-8")
    assert names(workspace.check_changed(nobody, wait=True).checked) == ["helper.py", "model.py", "other.py"]


UNUSED = """\
import tensorflow as tf


@tf.function
def f(x):
    return x  # graphwright: allow[print-at-trace]


f(tf.constant(1.0))
"""


def test_a_comment_counts_as_unused_only_while_nobody_imports_its_file(workspace: Workspace):
    (workspace.root / "used.py").write_text(UNUSED, "utf-8")
    check(workspace)

    def found(other: str) -> tuple[bool, bool]:
        (workspace.root / "other.py").write_text(other, "utf-8")
        changes = workspace.check_changed(nobody, wait=True)
        before, after = ({each.diagnostic.rule for each in found} for found in (changes.before, changes.after))
        return "unused-allow" in before, "unused-allow" in after

    assert found("import helper\n") == (True, True)
    assert found("import used\n") == (True, False)
    assert found("import helper\n") == (False, True)


def test_a_new_file_concerns_who_imports_it_also_through_others(workspace: Workspace):
    through = "from package.helper import scale  # helper isn't there yet\n"
    (workspace.root / "through.py").write_text(through, "utf-8")
    model = MODEL.format(argument="1.5").replace("from helper", "from through")
    (workspace.root / "model.py").write_text(model, "utf-8")
    check(workspace)
    (workspace.root / "package").mkdir()
    (workspace.root / "package" / "helper.py").write_text(HELPER.replace("return x", "return tf.ones(3)"), "utf-8")
    changes = workspace.check_changed(nobody, wait=True)
    assert "through.py" in names(changes.checked)
    assert "model.py" in names(changes.checked)
    fresh = Workspace(workspace.root)
    check(fresh)
    found = [[each.words for each in one.findings(one.files([one.root]))] for one in (workspace, fresh)]
    assert found[0] == found[1] != []


def test_files_that_were_never_checked_are_checked_once_they_change(workspace: Workspace):
    assert workspace.check_changed(nobody).checked == ()
    (workspace.root / "new.py").write_text(HELPER, "utf-8")
    (workspace.root / "model.py").write_text(MODEL.format(argument="3"), "utf-8")
    assert names(workspace.check_changed(nobody).checked) == ["model.py", "new.py"]


def test_what_takes_longer_is_left_to_the_next_call(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workspaces, "PATIENCE", -1.0)
    check(workspace)
    (workspace.root / "helper.py").write_text(f"{HELPER.replace('return x', 'return tf.cast(x, tf.float32)')}", "utf-8")
    first = workspace.check_changed(nobody)
    assert (names(first.checked), names(first.pending)) == (["helper.py"], ["model.py", "other.py"])
    assert "2 files importing these aren't re-checked yet" in words(workspace, first)
    second = workspace.check_changed(nobody)
    assert (names(second.checked), second.pending) == (["model.py", "other.py"], ())
    assert {Path(each.path).name for each in second.after} == {"model.py", "other.py"}


def test_a_finding_of_another_files_run_moves_with_the_text(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workspaces, "PATIENCE", -1.0)
    broken = HELPER.replace("return x", "return tf.cast(x, tf.float32) + tf.constant([1, 2])")
    (workspace.root / "helper.py").write_text(broken, "utf-8")
    check(workspace)
    before = list(workspace.findings([str(workspace.root / "helper.py")]))
    (workspace.root / "helper.py").write_text(f"\n\n{broken}", "utf-8")
    found = workspace.check_changed(nobody)
    (moved,) = [each for each in found.after if each.path.endswith("helper.py")]
    assert moved.diagnostic.range == before[0].diagnostic.range.shifted(2)
    result = changes_of(workspace, found, fixes=False, limit=5)
    assert (result.fixed, [each.new for each in result.findings if each.path == "helper.py"]) == ((), [False])


def test_settings_of_a_folder_in_the_workspace_apply_once_they_are_saved(workspace: Workspace):
    inner = workspace.root / "inner"
    inner.mkdir()
    (inner / "other.py").write_text(MODEL.format(argument="1.5"), "utf-8")
    check(workspace)
    assert "op-dtype-mismatch" in rules(workspace, "inner/other.py")
    (inner / "pyproject.toml").write_text("[tool.graphwright]\nignore = ['op-dtype-mismatch']\n", "utf-8")
    assert "fixed: inner/other.py: [op-dtype-mismatch]" in words(workspace, ask(workspace))
    (inner / "pyproject.toml").write_text("[tool.graphwright]\nignored = []\n", "utf-8")
    with pytest.raises(SettingsError, match="did you mean `ignore`"):
        ask(workspace)
    (inner / "pyproject.toml").unlink()
    assert "op-dtype-mismatch" in words(workspace, ask(workspace))


def test_requirements_that_come_decide_which_keras_is_assumed(workspace: Workspace):
    (workspace.root / "layer.py").write_text(LAYER, "utf-8")
    check(workspace)
    assert rules(workspace, "layer.py") == {"autograph-disabled"}
    (workspace.root / "requirements.txt").write_text("tensorflow<2.16\n", "utf-8")
    ask(workspace)
    assert rules(workspace, "layer.py") == {"undefined-in-branch"}


def test_settings_that_change_what_is_reported_change_files(workspace: Workspace):
    (workspace.root / "other.py").write_text(MODEL.format(argument="1.5"), "utf-8")
    check(workspace)
    (workspace.root / "pyproject.toml").write_text("[tool.graphwright]\nexclude = ['other.py']\n", "utf-8")
    assert "fixed: other.py: [op-dtype-mismatch]" in words(workspace, ask(workspace))


def test_findings_in_the_baseline_are_left_out(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(workspace.root)
    bad = MODEL.format(argument="1.5")
    (workspace.root / "other.py").write_text(bad, "utf-8")
    assert main(["check", "--write-baseline"]) == 0
    (workspace.root / "pyproject.toml").write_text(f"[tool.graphwright]\nbaseline = '{BASELINE_NAME}'\n", "utf-8")
    workspace.refresh_settings()
    check(workspace)
    assert rules(workspace, "other.py") == set()
    step = bad[bad.index("@tf.function") :]
    (workspace.root / "other.py").write_text(f"# moved\n{bad}{step.replace('step', 'new_step')}", "utf-8")
    (found,) = ask(workspace).after
    assert (found.diagnostic.rule, found.diagnostic.range.start > len(bad)) == ("op-dtype-mismatch", True)
    (workspace.root / "other.py").write_text(bad, "utf-8")
    assert "fixed: other.py: [op-dtype-mismatch]" in words(workspace, ask(workspace))


def test_a_notebook_is_refused_because_its_lines_are_not_lines_of_the_file(workspace: Workspace):
    (workspace.root / "a.ipynb").write_text("{}", "utf-8")
    with pytest.raises(RefusedRequest, match=r"a\.ipynb is a notebook. To check it, run `graphwright check a\.ipynb`"):
        workspace.checkable("a.ipynb")
    assert workspace.checkable("model.py") == str(workspace.root / "model.py")


def ask(workspace: Workspace) -> ChangedFiles:
    """Do what a request does."""
    workspace.refresh_settings()
    return workspace.check_changed(nobody)


def rules(workspace: Workspace, name: str) -> set[str]:
    return {each.diagnostic.rule for each in workspace.findings([str(workspace.root / name)])}


def words(workspace: Workspace, changes: ChangedFiles) -> str:
    return changes_text(changes_of(workspace, changes, fixes=True, limit=5))
