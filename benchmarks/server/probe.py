"""One server under the probe: it is started, edited and asked, and what it took is written down.

How the figures are put together is in `report.py`.
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
from texts import Edit

FIRST = 120.0
"""How long a server may take from its start to the first diagnostics, in seconds."""
SILENCE = 1.5
"""How long a server must be silent to have settled."""


@dataclass(slots=True)
class Measured:
    """Of one server and one file: seconds, and bytes of memory."""

    initialize: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    edits: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    hover_idle: list[float] = field(default_factory=list[float])
    hover_behind: list[float] = field(default_factory=list[float])
    stale: int = 0
    memory: Memory = field(default_factory=lambda: Memory(0, 0))


class Probe:
    """A server and the one file that it has open."""

    def __init__(self, contender: Contender, folder: Path, text: str) -> None:
        self.contender = contender
        self.measured = Measured()
        self._folder = folder
        self._text = text
        self._uri = (folder / "training.py").as_uri()
        self._log = Path(tempfile.gettempdir()) / f"{contender.name.replace(', ', '-').replace(' ', '-')}.log"

    def start(self) -> None:
        """From the start of the process to the hello and to the first diagnostics."""
        self._client = Client(self.contender.command, self._folder, self.contender.pulls, self._log)
        self._client.initialize()
        self.measured.initialize.append(self._client.arrived - self._client.started)
        self._version, self._report = 1, ""
        document = {"uri": self._uri, "languageId": "python", "version": 1, "text": self._text}
        self._client.notify("textDocument/didOpen", {"textDocument": document})
        self.measured.first.append(self._fresh() - self._client.started)

    def settle(self) -> None:
        self._client.settle(SILENCE)

    def leave(self) -> None:
        self._client.leave()

    def weigh(self) -> None:
        self.measured.memory = memory(self._client.process.pid)

    def warm_up(self, edits: Sequence[Edit]) -> None:
        for edit in edits:
            self._change(edit)
            self._fresh()
        self._hover(edits[-1])

    def take(self, edits: Sequence[Edit]) -> None:
        """Edits one after the other, each with its diagnostics; and a hover behind the last, and then another."""
        before = cpu_seconds(self._client.process.pid)
        for edit in edits[:-1]:
            sent = time.perf_counter()
            self._change(edit)
            self.measured.edits.append(self._fresh() - sent)
        computed = cpu_seconds(self._client.process.pid) - before
        self.measured.cpu.append(computed / (len(edits) - 1))
        sent = time.perf_counter()
        self._change(edits[-1])
        self._hover(edits[-1])
        self.measured.hover_behind.append(self._client.arrived - sent)
        self._fresh()
        sent = time.perf_counter()
        self._hover(edits[-1])
        self.measured.hover_idle.append(self._client.arrived - sent)

    def _change(self, edit: Edit) -> None:
        self._version += 1
        start = {"line": edit.line, "character": edit.column}
        end = {"line": edit.line, "character": edit.column + 1}
        change = {"range": {"start": start, "end": end}, "text": edit.character}
        document = {"uri": self._uri, "version": self._version}
        self._client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def _hover(self, edit: Edit) -> None:
        position = {"line": edit.line, "character": edit.column}
        self._client.request("textDocument/hover", {"textDocument": {"uri": self._uri}, "position": position})

    def _fresh(self) -> float:
        """Wait for diagnostics of the present text, which must differ from those before; when they came."""
        if self.contender.pulls:
            answer = self._client.request("textDocument/diagnostic", {"textDocument": {"uri": self._uri}})
            came, items = self._client.arrived, answer.get("items")
        else:
            came, items = self._published()
        report = _told(items)
        self.measured.stale += report == self._report
        self._report = report
        return came

    def _published(self) -> tuple[float, Any]:
        while True:
            while self._client.published:
                came, params = self._client.published.popleft()
                if params["uri"] == self._uri and self._is_of_present_text(params):
                    return came, params["diagnostics"]
            self._client.wait(lambda message: True, FIRST)

    def _is_of_present_text(self, params: Message) -> bool:
        version = params.get("version")
        return version == self._version if version is not None else _told(params["diagnostics"]) != self._report


def _told(items: Any) -> str:
    return json.dumps([(item["range"], item["message"]) for item in items or ()])
