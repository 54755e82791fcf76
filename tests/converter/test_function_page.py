"""The code on the pages of `gw.function` and of retraces runs as it is written there, and prints what they show."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.truth
def test_the_page_of_retraces_runs_and_prints_what_it_shows(tmp_path: Path):
    text = (DOCS / "retraces.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "model.py").write_text("\n\n".join(blocks), "utf-8")
    command = [sys.executable, "model.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    [shown] = re.findall(r"((?:^    .*\n)+)\nThe traceback ends", text, re.MULTILINE)
    assert done.stdout == textwrap.dedent(shown)


@pytest.mark.truth
def test_the_page_runs_and_prints_what_it_shows(tmp_path: Path):
    text = (DOCS / "function.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "model.py").write_text("\n\n".join(blocks), "utf-8")
    command = [sys.executable, "model.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    shown = "".join(re.findall(r"^    (scaled was.*?)^From", text, re.MULTILINE | re.DOTALL))
    wanted = [measures(line) for line in shown.splitlines() if line.strip()]
    printed = [measures(line) for line in done.stdout.splitlines() if line.strip()]
    assert printed[: len(wanted)] == wanted


def measures(line: str) -> str:
    """The line without its seconds, operations and numbers of lines, which may differ."""
    return re.sub(r"[\d.e-]+ s\b|\d+ operations|:\d+,", "#", line.strip())
