"""`graphwright schema`: the JSON schemas of the settings and of what `check --format json` prints.

Each has its version at the end of its `$id`: it changes when something that was valid before no longer is, and not when
a property is added.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from graphwright_analysis import FAMILIES, Severity, all_rules

from . import exit_codes

_DRAFT = "http://json-schema.org/draft-07/schema#"
SETTINGS_VERSION = 1
OUTPUT_VERSION = 1


def run(options: argparse.Namespace) -> int:
    """Print a schema and return the exit code."""
    schema = settings_schema() if options.schema == "settings" else output_schema()
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")
    return exit_codes.CLEAN


def settings_schema() -> dict[str, Any]:
    """The schema of the table `[tool.graphwright]`."""
    return {
        "$schema": _DRAFT,
        "$id": f"urn:graphwright:settings:{SETTINGS_VERSION}",
        "title": "Settings of Graphwright",
        "type": "object",
        "additionalProperties": False,
        "definitions": {
            "name": {"description": "A rule, a family, or all rules.", "enum": ["all", *FAMILIES, *_rules()]},
            "names": {"type": "array", "items": {"$ref": "#/definitions/name"}, "uniqueItems": True},
            "severity": {"enum": [*_severities(), "off"]},
        },
        "properties": {**_about_rules(), **_about_files(), **_about_the_code()},
    }


def output_schema() -> dict[str, Any]:
    """The schema of what `check --format json` prints: a list of findings."""
    count = {"type": "integer", "minimum": 1}
    properties = {
        "file": {"type": "string", "description": "The path, relative to the current folder if it is in it."},
        "cell": {**count, "description": "The number of the cell, in a notebook; lines are counted in it."},
        "line": count,
        "column": {**count, "description": "In code points, from 1."},
        "end_line": count,
        "end_column": {**count, "description": "The column after the last character."},
        "rule": {"enum": _rules()},
        "family": {"enum": [*FAMILIES]},
        "severity": {"enum": _severities()},
        "message": {"type": "string", "minLength": 1},
        "fixable": {"type": "boolean", "description": "Whether --fix fixes it."},
        "fixable_unsafely": {"type": "boolean", "description": "Whether it takes --fix --unsafe-fixes."},
    }
    finding = {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name != "cell"],
        "additionalProperties": False,
    }
    return {
        "$schema": _DRAFT,
        "$id": f"urn:graphwright:output:{OUTPUT_VERSION}",
        "title": "Findings of Graphwright",
        "type": "array",
        "items": finding,
    }


def _about_rules() -> dict[str, Any]:
    return {
        "select": {**_reference("names"), "description": "The rules and families to report.", "default": ["all"]},
        "ignore": {**_reference("names"), "description": "The rules and families not to report.", "default": []},
        "severity": {
            "description": "Severities of rules and families.",
            "type": "object",
            "propertyNames": {"$ref": "#/definitions/name"},
            "additionalProperties": {"$ref": "#/definitions/severity"},
        },
        "per-file-ignores": {
            "description": "Rules and families not to report in files, by patterns of the files.",
            "type": "object",
            "additionalProperties": {"$ref": "#/definitions/names"},
        },
    }


def _about_files() -> dict[str, Any]:
    return {
        "exclude": {
            "description": "Patterns of files and folders that are not checked.",
            "type": "array",
            "items": {"type": "string"},
            "default": [],
        },
        "baseline": {
            "description": "A file with findings that aren't reported.",
            "type": "string",
            "minLength": 1,
        },
    }


def _about_the_code() -> dict[str, Any]:
    return {
        "tensorflow-version": {
            "description": "The TensorFlow that the code is for, such as 2.18.",
            "type": "string",
            "pattern": r"^2\.[0-9]+(\.|$)",
        },
        "keras": {"description": "The Keras that the code is for.", "enum": ["2", "3"]},
        "keras-backend": {"description": "The backend of Keras 3.", "enum": ["tensorflow", "jax", "torch"]},
        "follow-packages": {
            "description": "Whether installed packages that are made for TensorFlow are analyzed.",
            "type": "boolean",
            "default": True,
        },
    }


def _reference(name: str) -> dict[str, Any]:
    # Draft 7 ignores what is next to a reference.
    return {"allOf": [{"$ref": f"#/definitions/{name}"}]}


def _rules() -> list[str]:
    return [rule.name for rule in all_rules()]


def _severities() -> list[str]:
    return [severity.label for severity in Severity]
