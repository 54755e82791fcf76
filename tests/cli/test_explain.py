"""`graphwright explain`: the table, a page, and what happens to a name that isn't there."""

from __future__ import annotations

import json

import pytest
from graphwright_analysis import FAMILIES, all_rules
from graphwright_server.cli.main import main


def test_the_table_names_every_rule(capsys: pytest.CaptureFixture[str]):
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(rule.name for rule in all_rules())


def test_a_family_is_introduced_and_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["explain", "state"]) == 0
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head == f"state: {FAMILIES['state']}"
    assert sorted(line.split()[0] for line in lines) == [rule.name for rule in all_rules() if rule.family == "state"]
    assert main(["explain", "consistence"]) == 2
    assert "did you mean 'consistency'" in capsys.readouterr().err


def test_a_page_is_laid_out_for_reading(capsys: pytest.CaptureFixture[str]):
    assert main(["explain", "undefined-in-branch"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("undefined-in-branch (")
    assert "```" not in output and "\033" not in output
    assert main(["explain", "undefined-in-branch", "--color", "always"]) == 0
    assert "\033[" in capsys.readouterr().out


def test_an_unknown_rule_is_answered_with_a_guess(capsys: pytest.CaptureFixture[str]):
    assert main(["explain", "undefined-in-brunch"]) == 2
    assert "did you mean 'undefined-in-branch'" in capsys.readouterr().err
    assert main(["explain", "Undefined-In-Branch"]) == 0
    assert capsys.readouterr().out.startswith("undefined-in-branch (")
    assert main(["explain", "EFFECTS"]) == 0
    assert capsys.readouterr().out.startswith("effects: ")


def test_json(capsys: pytest.CaptureFixture[str]):
    assert main(["explain", "--format", "json"]) == 0
    assert {entry["rule"] for entry in json.loads(capsys.readouterr().out)} == {rule.name for rule in all_rules()}
    assert main(["explain", "--format", "json", "undefined-in-branch"]) == 0
    assert json.loads(capsys.readouterr().out)["page"]
