"""Random histories of programs of several files: whatever led to it, a project says what a fresh one says.

Run as a script, it does any number of them, `random_histories.py COUNT SEED`, or edits copies of folders, with
`--folder PATH`; a history that shows a mistake is cut down to the few steps and lines that show it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphwright_analysis import Project, Settings
from graphwright_analysis.tracing.machine import run
from histories import History, history
from random_files import Program, drawn
from replaying import Fault, faults


def reduced(history: History, fault: Fault, patience: float = 60.0) -> History:
    """The history without what isn't needed to see a fault of this kind."""
    end = time.monotonic() + patience
    current = replace(history, steps=history.steps[: fault.after + 1])

    def shows(candidate: History) -> bool:
        with tempfile.TemporaryDirectory() as name:
            found = faults(candidate, Path(name).resolve())
            return any((each.what, each.in_circle) == (fault.what, fault.in_circle) for each in found)

    size = max(1, len(current.steps) // 2)
    while size and time.monotonic() < end:
        at = 0
        while at < len(current.steps) and time.monotonic() < end:
            candidate = replace(current, steps=current.steps[:at] + current.steps[at + size :])
            if shows(candidate):
                current = candidate
            else:
                at += size
        size //= 2
    for _ in range(2):
        for size in (16, 4, 1):
            current = _with_fewer_lines(current, shows, size, end)
    return current


def _with_fewer_lines(current: History, shows: Callable[[History], bool], size: int, end: float) -> History:
    """The same with shorter texts: the same lines are left out wherever they stand."""
    for line in _pieces(current, size):
        if time.monotonic() > end:
            break
        steps = tuple(replace(step, text=step.text.replace(line, "")) for step in current.steps)
        program = {path: text.replace(line, "") for path, text in current.program.items()}
        candidate = replace(current, steps=steps, program=program)
        if candidate != current and shows(candidate):
            current = candidate
    return current


def _pieces(history: History, size: int) -> list[str]:
    found = dict[str, None]()
    for text in [*history.program.values(), *(step.text for step in history.steps)]:
        lines = text.splitlines(keepends=True)
        found |= dict.fromkeys("".join(lines[at : at + size]) for at in range(0, len(lines), size))
    return [each for each in found if each]


def written_out(history: History) -> str:
    """A history as it can be read and run again."""
    steps = "".join(f"        {step!r},\n" for step in history.steps)
    rest = f"asked={history.asked}, still={history.still}, forgetful={history.forgetful}"
    return f"History(\n    {dict(history.program)!r},\n    (\n{steps}    ),\n    {rest},\n)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100, help="how many histories")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the number of the first one")
    parser.add_argument("--edits", type=int, default=12, help="edits in each history")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="edit files of copies of it instead")
    parser.add_argument("--reduce", type=float, default=60.0, help="for how many seconds a history is cut down")
    parser.add_argument("--seconds", type=float, default=3600.0, help="after how long no further history is begun")
    parser.add_argument("--circles", action="store_true", help="cut down what is seen in circles, too")
    options = parser.parse_args()
    run.BREATH = 1
    counts, began = Counter[str](), time.monotonic()
    for seed in range(options.seed, options.seed + options.count):
        if time.monotonic() - began > options.seconds:
            break
        dice = random.Random(f"history {seed}")
        folder = options.folder[seed % len(options.folder)] if options.folder else None
        with tempfile.TemporaryDirectory() as name:
            _one(seed, dice, options, folder, Path(name).resolve(), counts)
        print(f"{seed + 1 - options.seed} histories, {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(f"{dict(counts)} in {time.monotonic() - began:.0f} s")
    return 1 if any(kind.startswith("FAULT") for kind in counts) else 0


def _one(seed: int, dice: random.Random, options: Any, folder: Path | None, work: Path, counts: Counter[str]) -> None:
    name, program = drawn(dice) if folder is None else (str(folder), _copied(folder, work, dice))
    asked = None if folder is None else frozenset(program)
    drawn_history = history(dice, program, options.edits, asked)
    found: Fault | None = None
    for found in faults(drawn_history, work):
        kind = f"{'IN A CIRCLE' if found.in_circle else 'FAULT'}{', by order' if found.by_order else ''}"
        counts[kind] += 1
        print(f"{kind}: {seed} ({name}) step {found.after} {found.path} {found.what}:\n{found.words}", flush=True)
        if options.circles or not found.in_circle:
            break
    counts["histories"] += 1
    counts["steps"] += len(drawn_history.steps) if found is None or found.in_circle else found.after
    if options.reduce and folder is None and found is not None and (options.circles or not found.in_circle):
        print(written_out(reduced(drawn_history, found, options.reduce)), flush=True)


def _copied(folder: Path, work: Path, dice: random.Random) -> Program:
    """Copy a folder's Python files; the texts of some of them that have to do with each other."""
    ignored = shutil.ignore_patterns(".git", "node_modules")
    shutil.copytree(folder, work, dirs_exist_ok=True, ignore=ignored)
    project = Project(work, Settings(), still=True)
    files = [str(path) for path in project.sources.files([work]) if path.stat().st_size < 60_000]
    chosen, pending = dict[str, None](), [dice.choice(files)]
    while pending and len(chosen) < 5:
        path = pending.pop(dice.randrange(len(pending)))
        if path not in chosen and path in files:
            chosen[path] = None
            pending += sorted(project.traced.imported_files(path))
    return {str(Path(path).relative_to(work)): project.text(path) for path in chosen}


if __name__ == "__main__":
    sys.exit(main())
