"""Histories of programs of several files: what may happen to them, and what may be asked meanwhile, as plain steps.

Nothing is done here; `replaying` does the steps of a history, and compares.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import told_in_full
from graphwright_analysis import Project
from random_files import Program, changed

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
    "run_reports": Project.run_reports,
    "trace": Project.trace,
    "shown": lambda project, path: project.trace(path, shown=True),
    "whole": Project.trace_with_callers,
    "whole shown": lambda project, path: project.trace_with_callers(path, shown=True),
    "outline": lambda project, path: project.sources.outline(path),
    "asked of others": lambda project, path: (project.run_reports(path), project.traced.file_dependencies(path)),
    "find importers": lambda project, path: project.refresh_importers(),
    "refresh callers": Project.refresh_callers,
    "refresh": lambda project, path: (project.refresh_importers(), project.refresh_callers(path)),
    "set aside": Project.set_aside,
    "pin": lambda project, path: project.sources.pin(path),
    "everything": told_in_full.by_itself,
    "with callers": told_in_full.with_callers,
}
"""What may be asked between two edits, of one file."""
