"""A client for the soak: it answers what the server asks, keeps what it publishes, and waits for nothing too long.

It knows nothing of documents.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]

PATIENCE = 120.0
"""How long an answer may take, in seconds; a busy machine stretches everything."""
_OF_A_BUG = ("is a bug in", "Traceback", "failed;")


class Unanswered(Exception):
    """No answer in time, or the server has left."""


class Client:
    """One server process."""

    def __init__(self, command: Sequence[str], folder: Path, pulls: bool) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.settings: Message = {}
        self.published: dict[str, Message] = {}
        self.complaints: list[str] = []
        self.slowest = (0.0, "nothing")
        self._folder = folder
        self._pulls = pulls
        self._number = 0
        self._asked: dict[int, float] = {}
        self._answers: dict[int, Message] = {}
        self._messages: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def hello(self) -> None:
        diagnostic = {"diagnostic": {"relatedDocumentSupport": False}} if self._pulls else {}
        text_document = {
            "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            "hover": {"contentFormat": ["markdown"]},
            "inlayHint": {},
            "codeLens": {},
            "semanticTokens": {
                "requests": {"full": True, "range": True},
                "tokenTypes": ["keyword"],
                "tokenModifiers": [],
                "formats": ["relative"],
            },
        }
        workspace = {
            "configuration": True,
            "workspaceFolders": True,
            "workspaceEdit": {"documentChanges": True},
            "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        }
        folder = {"uri": self._folder.as_uri(), "name": self._folder.name}
        capabilities = {"textDocument": text_document | diagnostic, "workspace": workspace}
        self.result(
            "initialize",
            {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities, "workspaceFolders": [folder]},
        )
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})
        self._take_what_came()

    def ask(self, method: str, params: Any) -> int:
        self._number += 1
        self._asked[self._number] = time.monotonic()
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer_to(self, number: int, method: str) -> Message:
        """The answer, be it an error."""
        self._listen(lambda: number in self._answers, method)
        self.slowest = max(self.slowest, (time.monotonic() - self._asked.pop(number), method))
        return self._answers.pop(number)

    def result(self, method: str, params: Any) -> Any:
        return self.answer_to(self.ask(method, params), method)["result"]

    def settle(self, versions: dict[str, int]) -> None:
        """Until each document has the diagnostics of its version, and then until there is silence."""
        self._listen(
            lambda: all(self.published.get(uri, {}).get("version") == version for uri, version in versions.items()),
            "the diagnostics of a document",
        )
        self.answer_to(self.ask("textDocument/hover", _NOWHERE), "a sign of life")
        silent = time.monotonic()
        while time.monotonic() - silent < 2.0:
            try:
                self._take(self._messages.get(timeout=0.2))
                silent = time.monotonic()
            except queue.Empty:
                continue

    def leave(self) -> None:
        self.result("shutdown", None)
        self._send({"method": "exit", "params": None})  # and nothing is read any more: that it has left is no fault
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Unanswered("the server doesn't leave") from None
        if code != 0:
            self.complaints.append(f"the server left with {code}")

    def _listen(self, enough: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not enough():
            try:
                self._take(self._messages.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                raise Unanswered(f"{what} isn't answered") from None

    def _take_what_came(self) -> None:
        while not self._messages.empty():
            self._take(self._messages.get())

    def _take(self, message: Message | None) -> None:
        if message is None:
            raise Unanswered(f"the server has left with {self.process.wait()}")
        method = message.get("method")
        if method is None:
            if isinstance(message.get("id"), int):
                self._answers[message["id"]] = message
        elif "id" in message:
            asked = message["params"]["items"] if method == "workspace/configuration" else None
            result = None if asked is None else [self.settings for _ in asked]
            self._send({"id": message["id"], "result": result})
        elif method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        elif method == "window/logMessage" and any(sign in message["params"]["message"] for sign in _OF_A_BUG):
            self.complaints.append(message["params"]["message"])

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode("ascii")
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> None:
        for body in _bodies(self.process):
            self._messages.put(json.loads(body))
        self._messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.complaints.append(f"on standard error: {line.decode('utf-8', 'replace').rstrip()}")


def _bodies(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    assert process.stdout is not None
    while line := process.stdout.readline():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            while process.stdout.readline().strip():
                pass
            yield process.stdout.read(int(value))


_NOWHERE: Message = {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": 0, "character": 0}}
