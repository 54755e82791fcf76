"""Random histories of programs of several files: whatever led to it, a project says what a fresh one says.

A history is a list of plain steps, so that it can be run again, and cut down to the steps that show a mistake. Run as a
script, it does any number of them: `random_histories.py COUNT SEED`, or on copies of folders: `--folder PATH`.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import told_in_full
from graphwright_analysis import Abandoned, Project, Settings, Unreadable
from graphwright_analysis import project as project_module
from graphwright_analysis.tracing.machine import run
from random_files import Program, changed, drawn

SETTINGS: Sequence[Mapping[str, Any]] = ({}, {}, {"tensorflow-version": "2.16"}, {"select": ["effects", "consistency"]})


@dataclass(frozen=True)
class Step:
    """Something that happens to a project: what, to which file, and with which text."""

    what: str
    path: str = ""
    text: str = ""
    patience: int | None = None
    """After how many signs of life what is asked is given up."""
    number: int = 0


@dataclass(frozen=True)
class History:
    program: Program
    steps: tuple[Step, ...]
    asked: frozenset[str] | None = None
    """The files that are asked about, where that isn't all of them."""
    still: bool = False
    forgetful: bool = False
    """Whether little is remembered of files that aren't open."""


@dataclass(frozen=True)
class Fault:
    """Where a project says another thing than a fresh one does."""

    after: int
    path: str
    what: str
    words: str
    in_circle: bool = False
    """Whether files import each other in a circle: what they see of each other may hang on which is run first."""
    by_order: bool = False
    """Whether fresh ones differ as well, by the order in which they are asked."""


# Drawing


def history(dice: random.Random, program: Program, count: int, asked: frozenset[str] | None = None) -> History:
    """So many edits of a program, on the disk and in buffers, with questions between them."""
    steps = tuple(_steps(dice, dict(program), count))
    return History(program, steps, asked, still=dice.random() < 0.2, forgetful=dice.random() < 0.3)


def _steps(dice: random.Random, written: Program, count: int) -> Iterator[Step]:
    disk, buffers = dict(written), dict[str, str]()
    yield from _questions(dice, disk)
    for _ in range(count):
        chance = dice.random()
        if chance < 0.1 and disk:
            path = dice.choice(sorted(disk))
            buffers[path] = disk[path]
            yield Step("open", path, buffers[path])
        elif chance < 0.18 and buffers:
            path = dice.choice(sorted(buffers))
            if dice.random() < 0.5:
                disk[path] = buffers[path]
                yield Step("write", path, disk[path])
            del buffers[path]
            yield Step("close", path)
        elif chance < 0.22:
            yield Step("settings", number=dice.randrange(len(SETTINGS)))
        elif chance < 0.24 and disk:
            yield Step("spoil", dice.choice(sorted(disk)))
        else:
            yield from _edit(dice, written, disk, buffers)
        yield from _questions(dice, {**disk, **buffers})
        yield Step("compare", number=dice.randrange(2**32))


def _edit(dice: random.Random, written: Program, disk: dict[str, str], buffers: dict[str, str]) -> Iterator[Step]:
    """An edit in the buffers of the files that are open, or on the disk, be they open or not."""
    before = {**disk, **buffers}
    after = changed(before, written, dice)
    for path in sorted(before.keys() - after.keys()):
        disk.pop(path, None)
        yield Step("remove", path)
        if path in buffers:
            del buffers[path]
            yield Step("close", path)
    for path in sorted(path for path, text in after.items() if before.get(path) != text):
        if dice.random() < (0.9 if path in buffers else 0.3):
            buffers[path] = after[path]
            yield Step("open", path, after[path])
        else:
            disk[path] = after[path]
            yield Step("write", path, after[path])


def _questions(dice: random.Random, files: Program) -> Iterator[Step]:
    for _ in range(dice.choice((0, 0, 1, 2, 4))):
        what = dice.choice([*ASKED])
        patience = int(10 ** dice.uniform(0, 4)) if dice.random() < 0.3 else None
        step = Step(what, dice.choice(sorted(files) or [""]), patience=patience)
        yield step
        if patience is not None and dice.random() < 0.5:
            yield replace(step, patience=None)


