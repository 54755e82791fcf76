"""A language client for probing: it frames messages and waits for answers, and costs next to nothing itself.

What is measured, and when, is decided in `run.py`.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

PATIENCE = 60.0

Message = dict[str, Any]

CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "workspaceFolders": True, "diagnostics": {"refreshSupport": False}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "synchronization": {"didSave": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True, "codeDescriptionSupport": True},
    },
}
PULLING = {"dynamicRegistration": False, "relatedDocumentSupport": False}


class Unanswered(Exception):
    """A server that didn't answer in time, or has left."""


class Client:
    """One server and the conversation with it.

    `arrived` is when the last message was read; `published` are the diagnostics that nobody has looked at yet, and
    `answered` says when each request was, and by what. `settings` are what the server gets by section where it asks.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, pulls: bool, log: Path, settings: Message | None = None
    ) -> None:
        self.started = time.perf_counter()
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
            )
        self.pulls = pulls
        self.arrived = self.heard = 0.0
        self.published: deque[tuple[float, Message]] = deque()
        self.answered: dict[int, tuple[float, Message]] = {}
        self._settings = settings or {}
        self._folder = folder
        self._messages: queue.Queue[tuple[float, Message | None]] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def initialize(self, options: Message | None = None) -> None:
        uri = self._folder.as_uri()
        text_document = CAPABILITIES["textDocument"] | ({"diagnostic": PULLING} if self.pulls else {})
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": self._folder.name}],
                "capabilities": CAPABILITIES | {"textDocument": text_document},
                "initializationOptions": options or {},
            },
        )
        self.notify("initialized", {})

    def request(self, method: str, params: Any) -> Any:
        """Ask and wait for the answer."""
        number = self.ask(method, params)
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise Unanswered(f"{method}: {answer['error']}")
        return answer["result"]

    def ask(self, method: str, params: Any) -> int:
        """Ask without waiting; the number of the request."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def wait(self, wanted: Callable[[Message], bool], patience: float = PATIENCE) -> Message:
        """The next message of a kind; what the server asks meanwhile is answered."""
        end = time.perf_counter() + patience
        while True:
            try:
                self.arrived, message = self._messages.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                raise Unanswered("no answer in time") from None
            if message is None:
                raise Unanswered("the server has left")
            if "id" in message and "method" in message:
                self._answer(message)
            elif "id" in message:
                self.answered[message["id"]] = self.arrived, message
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published.append((self.arrived, message["params"]))
            if wanted(message):
                return message

    def settle(self, seconds: float) -> None:
        """Listen until the server has been silent for so long; `heard` is when it last said something."""
        self.heard = self.arrived
        try:
            while True:
                self.wait(lambda message: True, seconds)
                self.heard = self.arrived
        except Unanswered:
            return

    def leave(self) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(5)
        except (Unanswered, OSError, subprocess.TimeoutExpired):
            self.process.kill()
        self.process.wait()

    def _answer(self, message: Message) -> None:
        configuration = message["method"] == "workspace/configuration"
        result = [self._section(each.get("section")) for each in message["params"]["items"]] if configuration else None
        self._send({"id": message["id"], "result": result})

    def _section(self, name: str | None) -> Any:
        found = self._settings
        for part in name.split(".") if name else ():
            found = found.get(part, {})
        return found

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8")
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _read(self) -> None:
        assert self.process.stdout is not None
        for body in bodies(self.process.stdout.fileno()):
            self._messages.put((time.perf_counter(), json.loads(body)))
        self._messages.put((time.perf_counter(), None))


def bodies(stream: int) -> Iterator[bytes]:
    held = b""
    while chunk := os.read(stream, 1 << 16):
        held += chunk
        while (end := held.find(b"\r\n\r\n")) >= 0:
            header = held[:end].lower().split(b"content-length:")[1].split(b"\r\n")[0]
            start, length = end + 4, int(header)
            if len(held) < start + length:
                break
            yield held[start : start + length]
            held = held[start + length :]
