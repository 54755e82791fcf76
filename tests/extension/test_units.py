"""The extension's own unit tests, of what needs no editor; what needs one is driven by `tests/e2e`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / ".dev" / "node" / "bin" / "node"
EXTENSION = ROOT / "vscode-extension"


def test_the_units_of_the_extension():
    if not NODE.exists():
        reason = "Node isn't installed in .dev: `make lint` installs it"
        pytest.fail(reason) if os.environ.get("GRAPHWRIGHT_E2E") == "require" else pytest.skip(reason)
    files = sorted(map(str, (EXTENSION / "test").glob("*.test.ts")))
    assert files
    done = subprocess.run([NODE, "--test", *files], cwd=EXTENSION, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
