"""The JSON schemas: real output and the settings that are written anywhere are valid, and no setting is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import Settings, SettingsError
from graphwright_analysis.settings_files import tomllib
from graphwright_server.cli.main import main
from graphwright_server.cli.schemas import output_schema, settings_schema
from jsonschema import Draft7Validator, ValidationError

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/settings.md")

Output = pytest.CaptureFixture[str]


def valid(value: Any, schema: dict[str, Any]) -> bool:
    try:
        Draft7Validator(schema).validate(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", ["settings", "output"])
def test_it_is_printed_with_its_version(name: str, capsys: Output):
    assert main(["schema", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    Draft7Validator.check_schema(schema)
    assert re.fullmatch(rf"urn:graphwright:{name}:\d+", schema["$id"])


def test_every_setting_is_in_the_schema():
    fields = {name.replace("_", "-") for name in Settings.__dataclass_fields__}
    properties = settings_schema()["properties"]
    assert set(properties) == fields
    assert all(each["description"].endswith(".") for each in properties.values())


@pytest.mark.parametrize("page", PAGES)
def test_settings_in_the_documentation_are_valid(page: str):
    texts = re.findall(r"^```toml\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert texts
    for text in texts:
        Draft7Validator(settings_schema()).validate(tomllib.loads(text)["tool"]["graphwright"])


TABLES: list[dict[str, Any]] = [
    {},
    {"select": ["all"], "ignore": ["effects", "print-at-trace"]},
    {"select": "all"},
    {"select": ["nonsense"]},
    {"ignore": [1]},
    {"severity": {"effects": "off", "all": "hint"}},
    {"severity": {"effects": "loud"}},
    {"severity": {"nonsense": "off"}},
    {"severity": []},
    {"exclude": ["a/*"]},
    {"exclude": "a/*"},
    {"per-file-ignores": {"tests/*": ["all"], "a.py": []}},
    {"per-file-ignores": {"tests/*": "all"}},
    {"per-file-ignores": {"tests/*": ["nonsense"]}},
    {"tensorflow-version": "2.18"},
    {"tensorflow-version": "2.18.1"},
    {"tensorflow-version": 2.18},
    {"tensorflow-version": "1.15"},
    {"tensorflow-version": "newest"},
    {"keras": "3"},
    {"keras": 3},
    {"keras-backend": "jax"},
    {"keras-backend": "theano"},
    {"follow-packages": False},
    {"follow-packages": "false"},
    {"baseline": "known.json"},
    {"baseline": ""},
    {"baseline": True},
    {"unknown": 1},
]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_valid_is_accepted(table: dict[str, Any]):
    try:
        Settings.from_mapping(table, "here")
        accepted = True
    except SettingsError:
        accepted = False
    assert valid(table, settings_schema()) is accepted


@pytest.mark.parametrize("folder_of_programs", ["examples", "tests/analysis/judged"])
def test_real_output_is_valid(folder_of_programs: str, folder: Path, capsys: Output):
    main(["check", "--format", "json", str(ROOT / folder_of_programs)])
    found = json.loads(capsys.readouterr().out)
    Draft7Validator(output_schema()).validate(found)
    assert found or folder_of_programs != "examples"


def test_output_of_notebooks_and_clean_files_is_valid(folder: Path, bad: str, good: str, capsys: Output):
    (folder / "a.py").write_text(good)
    assert main(["check", "--format", "json"]) == 0
    assert valid(json.loads(capsys.readouterr().out), output_schema())
    (folder / "a.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": bad}]}))
    assert main(["check", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert valid(found, output_schema()) and found[0]["cell"] == 1
    for broken in ({"line": 0}, {"rule": "nonsense"}, {"further": 1}, {"severity": "loud"}):
        assert not valid([{**found[0], **broken}], output_schema())
    assert not valid([{name: found[0][name] for name in found[0] if name != "message"}], output_schema())


def test_the_extension_has_the_same_settings():
    """Those that it shows have the same types and the same severities."""
    contributes = json.loads((ROOT / "vscode-extension/package.json").read_text("utf-8"))["contributes"]
    shown = contributes["configuration"]["properties"]
    schema = settings_schema()
    common = {name: shown[f"graphwright.{name}"] for name in schema["properties"] if f"graphwright.{name}" in shown}
    assert {"select", "ignore", "severity"} <= set(common)
    assert common["severity"]["additionalProperties"]["enum"] == schema["definitions"]["severity"]["enum"]
    assert [common[name]["type"] for name in ("select", "ignore", "severity")] == ["array", "array", "object"]
