"""The requests of the soak: what the server offers, at places that are there or not, and what no client should send."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

Asked = tuple[str, Any]

_AT_A_POSITION = ("textDocument/hover", "graphwright/preview", "graphwright/specs", "textDocument/definition")
_OF_A_FILE = (
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
    "textDocument/diagnostic",
    "textDocument/documentSymbol",
    "graphwright/environment",
)
_OF_A_RANGE = ("textDocument/inlayHint", "textDocument/semanticTokens/range", "textDocument/codeAction")
WRONG: tuple[Any, ...] = (None, [], {}, "x", -1, 2**40, {"line": "a"}, {"uri": 3}, {"start": None}, [None], True)


def request_for(dice: random.Random, uri: str, text: str) -> Asked:
    """A request about a document, now and then a broken one."""
    lines = text.count("\n") + 1
    document = {"uri": uri if dice.random() < 0.95 else dice.choice(("file:///gone.py", "untitled:1", "", "x:y%00"))}
    start, end = (_position(dice, lines) for _ in range(2))
    chance = dice.random()
    if chance < 0.5:
        method = dice.choice(_AT_A_POSITION)
        params: dict[str, Any] = {"textDocument": document, "position": start}
        if method == "graphwright/preview":
            params["style"] = dice.choice(("graphwright", "tensorflow", "graphwright"))
    elif chance < 0.7:
        method, params = dice.choice(_OF_A_FILE), {"textDocument": document}
    else:
        method = dice.choice(_OF_A_RANGE)
        params = {"textDocument": document, "range": {"start": start, "end": end}}
        if method == "textDocument/codeAction":
            only = dice.choice(({}, {"only": ["quickfix"]}, {"only": ["source.fixAll"]}, {"only": [""]}))
            params["context"] = {"diagnostics": [], **only}
    if dice.random() < 0.08:
        params[dice.choice([*params])] = dice.choice(WRONG)
    return (method, params) if dice.random() < 0.98 else (method, dice.choice(WRONG))


def of_every_kind(uri: str, text: str) -> Iterator[Asked]:
    """Requests of each kind, at places all over a document: they load what a server loads when it is first needed."""
    document = {"uri": uri}
    for method in _OF_A_FILE:
        yield method, {"textDocument": document}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
    for method in _OF_A_RANGE:
        yield method, {"textDocument": document, "range": whole, "context": {"diagnostics": []}}
    for line in range(0, text.count("\n") + 1, 20):
        at = {"textDocument": document, "position": {"line": line, "character": 6}}
        for method in _AT_A_POSITION:
            yield method, at
        yield "graphwright/preview", {**at, "style": "tensorflow"}


def _position(dice: random.Random, lines: int) -> dict[str, int]:
    chance = dice.random()
    if chance < 0.9:
        return {"line": dice.randrange(lines), "character": dice.randrange(60)}
    return {"line": dice.choice((0, lines, lines + 9, 2**31 - 1)), "character": dice.choice((0, 500, 2**31 - 1))}


def difference(old: str, new: str) -> dict[str, Any]:
    """The one change that makes the new text of the old; no place lies between the two characters of a line end."""
    shorter = min(len(old), len(new))
    front = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    while front and old[front - 1] == "\r":
        front -= 1
    rest = shorter - front
    back = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    while back and "\r" in (old[len(old) - back - 1 : len(old) - back], new[len(new) - back - 1 : len(new) - back]):
        back -= 1
    start, end = position_of(old, front), position_of(old, len(old) - back)
    return {"range": {"start": start, "end": end}, "text": new[front : len(new) - back]}


def position_of(text: str, offset: int) -> dict[str, Any]:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le", "surrogatepass")) // 2}


NOISE: tuple[Asked, ...] = (
    ("textDocument/rename", {"textDocument": {"uri": "file:///a.py"}}),
    ("workspace/executeCommand", {"command": "no.such.command", "arguments": [1]}),
    ("workspace/symbol", {"query": "x"}),
    ("no/such/method", {"a": [1, {"b": None}]}),
    ("no/such/method", None),
    ("$/unknown", {}),
    ("$/setTrace", {"value": "verbose"}),
    ("$/cancelRequest", {"id": 10**9}),
    ("initialize", {"capabilities": {}}),
    (
        "textDocument/didChange",
        {"textDocument": {"uri": "file:///never.py", "version": 1}, "contentChanges": []},
    ),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///never.py"}}),
    ("textDocument/didChange", {"textDocument": None}),
    ("textDocument/didOpen", {"textDocument": {"uri": 3}}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///gone.py", "type": 3}]}),
    ("workspace/didChangeWatchedFiles", {"changes": "all"}),
    ("workspace/didChangeConfiguration", None),
    ("graphwright/trace", {"textDocument": {"uri": "file:///a.py"}, "action": "run", "function": "f"}),
    ("codeAction/resolve", {"title": "x", "data": {"what": 1}}),
)