ASKED: Mapping[str, Callable[[Project, str], object]] = {
    "check": Project.check,
    "telling": Project.telling,
    "trace": Project.trace,
    "shown": lambda project, path: project.trace(path, shown=True),
    "whole": Project.whole,
    "whole shown": lambda project, path: project.whole(path, shown=True),
    "outline": Project.outline,
    "asked of others": lambda project, path: (project.telling(path), project.asked_of_others(path)),
    "find importers": lambda project, path: project.find_importers(),
    "renew callers": Project.renew_callers,
    "renew": lambda project, path: (project.find_importers(), project.renew_callers(path)),
    "set aside": Project.set_aside,
    "hold": Project.hold,
    "everything": told_in_full.by_itself,
    "with callers": told_in_full.with_callers,
}
"""What may be asked between two edits, of one file."""


# Running


@dataclass
class _World:
    """A folder, a project in it, and what the project knows of an editor."""

    folder: Path
    history: History
    project: Project
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    settings: Settings = field(default_factory=Settings)
    time: int = 10**18

    def key(self, path: str) -> str:
        return str(self.folder / path)


def faults(history: History, folder: Path) -> Iterator[Fault]:
    """What the project of a history says differently from a fresh one."""
    world = _World(folder, history, Project(folder, Settings(), still=history.still))
    before, project_module._REMEMBERED = project_module._REMEMBERED, 3 if history.forgetful else 400
    heard = _Heard()
    logging.getLogger("graphwright_analysis").addHandler(heard)
    try:
        for path, text in history.program.items():
            _write(world, path, text.encode("utf-8", "replace"))
        for number, step in enumerate(history.steps):
            yield from _done(world, number, step)
            yield from (Fault(number, step.path, "log", words) for words in heard.taken())
    finally:
        project_module._REMEMBERED = before
        logging.getLogger("graphwright_analysis").removeHandler(heard)


