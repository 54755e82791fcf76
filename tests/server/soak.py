"""Random work in a language server: what a user and a careless client may do, over and over, with checks.

Run by itself, it does as many steps as it's told and says what it found; `test_soak.py` does a few.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.append(str(ROOT / "tests" / "analysis"))

from graphwright_analysis import Project, Settings  # noqa: E402
from random_edits import edited  # noqa: E402
from random_files import WRITTEN, Program, changed  # noqa: E402
from replaying import has_circle  # noqa: E402
from soak_client import Client, Message, Unanswered  # noqa: E402
from soak_requests import NOISE, difference, of_every_kind, request_for  # noqa: E402

COMMAND = [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"select": ["undefined", "consistency"]},
    {"severity": {"undefined-in-branch": "info"}},
    {"tensorflow-version": "2.16"},
    {"select": ["no-such-rule"]},
    {"ignore": "not a list"},
    {"inlayHints": {"types": False}, "codeLens": {"enable": False}},
]
HALF_TYPED = "[tool.graphwright"
LONGEST = 40_000
"""How long a document may become before it is emptied."""
GROWTH = 1.1
"""How much memory may have grown between the warm-up and the end, with the same documents open."""


@dataclass(slots=True)
class Outcome:
    """What a soak did and found."""

    steps: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])
    slowest: tuple[float, str] = (0.0, "nothing")
    compared: int = 0
    in_circles: int = 0
    """How many differed of files that import each other in a circle: what they see may hang on which came first."""
    memory: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    """After how many steps the server's resident memory was how many megabytes, with the first documents open."""
    beside_fresh: tuple[float, float] = 0.0, 0.0
    """The same at the end, and that of a fresh server with the documents that are open then and the same requests."""


PROGRAM: Program = {**WRITTEN["stars"], **WRITTEN["patches"]}
"""Files that import from each other, of which some are open and the others on the disk."""


def sources() -> dict[str, str]:
    """The documents that a soak begins with, by their paths."""
    examples = sorted((ROOT / "examples").glob("*.py"))
    strange = (
        "import tensorflow as tf\r\n\r\n\r\n@tf.function\r\ndef ñ(x):  # 😀\r\n    if x > 0:\r\n        y = '😀', x\r\n"
    )
    return {path.name: path.read_text("utf-8") for path in examples[:8]} | {
        "strange.py": strange.replace("\n", "\r\n"),
        "uses.py": "import tensorflow as tf\nimport strange\nfrom strange import ñ\n\n\nñ(tf.constant(1))\nñ(3)\n",
        "empty.py": "",
        **PROGRAM,
    }


def soak(
    seed: int,
    steps: int,
    every: int,
    folder: Path,
    tell: Callable[[str], object] = lambda text: None,
    weigh: bool = False,
) -> Outcome:
    """So many random steps, compared with a fresh server every so often; `tell` hears how far it is.

    With `weigh`, its memory is compared at the end, too.
    """
    run = _Run(random.Random(seed), folder)
    try:
        for step in range(1, steps + 1):
            run.step()
            if step % every == 0 or step == steps:
                run.compare(step)
                run.weigh(step)
                tell(f"{step} steps, {len(run.outcome.faults) + len(run.client.complaints)} faults")
        if weigh:
            run.weigh_beside_fresh()
        run.client.leave()
    except (Unanswered, OSError) as error:
        run.outcome.faults.append(f"after {sum(run.outcome.steps.values())} steps: {error!r}")
        run.client.process.kill()
    run.outcome.faults += run.client.complaints
    run.outcome.slowest = run.client.slowest
    return run.outcome


