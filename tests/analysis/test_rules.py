"""Four tests for each rule, from its page: bad is announced, good is silent, the fix cures, the evidence holds."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import pytest
from graphwright_analysis import Diagnostic, Project, Rule, all_rules, apply_edits, proved
from pages import Page, read_page

RULES = [pytest.param(rule, id=rule.name) for rule in all_rules()]


def check(text: str) -> tuple[Diagnostic, ...]:
    project = Project(None)
    project.set_text("page.py", text)
    return proved(project, "page.py", project.check("page.py"))


def fixed(text: str, rule: Rule) -> str:
    """The text with the first fix of every finding of the rule applied, one at a time."""
    for _ in range(5):
        fixes = [d.fixes[0] for d in check(text) if d.rule == rule.name and d.fixes]
        if not fixes:
            break
        text = apply_edits(text, fixes[0].edits)
    return text


@pytest.mark.parametrize("rule", RULES)
def test_the_page_is_whole(rule: Rule):
    page = read_page(rule)
    assert rule.summary.endswith("."), "the first paragraph is the summary"
    assert [heading for heading, _ in page.parts] == [
        "What it does",
        "Why it is bad",
        "Bad",
        "Good",
        "Evidence",
        "Limits",
    ]


@pytest.mark.parametrize("rule", RULES)
def test_bad_is_announced_exactly(rule: Rule):
    page = read_page(rule)
    marked = [number for number, line in enumerate(page.bad.splitlines(), 1) if line.endswith("# error")]
    found = check(page.bad)
    lines = [page.bad[: diagnostic.range.start].count("\n") + 1 for diagnostic in found]
    assert marked
    assert (lines, {d.rule for d in found}) == (marked, {rule.name})
    assert all(d.severity == rule.severity for d in found)


@pytest.mark.parametrize("rule", RULES)
def test_good_is_silent(rule: Rule):
    assert check(read_page(rule).good) == ()


@pytest.mark.parametrize("rule", RULES)
def test_the_fix_leaves_nothing_to_say(rule: Rule):
    page = read_page(rule)
    assert rule.fixable == bool(check(page.bad)[0].fixes)
    if rule.fixable:
        cured = fixed(page.bad, rule)
        compile(cured, "cured", "exec")
        assert check(cured) == ()


@pytest.mark.truth
@pytest.mark.parametrize("rule", RULES)
def test_the_evidence_holds(rule: Rule, tmp_path: Path):
    page = read_page(rule)
    modules = {"bad": page.bad, "good": page.good}
    if rule.fixable:
        modules["fixed"] = fixed(page.bad, rule)
    names = {name: imported(tmp_path, name, text) for name, text in modules.items()}
    evidence = tmp_path / "evidence.py"
    evidence.write_text(page.evidence, "utf-8")
    exec(compile(page.evidence, str(evidence), "exec"), {"__name__": "evidence", **names})


def imported(folder: Path, name: str, text: str) -> types.ModuleType:
    """The text as a module: TensorFlow wants a file to read the source from."""
    path = folder / f"{name}.py"
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(f"{name}_{folder.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_page_without_its_code_is_refused():
    with pytest.raises(AssertionError, match="no code under 'Bad'"):
        Page("## Bad\n\nnothing\n").bad  # noqa: B018


def test_without_a_site_a_rule_links_to_its_file(monkeypatch: pytest.MonkeyPatch):
    (rule, *_) = all_rules()
    assert rule.url.startswith("https://")
    monkeypatch.setattr("graphwright_analysis.rule.DOCUMENTATION", "")
    assert rule.url.startswith("file://") and rule.url.endswith(f"/docs/rules/{rule.name}.md")
