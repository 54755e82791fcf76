"""Programs of several files whose files change on the disk: the workspace says what a fresh one says."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings
from graphwright_server.mcp.workspace import Workspace

sys.path.append(str(Path(__file__).resolve().parents[1] / "analysis"))

from random_files import Program, changed, drawn
from replaying import has_circle

CHANGES = 10


@pytest.mark.parametrize("seed", [*range(6), 109])
def test_a_workspace_says_what_a_fresh_one_says(seed: int, tmp_path: Path):
    dice, times = random.Random(f"mcp {seed}"), count(10**9)
    _, program = drawn(dice)
    written = program
    _write(tmp_path, {}, program, times)
    workspace = Workspace(tmp_path)
    if dice.random() < 0.8:
        found(workspace)
    for _ in range(CHANGES):
        before, program = program, changed(program, written, dice)
        _write(tmp_path, before, program, times)
        if dice.random() < 0.6:
            workspace.check_changed(nobody, wait=dice.random() < 0.5)
        if dice.random() < 0.5:
            continue
        if has_circle(Project(tmp_path, Settings()), sorted(str(tmp_path / name) for name in program)):
            break  # What these files see may hang on which came first.
        assert found(workspace) == found(Workspace(tmp_path))


def found(workspace: Workspace) -> list[tuple[object, ...]]:
    files = workspace.check([str(workspace.root)], nobody)
    return sorted((each.words, each.diagnostic.range) for each in workspace.findings(files))


def nobody(done: int, total: int) -> None:
    """Report to nobody."""


def _write(folder: Path, before: Program, after: Program, times: Iterator[int]) -> None:
    for name in before.keys() - after.keys():
        (folder / name).unlink()
    for name, text in after.items():
        if before.get(name) != text:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8", errors="replace")
            # Two changes may be made within one tick of the clock.
            os.utime(folder / name, (time := next(times), time))