class _Run:
    """One server, its documents, and what the client believes of them."""

    def __init__(self, dice: random.Random, folder: Path) -> None:
        self.dice = dice
        self.folder = folder
        self.outcome = Outcome()
        self.sources = sources()
        for name, text in self.sources.items():
            self._write(name, text)
        self.client = Client(COMMAND, folder, pulls=False)
        self.client.hello()
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.past: list[str] = list(self.sources.values())
        # The last text of pyproject.toml that could be read, whose settings hold while it can't; None is no file.
        self.usable: str | None = None
        share = dice.choice((0.4, 1.0))
        for name, text in self.sources.items():
            if name not in PROGRAM or dice.random() < share:
                self.open(self.uri(name), text)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def path(self, uri: str) -> Path:
        return Path(url2pathname(urlsplit(uri).path))

    def open(self, uri: str, text: str) -> None:
        self.texts[uri], self.versions[uri] = text, self.versions.get(uri, 0) + self.dice.randrange(1, 5)
        document = {"uri": uri, "languageId": "python", "version": self.versions[uri], "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, uri: str) -> None:
        del self.texts[uri]
        self.client.published.pop(uri, None)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def step(self) -> None:
        names = ["edit", "burst", "program", "ask", "noise", "save", "close", "rename", "disk", "settings", "splice"]
        weights = [45, 5, 20, 22, 4, 3, 5, 1, 1, 0.4, 3]
        kind = self.dice.choices(names, weights)[0]
        self.outcome.steps[kind] += 1
        getattr(self, f"_{kind}")()

    # What a step may be

    def _edit(self) -> None:
        uri = self._some()
        text = self.texts[uri]
        chance = self.dice.random()
        if len(text) > LONGEST or chance < 0.02:
            new = self.dice.choice(["", self.dice.choice(self.past)])
        elif chance < 0.03:
            new = text + "\n" + text[:2000] * self.dice.randrange(1, 20)
        elif chance < 0.06:
            new = text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")
        elif chance < 0.12:
            new = self.dice.choice(self.past)
        else:
            new = edited(text, self.dice)
        self._change(uri, new)

    def _burst(self) -> None:
        uri = self._some()
        for _ in range(self.dice.randrange(2, 12)):
            self._change(uri, edited(self.texts[uri], self.dice))

    def _splice(self) -> None:
        first, second = (self.texts[self._some()] for _ in range(2))
        at, begin = self.dice.randrange(len(first) + 1), self.dice.randrange(len(second) + 1)
        self._change(self._some(), (first[:at] + second[begin:])[:LONGEST])

    def _program(self) -> None:
        """An edit that concerns several files: in the editor those that are open, on the disk the others."""
        before = {self.path(uri): text for uri, text in self.texts.items()}
        closed = [path for path in self.folder.rglob("*.py") if path not in before and path.name != "strange.py"]
        before |= {path: path.read_text("utf-8", errors="replace") for path in closed}
        names = {*PROGRAM, "new.py", "other.py", "__init__.py", "two_x.py", "main_x.py"}
        program = {name: before[self.folder / name] for name in sorted(names) if self.folder / name in before}
        after = changed(program, PROGRAM, self.dice)
        for name in sorted(program.keys() | after.keys()):
            if program.get(name) != after.get(name):
                self._becomes(name, after.get(name))

    def _becomes(self, name: str, text: str | None) -> None:
        """A file has another text, or isn't there any more."""
        uri, file = self.uri(name), self.folder / name
        if text is not None and uri in self.texts:
            self._change(uri, text[:LONGEST])
        elif text is not None:
            kind = 2 if file.exists() else 1
            self._write(name, text)
            self._changed_on_disk(uri, kind)
        else:
            if uri in self.texts:
                self.close(uri)
            file.unlink(missing_ok=True)
            self._changed_on_disk(uri, 3)

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, "utf-8", errors="replace", newline="")

    def _ask(self) -> None:
        uri = self._some()
        asked = [request_for(self.dice, uri, self.texts[uri]) for _ in range(self.dice.choice((1, 1, 1, 3)))]
        numbers = [self.client.ask(method, params) for method, params in asked]
        if self.dice.random() < 0.15:
            self.client.notify("$/cancelRequest", {"id": self.dice.choice(numbers)})
        for number, (method, _) in zip(numbers, asked, strict=True):
            self.client.answer_to(number, method)

    def _noise(self) -> None:
        method, params = self.dice.choice(NOISE)
        if self.dice.random() < 0.5:
            self.client.answer_to(self.client.ask(method, params), method)
        else:
            self.client.notify(method, params)

    def _save(self) -> None:
        uri = self._some()
        self._write(str(self.path(uri).relative_to(self.folder)), self.texts[uri])
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self._changed_on_disk(uri, 2)

    def _close(self) -> None:
        closed = [uri for uri in map(self.uri, self.sources) if uri not in self.texts]
        if closed:
            uri = self.dice.choice(closed)
            self.open(uri, self.dice.choice(self.past))
        elif len(self.texts) > 2:
            self.close(self._some())

    def _rename(self) -> None:
        old = self._some()
        text, new = self.texts[old], self.uri(f"renamed_{self.dice.randrange(3)}.py")
        if new not in self.texts:
            self.close(old)
            self.open(new, text)

    def _disk(self) -> None:
        name = self.dice.choice([*self.sources, "pyproject.toml"])
        text = self.dice.choice(self.past)
        if name == "pyproject.toml":
            self.client.settle(self.versions_of_open())  # so that the text that goes was looked at
            text = self.dice.choice(["[tool.graphwright]\nselect = ['effects']\n", HALF_TYPED, "[project]\n"])
            self.usable = self.usable if text == HALF_TYPED else text
        self._write(name, text)
        self._changed_on_disk(self.uri(name), 2)

    def _settings(self) -> None:
        self.client.settings = self.dice.choice(SETTINGS)
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"graphwright": self.client.settings}})

    # What is checked

    def compare(self, step: int) -> None:
        """What this server has pushed is what a fresh one pushes."""
        self.client.settle(self.versions_of_open())
        fresh = self._fresh()
        fresh.settle(dict.fromkeys(self.texts, 1))
        for uri in self.texts:
            self.outcome.compared += 1
            pushed, fresh_ones = (_told(client.published.get(uri, {})) for client in (self.client, fresh))
            if pushed == fresh_ones:
                continue
            if self._in_circle():
                self.outcome.in_circles += 1
                continue
            kept = self.folder.parent / f"differs-{step}-{self.path(uri).name}.txt"
            kept.write_text(self.texts[uri], "utf-8", errors="surrogatepass", newline="")
            unlike = f"{sorted({*pushed} - {*fresh_ones})} for {sorted({*fresh_ones} - {*pushed})}"
            self.outcome.faults.append(f"after {step} steps {uri} differs from a fresh look: {kept} {unlike}")
        fresh.leave()

    def _in_circle(self) -> bool:
        project = Project(self.folder, Settings())
        for uri, text in self.texts.items():
            project.set_text(str(self.path(uri)), text)
        paths = {*map(str, self.folder.rglob("*.py")), *(str(self.path(uri)) for uri in self.texts)}
        return has_circle(project, sorted(paths))

    def _fresh(self) -> Client:
        """A server that has these documents open and knows the settings that hold."""
        fresh = Client(COMMAND, self.folder, pulls=False)
        fresh.settings = self.client.settings
        settings = self.folder / "pyproject.toml"
        half_typed = settings.exists() and settings.read_text("ascii") == HALF_TYPED
        if half_typed and self.usable is None:
            settings.unlink()
        elif half_typed:
            settings.write_text(self.usable or "", "ascii")
        fresh.hello()
        for uri, text in self.texts.items():
            document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            fresh.notify("textDocument/didOpen", {"textDocument": document})
        if half_typed:
            fresh.settle(dict.fromkeys(self.texts, 1))
            settings.write_text(HALF_TYPED, "ascii")
            change = {"uri": settings.as_uri(), "type": 2}
            fresh.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        return fresh

    def weigh(self, step: int) -> None:
        """The server's memory when the documents are those of the beginning."""
        before = dict(self.texts)
        for uri in before:
            self.close(uri)
        for name, text in self.sources.items():
            self.open(self.uri(name), text)
        self.client.settle(self.versions_of_open())
        self.outcome.memory.append((step, resident(self.client.process.pid)))
        for uri in [*self.texts]:
            self.close(uri)
        for uri, text in before.items():
            self.open(uri, text)

    def weigh_beside_fresh(self) -> None:
        """The server's memory and that of a fresh one that has loaded what requests of every kind need."""
        fresh = self._fresh()
        fresh.settle(dict.fromkeys(self.texts, 1))
        for uri, text in self.texts.items():
            for method, params in of_every_kind(uri, text):
                fresh.answer_to(fresh.ask(method, params), method)
        self.outcome.beside_fresh = resident(self.client.process.pid), resident(fresh.process.pid)
        fresh.leave()

    # How it gets there

    def versions_of_open(self) -> dict[str, int]:
        return {uri: self.versions[uri] for uri in self.texts}

    def _some(self) -> str:
        return self.dice.choice([*self.texts])

    def _change(self, uri: str, new: str) -> None:
        old, self.texts[uri] = self.texts[uri], new
        self.versions[uri] += self.dice.choice((1, 1, 1, 7))
        self.past[self.dice.randrange(len(self.past))] = new
        changes = [{"text": new}] if self.dice.random() < 0.1 else [difference(old, new)]
        document = {"uri": uri, "version": self.versions[uri]}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def _changed_on_disk(self, uri: str, kind: int) -> None:
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": kind}]})


