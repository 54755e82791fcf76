"""Emacs' eglot gets a finding, a hover and a fix from the server; with Emacs 29 and newer inlay hints as well."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("eglot.el")
PATIENCE_SECONDS = 120


def has_eglot() -> bool:
    """Whether there is an Emacs, and eglot comes with it or as a package of the system."""
    if shutil.which("emacs") is None:
        return False
    packages = Path("/usr/share/emacs/site-lisp/elpa")
    command = ["emacs", "-Q", "--batch", "--eval", "(princ emacs-major-version)"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    return int(done.stdout or 0) >= 29 or any(packages.glob("eglot-*"))


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot (Debian: emacs-nox, elpa-eglot) is not installed")
def test_finding_hover_and_fix_in_emacs(tmp_path: Path, bad: str):
    file = tmp_path / "model.py"
    file.write_text(bad, encoding="utf-8")
    lines = bad.splitlines()
    arguments = {
        "command": [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"],
        "file": str(file),
        "hover": {"line": lines.index("        y = tf.constant(2.0)"), "column": 8},
    }
    output = run_emacs(tmp_path, arguments)
    assert "failure" not in output, output["failure"]
    assert output["line"] == lines.index("    if tf.reduce_sum(x) > 0:")
    assert "float32" in str(output["hover"])
    assert output["actions"] >= 1
    assert output["text"] != bad
    assert output.get("hints", 1)


def run_emacs(folder: Path, arguments: dict[str, object]) -> dict[str, Any]:
    """What the script reported, from an Emacs that knows nothing of the user's own settings."""
    done = subprocess.run(
        ["emacs", "-Q", "--batch", "-l", str(SCRIPT)],
        capture_output=True,
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "GRAPHWRIGHT_TEST": json.dumps(arguments)},
        timeout=PATIENCE_SECONDS,
        text=True,
    )
    output: dict[str, object] = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            output |= json.loads(line)
    assert output, (done.stdout, done.stderr)
    return output
