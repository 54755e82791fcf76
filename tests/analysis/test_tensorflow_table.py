"""The table of what TensorFlow's functions return is what the installed TensorFlow gives."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = json.loads((ROOT / "analysis/graphwright_analysis/values/tensorflow/table.json").read_text("utf-8"))


def installed() -> str:
    for name in ("tensorflow-cpu", "tensorflow"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    pytest.fail("TensorFlow isn't installed")


def test_the_table_is_what_tensorflow_gives():
    assert installed().startswith(TABLE["tensorflow"] + "."), "the table was asked of another minor version"
    command = [sys.executable, str(ROOT / "tools/generate_tensorflow_table.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_table_is_not_empty():
    assert len(TABLE["functions"]) > 200
