"""Neovim's built-in client gets a finding, a hover and a fix from the server; from 0.10 on inlay hints as well."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("neovim.lua")
RUNTIME = Path("/usr/lib/nvim")  # where Debian keeps compiled parsers that `--clean` leaves out


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim (nvim) is not installed")
def test_finding_hover_and_fix_in_neovim(tmp_path: Path, bad: str):
    file = tmp_path / "model.py"
    file.write_text(bad, encoding="utf-8")
    line = bad.splitlines().index("        y = tf.constant(2.0)")
    arguments = {
        "command": [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"],
        "file": str(file),
        "folder": str(tmp_path),
        "hover": {"line": line, "column": 8},
    }
    output = run_neovim(tmp_path, arguments)
    assert "failure" not in output, output["failure"]
    assert output["diagnostic"]["message"]
    assert "float32" in str(output["hover"])
    assert output["actions"] >= 1
    assert output["text"] != bad
    assert output.get("hints", 1)


def run_neovim(folder: Path, arguments: dict[str, object]) -> dict[str, Any]:
    """What the script reported, from a Neovim that knows nothing of the user's own settings."""
    home = {f"XDG_{name}_HOME": str(folder / ".home") for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    command = ["nvim", "--headless", "--clean", "-u", "NONE", "-i", "NONE", "-n"]
    if RUNTIME.is_dir():
        command += ["--cmd", f"set rtp^={RUNTIME}"]
    done = subprocess.run(
        [*command, "-c", f"luafile {SCRIPT}"],
        capture_output=True,
        env={**os.environ, **home, "GRAPHWRIGHT_TEST": json.dumps(arguments)},
        timeout=120,
        text=True,
    )
    output: dict[str, object] = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            output |= json.loads(line)
    assert output, (done.stdout, done.stderr)
    return output