class _Heard(logging.Handler):
    """What was logged: a rule or a trace that fails costs nothing else, but here it counts."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.words: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.words.append(record.getMessage() + "".join(traceback.format_exception(*(record.exc_info or (None,) * 3))))

    def taken(self) -> list[str]:
        words, self.words = self.words, []
        return words


def _done(world: _World, number: int, step: Step) -> Iterator[Fault]:
    try:
        if step.what == "compare":
            yield from _compared(world, number, random.Random(step.number))
        elif step.what in ASKED:
            _asked(world, step)
        else:
            _happened(world, step)
    except Exception:
        yield Fault(number, step.path, "raises", traceback.format_exc())


def _asked(world: _World, step: Step) -> None:
    left = step.patience

    def is_given_up() -> bool:
        nonlocal left
        left = None if left is None else left - 1
        return left is not None and left < 0

    try:
        with world.project.giving_up(is_given_up):
            ASKED[step.what](world.project, world.key(step.path))
    except (Abandoned, Unreadable):
        pass


def _happened(world: _World, step: Step) -> None:
    project, key = world.project, world.key(step.path)
    match step.what:
        case "open":
            world.buffers[step.path] = step.text
            project.set_text(key, step.text)
        case "close":
            if world.buffers.pop(step.path, None) is not None:
                project.forget(key)
        case "write":
            _write(world, step.path, step.text.encode("utf-8", "replace"))
        case "spoil":
            _write(world, step.path, b"x = '\xff'\0")
        case "remove" if Path(key).exists():
            Path(key).unlink()
            _touch(world, Path(key).parent)
        case "settings":
            world.settings = Settings.from_mapping(dict(SETTINGS[step.number]), "pyproject.toml")
            project.settings = world.settings
            project.look_again()
    if world.history.still:
        project.look_again()


def _write(world: _World, path: str, text: bytes) -> None:
    """Write a file at a time of its own, however coarse the clock of the disk is."""
    file = world.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    is_new = not file.exists()
    file.write_bytes(text)
    _touch(world, file)
    for folder in [file.parent, *file.parent.parents] if is_new else []:
        if not folder.is_relative_to(world.folder):
            break
        _touch(world, folder)


def _touch(world: _World, path: Path) -> None:
    world.time += 10**9
    os.utime(path, ns=(world.time, world.time))


# Comparing


def _compared(world: _World, number: int, dice: random.Random) -> Iterator[Fault]:
    paths, renewed = _asked_about(world), dice.choice((True, True, False))
    order = dice.sample(paths, len(paths))
    fresh = _fresh_told(world, sorted(paths), renewed)
    told = _told(world, world.project, order, renewed)
    for path in sorted(paths):
        unlike = told_in_full.unlike(told[path], fresh[path])
        if not unlike:
            continue
        in_circle = has_circle(world.project, [*map(world.key, paths)])
        by_order = _is_by_order(world, paths, path, renewed, [*unlike], dice)
        for what, (ours, theirs) in unlike.items():
            yield Fault(number, path, what, _difference(ours, theirs), in_circle, by_order)


def _asked_about(world: _World) -> list[str]:
    """The files that are there, on the disk or in the editor."""
    if world.history.asked is None:
        there = {str(path.relative_to(world.folder)) for path in world.folder.rglob("*.py")} | world.buffers.keys()
    else:
        there = {path for path in world.history.asked if (world.folder / path).exists()} | world.buffers.keys()
    return sorted(there)


def _told(world: _World, project: Project, order: Sequence[str], renewed: bool) -> Mapping[str, told_in_full.Told]:
    """What is told of each file, when they are asked about in this order."""
    if renewed:
        project.find_importers()
        for path in order:
            try:
                project.renew_callers(world.key(path))
            except Unreadable:
                continue
    told = {path: told_in_full.by_itself(project, world.key(path)) for path in order}
    if renewed:
        told = {path: {**told[path], **told_in_full.with_callers(project, world.key(path))} for path in order}
    return told


def _fresh_told(world: _World, order: Sequence[str], renewed: bool) -> Mapping[str, told_in_full.Told]:
    fresh = Project(world.folder, world.settings, still=world.history.still)
    for path in sorted(world.buffers):
        fresh.set_text(world.key(path), world.buffers[path])
    return _told(world, fresh, order, renewed)


def _is_by_order(
    world: _World, paths: Sequence[str], path: str, renewed: bool, what: Sequence[str], dice: random.Random
) -> bool:
    """Whether fresh projects say different things of a file as well, by the order in which they are asked."""
    orders = [sorted(paths), sorted(paths, reverse=True), [path, *(each for each in paths if each != path)]]
    orders += [dice.sample(paths, len(paths)) for _ in range(5)]
    first: told_in_full.Told | None = None
    for order in orders:
        told = _fresh_told(world, order, renewed)[path]
        first = told if first is None else first
        if any(told.get(each) != first.get(each) for each in what):
            return True
    return False


def has_circle(project: Project, paths: Sequence[str]) -> bool:
    """Whether files import each other in a circle, the package of a file being imported before it."""
    done, under_way, pending = set[str](), list[str](), [(path, False) for path in paths]
    while pending:
        path, is_over = pending.pop()
        if is_over:
            done.add(under_way.pop())
        elif path in under_way:
            return True
        elif path not in done:
            package = str(Path(path).with_name("__init__.py"))
            led = {*project.led_to(path), *[package] * (package != path and project.is_file(package))}
            under_way.append(path)
            pending += [(path, True), *((each, False) for each in led - done)]
    return False


def _difference(ours: Any, theirs: Any) -> str:
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        only = [each for each in ours if each not in theirs], [each for each in theirs if each not in ours]
        lines = [
            *(f"- ours   {each}"[:600] for each in only[0][:4]),
            *(f"- theirs {each}"[:600] for each in only[1][:4]),
        ]
        return "\n".join(lines) or f"another order: {ours} {theirs}"[:3000]
    return f"- ours   {ours}\n- theirs {theirs}"[:3000]


# Cutting down


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


# As a script


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
    files = [str(path) for path in project.files([work]) if path.stat().st_size < 60_000]
    chosen, pending = dict[str, None](), [dice.choice(files)]
    while pending and len(chosen) < 5:
        path = pending.pop(dice.randrange(len(pending)))
        if path not in chosen and path in files:
            chosen[path] = None
            pending += sorted(project.led_to(path))
    return {str(Path(path).relative_to(work)): project.text(path) for path in chosen}


if __name__ == "__main__":
    sys.exit(main())
