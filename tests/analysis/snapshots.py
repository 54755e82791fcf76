"""Snapshots: texts that were written down in full to be reviewed, by file and heading, and what differs from them now.

What they hold is others' business; `tools/update_snapshots.py` writes them.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

HEAD = "Written by tools/update_snapshots.py. Review what has changed; edit nothing here.\n"

Texts = Mapping[str, str]
"""What a snapshot file holds under each heading."""


def written(texts: Texts) -> str:
    """A snapshot file's text."""
    whole = HEAD + "".join(f"\n# {title}\n\n{text}" for title, text in texts.items())
    assert read(whole) == texts, "something in a snapshot looks like a heading, or ends in empty lines"
    return whole


def read(whole: str) -> dict[str, str]:
    """What `written` has written."""
    pieces = re.split(r"^# (.+)\n\n", whole, flags=re.MULTILINE)
    return {title: text.rstrip("\n") + "\n" for title, text in zip(pieces[1::2], pieces[2::2], strict=True)}


@functools.cache
def kept(folder: Path, name: str) -> Texts:
    """What was written down in a file; nothing where it isn't there."""
    path = folder / name
    return read(path.read_text("utf-8")) if path.exists() else {}


def difference(folder: Path, name: str, title: str, now: str) -> str:
    """What has changed since the snapshot was taken, as a diff; empty if nothing has."""
    before = kept(folder, name).get(title)
    if before == now:
        return ""
    if before is None:
        return f"{name} has nothing of {title!r}, which is to be reviewed: tools/update_snapshots.py\n\n{now}"
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), f"{name}: {title}", "now", lineterm="", n=2)
    return "\n".join([*lines, "", "If that is right: tools/update_snapshots.py"])


def left_over(folder: Path, wanted: Mapping[str, Iterable[str]]) -> list[str]:
    """Snapshots of which no example is left, as `file` or `file: title`."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.txt"))
    files = [name for name in names if name not in wanted]
    titles = [f"{name}: {t}" for name in names if name in wanted for t in kept(folder, name) if t not in wanted[name]]
    return files + titles


def fail_with(differences: Iterable[str]) -> None:
    """Fail if there is a difference, and show nothing else."""
    shown = "\n\n".join(filter(None, differences))
    if shown:
        pytest.fail(shown, pytrace=False)
