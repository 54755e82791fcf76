"""Edits in one open file while a server checks a workspace of 600 files, and the same edits once that is done.

Each server has the machine to itself, with a cache that holds nothing: what it competes with is its own work.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import real_edits
from contenders import Contender, prepare
from probe import SILENCE, Probe
from real_edits import Edit
from real_files import RealFile

FILES = 600
OPEN = RealFile(
    "tensorflow-probability", "tensorflow_probability/python/distributions/mixture_same_family.py", "the open file"
)
EDITS = 40
PACE = 0.2
"""Seconds from one edit's diagnostics to the next edit: somebody types."""


@dataclass(slots=True)
class Loaded:
    """Of one server: seconds from an edit to diagnostics, and what was told of the workspace when."""

    busy: list[float] = field(default_factory=list[float])
    idle: list[float] = field(default_factory=list[float])
    through: list[float] = field(default_factory=list[float])
    """From the start to when the whole workspace was told of; nothing if it never was, or nobody knows."""
    files: int = 0
    """How many files the server has told of."""


def under_load(servers: Sequence[Contender], rounds: int) -> dict[str, Loaded]:
    found = {each.name: Loaded() for each in servers}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / OPEN.package
        lay_out(folder)
        edits = real_edits.edits_of((folder / OPEN.path).read_text("utf-8"), real_edits.KINDS[0], EDITS)
        for number in range(rounds):
            for each in (*servers[number % len(servers) :], *servers[: number % len(servers)]):
                print(f"workspace: {each.name} ...", file=sys.stderr)
                with tempfile.TemporaryDirectory() as cache:
                    os.environ["GRAPHWRIGHT_CACHE_DIR"] = cache
                    type_while_busy(Probe(each, folder, folder / OPEN.path), edits, found[each.name])
    return found


def lay_out(folder: Path) -> None:
    """So many files of the package, the open one among them."""
    package = OPEN.folder
    files = sorted((package / "tensorflow_probability/python").rglob("*.py"))[: FILES - 1]
    for file in {*files, OPEN.file}:
        copy = folder / file.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    prepare(folder)


def type_while_busy(probe: Probe, edits: Sequence[Edit], loaded: Loaded) -> None:
    probe.start()
    client = probe.client
    asked = client.ask("workspace/diagnostic", {"previousResultIds": []}) if probe.contender.pulls else None
    for edit in edits:
        loaded.busy.append(probe.edit(edit))
        time.sleep(PACE)
    while asked is not None and asked not in client.answered:
        client.wait(lambda message: True, 600)
    client.settle(10 * SILENCE)
    told_of = set(client.told_of)
    if asked is not None:
        came, answer = client.answered[asked]
        loaded.through.append(came - client.started)
        told_of |= {item["uri"] for item in (answer or {}).get("items", ())}
    loaded.files = max(loaded.files, len(told_of))
    for edit in edits:
        loaded.idle.append(probe.edit(edit))
    probe.leave()