def _told(published: Message) -> list[str]:
    return [json.dumps({**item, "data": None}, sort_keys=True) for item in published.get("diagnostics", ())]


def resident(process: int) -> float:
    """In megabytes; 0 where the system doesn't tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmRSS:"))


def grown(outcome: Outcome) -> float:
    """The memory at the end as a multiple of that after the warm-up, the first third."""
    sizes = [size for _, size in outcome.memory if size]
    warm = sizes[: len(sizes) // 3]
    return sizes[-1] / max(warm) if warm else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=500, help="steps between two comparisons with a fresh server")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        folder.mkdir()
        outcome = soak(options.seed, options.steps, options.every, folder, partial(print, file=sys.stderr), weigh=True)
        for fault in outcome.faults:
            print("FAULT", fault)
        print(f"{sum(outcome.steps.values())} steps in {time.monotonic() - began:.0f} s: {dict(outcome.steps)}")
        print(f"slowest answer {outcome.slowest[0]:.2f} s, to {outcome.slowest[1]}")
        print(f"{outcome.compared} documents compared with a fresh server; {outcome.in_circles} differ in circles")
        print("memory:", ", ".join(f"{size:.0f} MB after {step}" for step, size in outcome.memory))
        ours, theirs = outcome.beside_fresh
        print(f"{ours:.0f} MB at the end, {ours / (theirs or ours or 1):.2f} times a fresh server's")
        print(f"grown to {grown(outcome):.2f} times what it was after the warm-up")
    sys.exit(1 if outcome.faults or grown(outcome) > GROWTH else 0)


if __name__ == "__main__":
    main()
