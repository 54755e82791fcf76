"""One server under the probe: it is started, edited and asked, and what it took is written down.

How the figures are put together is in the reports.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client import Client, Message
from contenders import Contender
from process import Memory, cpu_seconds, memory
from real_edits import Edit

FIRST = 120.0
"""How long a server may take from its start to the first diagnostics, in seconds."""
SILENCE = 1.5
"""How long a server must be silent to have settled."""


@dataclass(slots=True)
class Taken:
    """Of one server and one kind of edit: seconds from an edit to diagnostics and to a hover, and of CPU."""

    edits: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    hover: list[float] = field(default_factory=list[float])


@dataclass(slots=True)
class Measured:
    """Of one server and one file: seconds, and bytes of memory."""

    initialize: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    hover_idle: list[float] = field(default_factory=list[float])
    taken: dict[str, Taken] = field(default_factory=dict[str, Taken])
    stale: int = 0
    memory: Memory = field(default_factory=lambda: Memory(0, 0))


class Probe:
    """A server and the one file that it has open."""

    def __init__(self, contender: Contender, folder: Path, file: Path) -> None:
        self.contender = contender
        self.measured = Measured()
        self._folder = folder
        self._text = file.read_text("utf-8")
        self._uri = file.as_uri()
        self._log = Path(tempfile.gettempdir()) / f"{contender.name.replace(', ', '-').replace(' ', '-')}.log"

    def start(self) -> None:
        """From the start of the process to the hello and to the first diagnostics."""
        told = self.contender
        self.client = Client(told.command, self._folder, told.pulls, self._log, dict(told.settings))
        self.client.initialize(dict(told.options))
        self.measured.initialize.append(self.client.arrived - self.client.started)
        self._version, self._report = 1, ""
        document = {"uri": self._uri, "languageId": "python", "version": 1, "text": self._text}
        self.client.notify("textDocument/didOpen", {"textDocument": document})
        self.measured.first.append(self._fresh() - self.client.started)

    def settle(self) -> None:
        self.client.settle(SILENCE)

    def leave(self) -> None:
        self.client.leave()

    def weigh(self) -> None:
        self.measured.memory = memory(self.client.process.pid)

    def warm_up(self, edits: Sequence[Edit]) -> None:
        for edit in edits:
            self.edit(edit)
        self._hover(edits[-1])

    def take(self, kind: str, edits: Sequence[Edit]) -> None:
        """Edits one after the other, each with its diagnostics; and a hover right after the last, and then another."""
        taken = self.measured.taken.setdefault(kind, Taken())
        before = cpu_seconds(self.client.process.pid)
        for edit in edits[:-1]:
            taken.edits.append(self.edit(edit))
        computed = cpu_seconds(self.client.process.pid) - before
        if len(edits) > 1:
            taken.cpu.append(computed / (len(edits) - 1))
        sent = time.perf_counter()
        self._change(edits[-1])
        self._hover(edits[-1])
        taken.hover.append(self.client.arrived - sent)
        self._fresh()
        sent = time.perf_counter()
        self._hover(edits[-1])
        self.measured.hover_idle.append(self.client.arrived - sent)

    def edit(self, edit: Edit) -> float:
        """How long it took from an edit to its diagnostics."""
        sent = time.perf_counter()
        self._change(edit)
        return self._fresh() - sent

    def _change(self, edit: Edit) -> None:
        self._version += 1
        change = {"range": {"start": _place(edit.start), "end": _place(edit.end)}, "text": edit.new}
        document = {"uri": self._uri, "version": self._version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def _hover(self, edit: Edit) -> None:
        where = {"textDocument": {"uri": self._uri}, "position": _place(edit.hover)}
        self.client.request("textDocument/hover", where)

    def _fresh(self) -> float:
        """Wait for diagnostics of the present text; when they came. Those that are as before are counted as stale."""
        if self.contender.pulls:
            answer = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self._uri}})
            came, items = self.client.arrived, answer.get("items")
        else:
            came, items = self._published()
        report = _told(items)
        self.measured.stale += report == self._report
        self._report = report
        return came

    def _published(self) -> tuple[float, Any]:
        while True:
            while self.client.published:
                came, params = self.client.published.popleft()
                if params["uri"] == self._uri and self._is_of_present_text(params):
                    return came, params["diagnostics"]
            self.client.wait(lambda message: True, FIRST)

    def _is_of_present_text(self, params: Message) -> bool:
        version = params.get("version")
        return version == self._version if version is not None else _told(params["diagnostics"]) != self._report


def _place(position: tuple[int, int]) -> Message:
    return {"line": position[0], "character": position[1]}


def _told(items: Any) -> str:
    return json.dumps([(item["range"], item["message"]) for item in items or ()])
