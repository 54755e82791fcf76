"""All that is told and known of the examples is what was written down and reviewed, to the column and the word."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import examples_told
import pytest
import random_calls
import snapshots
from graphwright_analysis import Rule, all_rules
from graphwright_analysis.mdtest import Section

DOCUMENTS = examples_told.documents()
FOLDER = examples_told.FOLDER
EXAMPLES = [
    pytest.param(name, title, section, id=f"{name}: {title}")
    for name, document in DOCUMENTS.items()
    for title, section in document.items()
]

WRITTEN_ANOTHER_WAY = {"private_names_everywhere", "slots"}
"""Programs in which Python 3.10 makes other text of a tree: `lambda :`, and brackets around assigned tuples."""


@pytest.mark.parametrize(("name", "title", "section"), EXAMPLES)
def test_what_is_told_and_known_is_what_was_reviewed(name: str, title: str, section: Section):
    if sys.version_info < (3, 11) and title in WRITTEN_ANOTHER_WAY:
        pytest.skip("Python 3.10 makes other text of its tree")
    found = (
        snapshots.difference(FOLDER, f"{name}.{kind}.txt", title, make(section))
        for kind, make in examples_told.KINDS.items()
    )
    snapshots.fail_with(found)


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in all_rules()])
def test_the_terminal_shows_what_was_reviewed(rule: Rule):
    shown = examples_told.terminal(rule)
    assert f"[{rule.name}]" in shown
    snapshots.fail_with([snapshots.difference(FOLDER, "terminal.txt", rule.name, shown)])


@pytest.mark.parametrize("name", random_calls.DRAWN)
def test_what_is_foreseen_of_calls_is_what_was_reviewed(name: str):
    snapshots.fail_with([snapshots.difference(FOLDER, "calls.txt", name, examples_told.calls(name))])


def test_a_rule_reports_a_place_once():
    finding = re.compile(r"(\S+) (?:error|warning|information|hint) \[([\w-]+)\]")
    for path in sorted(FOLDER.rglob("*.findings.txt")):
        for section in re.split(r"^(?:# |\S+\.py:$)", path.read_text("utf-8"), flags=re.MULTILINE):
            found = [match.groups() for line in section.splitlines() if (match := finding.match(line))]
            assert len(found) == len(set(found)), f"{path.name}: {section.splitlines()[0]}"


def test_every_snapshot_belongs_to_an_example():
    wanted = {f"{name}.{kind}.txt": document for name, document in DOCUMENTS.items() for kind in examples_told.KINDS}
    single = {"terminal.txt": [rule.name for rule in all_rules()], "calls.txt": random_calls.DRAWN}
    assert snapshots.left_over(FOLDER, {**wanted, **single}) == []


def test_a_snapshot_is_read_as_it_was_written(tmp_path: Path):
    texts = {"One / of two": "1 | x\n\n2 | y\n", "Two": "nothing\n"}
    (tmp_path / "page.txt").write_text(snapshots.written(texts), "utf-8")
    assert snapshots.kept(tmp_path, "page.txt") == texts


def test_what_has_changed_is_shown_as_a_diff(tmp_path: Path):
    (tmp_path / "page.txt").write_text(snapshots.written({"One": "same\nold\n"}), "utf-8")
    assert snapshots.difference(tmp_path, "page.txt", "One", "same\nold\n") == ""
    assert "\n same\n-old\n+new\n" in snapshots.difference(tmp_path, "page.txt", "One", "same\nnew\n")
    assert "has nothing of 'Two'" in snapshots.difference(tmp_path, "page.txt", "Two", "new\n")


def test_a_snapshot_of_nothing_is_told(tmp_path: Path):
    for name in ("page.txt", "gone.txt"):
        (tmp_path / name).write_text(snapshots.written({"One": "x\n", "Two": "y\n"}), "utf-8")
    assert snapshots.left_over(tmp_path, {"page.txt": {"One"}}) == ["gone.txt", "page.txt: Two"]


def test_text_that_looks_like_a_heading_is_refused():
    with pytest.raises(AssertionError, match="looks like a heading"):
        snapshots.written({"One": "x\n# Two\n\ny\n"})
