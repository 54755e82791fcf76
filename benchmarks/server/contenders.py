"""The servers that are probed, how each is started, and what it needs to find TensorFlow.

One that isn't installed is left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEV = HERE.parents[1] / ".dev"
PEERS = DEV / "peers" / "bin"
NODE = DEV / "node"
PYRIGHT = NODE / "node_modules" / "pyright" / "langserver.index.js"


@dataclass(frozen=True, slots=True)
class Contender:
    """A server, and whether it is asked for diagnostics or sends them."""

    name: str
    command: tuple[str, ...]
    pulls: bool = False


def contenders() -> Iterator[Contender]:
    python = sys.executable
    own = (python, "-I", "-X", "utf8", str(HERE / "launch.py"), "server", "--stdio")
    yield Contender("graphwright", own)
    yield Contender("graphwright, asked", own, pulls=True)
    bare = (python, "-I", "-X", "utf8", str(HERE / "bare.py"))
    yield Contender("bare pygls", bare)
    yield Contender("bare pygls, asked", bare, pulls=True)
    if (PEERS / "ty").exists():
        yield Contender("ty", (str(PEERS / "ty"), "server"))
    if (PEERS / "pyrefly").exists():
        yield Contender("pyrefly", (str(PEERS / "pyrefly"), "lsp"))
    if PYRIGHT.exists():
        yield Contender("pyright", (str(NODE / "bin" / "node"), str(PYRIGHT), "--stdio"))


def prepare(folder: Path) -> None:
    """Tell each type checker, in its own file, which Python has TensorFlow."""
    environment = Path(sys.prefix)
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"venvPath": str(environment.parent), "venv": environment.name}), "utf-8"
    )
    (folder / "ty.toml").write_text(f'[environment]\npython = "{environment}"\n', "utf-8")
    (folder / "pyrefly.toml").write_text(f'python-interpreter-path = "{sys.executable}"\n', "utf-8")
