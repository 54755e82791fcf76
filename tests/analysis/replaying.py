"""Does the steps of a history, and compares what the project says with what a fresh one says.

Histories are drawn elsewhere.
"""

from __future__ import annotations

import logging
import os
import random
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import told_in_full
from graphwright_analysis import Cancelled, Project, Settings, Unreadable, sources
from histories import ASKED, SETTINGS, History, Step


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
    before, sources.REMEMBERED = sources.REMEMBERED, 3 if history.forgetful else 400
    heard = _Heard()
    logging.getLogger("graphwright_analysis").addHandler(heard)
    try:
        for path, text in history.program.items():
            _write(world, path, text.encode("utf-8", "replace"))
        for number, step in enumerate(history.steps):
            yield from _done(world, number, step)
            yield from (Fault(number, step.path, "log", words) for words in heard.taken())
    finally:
        sources.REMEMBERED = before
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
        with world.project.sources.cancelled_when(is_given_up):
            ASKED[step.what](world.project, world.key(step.path))
    except (Cancelled, Unreadable):
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
            project.sources.settings = world.settings
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
        project.refresh_importers()
        for path in order:
            try:
                project.refresh_callers(world.key(path))
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
            has_package = package != path and project.sources.is_file(package)
            imported = {*project.traced.imported_files(path), *[package] * has_package}
            under_way.append(path)
            pending += [(path, True), *((each, False) for each in imported - done)]
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
