"""A process that checks many files forgets what it remembers of them before it holds too much memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from graphwright_analysis import Folder, Settings
from graphwright_server import analysis_log
from graphwright_server.cli import sharing
from graphwright_server.cli.targets import Target, projects
from graphwright_server.processes import resident


def test_what_is_forgotten_changes_no_finding(bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sharing, "_log", analysis_log.listen(), raising=False)
    projects.clear()
    # Whatever else the tests' own process holds.
    monkeypatch.setattr(sharing, "MOST_HELD", 10**15)
    folder = Folder(tmp_path, Settings())
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(bad)
    files = [Target(folder, tmp_path / name, name) for name in ("one.py", "two.py")]
    before = sharing._check_share(files, True)
    assert projects
    monkeypatch.setattr(sharing, "MOST_HELD", 0)
    after = sharing._check_share(files, True)
    assert not projects
    assert [each.result for each in after] == [each.result for each in before]


def test_the_memory_of_a_process_is_known():
    assert resident(os.getpid()) == 0 or resident(os.getpid()) > 10_000_000
    assert resident(-1) == 0


def test_a_process_that_ends_frees_nothing():
    """At its end Python looks through all objects for circles, which takes a sixth of a long check."""
    program = (
        "from graphwright_server import garbage\n"
        "class Kept:\n    def __del__(self): print('freed', flush=True)\n"
        "garbage.look_between()\n"
        "kept = Kept()\nkept.itself = kept\ndel kept\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not ended.stdout


def test_what_is_cached_for_long_is_looked_through_seldom():
    """Looking through a large heap holds up whoever types: half a second for a million objects."""
    program = (
        "import gc, weakref\n"
        "from graphwright_server import garbage\n"
        "class Kept: pass\n"
        "kept = Kept()\nkept.itself = kept\nseen = weakref.ref(kept)\n"
        "gc.disable()\ngarbage.collect()\ndel kept\n"
        "new = [[number] for number in range(100)]\ngarbage.look(50)\nprint(seen() is None)\n"
        "new += [[number] for number in range(len(gc.get_objects()))]\ngarbage.look(50)\nprint(seen() is None)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", "True"]
