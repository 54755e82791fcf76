"""docs/ci.md names the inputs of the action and the hooks that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
ACTION = (ROOT / "action.yml").read_text("utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")


def test_it_names_every_input_with_its_default():
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| (.+) \|$", PAGE, re.MULTILINE))
    described = ACTION.partition("\noutputs:")[0]
    assert rows.keys() == set(re.findall(r"^  ([\w-]+):\n    description", described, re.MULTILINE))
    for name, default in rows.items():
        stated = re.search(rf'^  {name}:\n    description: .+\n    default: "?([^"\n]*)"?$', described, re.MULTILINE)
        assert stated, name
        if "`" in default:
            assert default.strip('`"') == stated[1]


def test_it_names_every_hook():
    named = set(re.findall(r"^\| `(graphwright[\w-]*)` \|", PAGE, re.MULTILINE))
    assert named == set(re.findall(r"^- id: (\S+)$", HOOKS, re.MULTILINE))


def test_its_permissions_suffice():
    asked = set(re.findall(r"`(security-events|pull-requests)`", ACTION))
    assert asked == {"security-events", "pull-requests"}
    assert all(f"      {name}: write" in PAGE for name in asked)
