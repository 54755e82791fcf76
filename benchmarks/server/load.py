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
from probe import Probe
from process import cpu_seconds
from real_edits import Edit
from real_files import RealFile

FILES = 600
OPEN = RealFile(
    "tensorflow-probability", "tensorflow_probability/python/distributions/mixture_same_family.py", "the open file"
)
EDITS = 40
PACE = 0.2
"""Seconds from one edit's diagnostics to the next edit: somebody types."""
SERVER_CANCELLED = -32802
PATIENCE = 600.0
SILENT = 10.0
"""Seconds without a word after which a server that isn't asked is taken to be through."""


@dataclass(slots=True)
class Loaded:
    """Of one server: seconds from an edit to diagnostics, until all was told, and of CPU until then."""

    busy: list[float] = field(default_factory=list[float])
    idle: list[float] = field(default_factory=list[float])
    through: float = 0.0
    cpu: float = 0.0


def under_load(servers: Sequence[Contender]) -> dict[str, Loaded]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / OPEN.package
        lay_out(folder)
        edits = real_edits.edits_of((folder / OPEN.path).read_text("utf-8"), real_edits.KINDS[0], EDITS)
        found: dict[str, Loaded] = {}
        for each in servers:
            print(f"workspace: {each.name} ...", file=sys.stderr)
            with tempfile.TemporaryDirectory() as cache:
                os.environ["GRAPHWRIGHT_CACHE_DIR"] = cache
                found[each.name] = type_while_busy(Probe(each, folder, folder / OPEN.path), edits)
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


def type_while_busy(probe: Probe, edits: Sequence[Edit]) -> Loaded:
    loaded = Loaded()
    probe.start()
    client, asked = probe.client, 0
    for edit in edits:
        asked = ask_again(probe, asked)
        loaded.busy.append(probe.edit(edit))
        time.sleep(PACE)
    while (asked := ask_again(probe, asked)) and asked not in client.answered:
        client.wait(lambda message: True, PATIENCE)
    client.settle(SILENT)
    loaded.through = max(client.heard, client.answered[asked][0] if asked else 0.0) - client.started
    loaded.cpu = cpu_seconds(client.process.pid)
    for edit in edits:
        loaded.idle.append(probe.edit(edit))
    probe.leave()
    return loaded


def ask_again(probe: Probe, asked: int) -> int:
    """The request for the workspace's diagnostics, made again where an edit has cancelled it, as editors do."""
    _, answer = probe.client.answered.get(asked, (0.0, {}))
    if probe.contender.pulls and (not asked or answer.get("error", {}).get("code") == SERVER_CANCELLED):
        return probe.client.ask("workspace/diagnostic", {"previousResultIds": []})
    return asked
