"""The servers that are probed, how each is started, and what it needs to find TensorFlow.

One that isn't installed is left out.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DEV = HERE.parents[1] / ".dev"
PEERS = Path(os.environ.get("GRAPHWRIGHT_PEERS", DEV / "peers")) / "bin"
NODE = DEV / "node"
PYRIGHT = NODE / "node_modules" / "pyright" / "langserver.index.js"
WORKSPACE = {"diagnosticMode": "workspace"}


@dataclass(frozen=True, slots=True)
class Contender:
    """A server, whether it is asked for diagnostics or sends them, and what makes it look at the whole workspace."""

    name: str
    command: tuple[str, ...]
    pulls: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


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


def of_workspace() -> Iterator[Contender]:
    """Those that check the files of a workspace which nobody has opened, told to; and the bare one, which doesn't."""
    python = {"python": {"analysis": {"diagnosticMode": "workspace"}}}
    told = {
        "graphwright, asked": Contender("graphwright", (), True, {"graphwright": WORKSPACE}, WORKSPACE),
        "bare pygls, asked": Contender("bare pygls", (), True),
        "ty": Contender("ty", (), True, {"ty": WORKSPACE}, WORKSPACE),
        "pyrefly": Contender("pyrefly", (), False, {"python": {"pyrefly": WORKSPACE}}, {"pyrefly": WORKSPACE}),
        "pyright": Contender("pyright", (), False, python),
    }
    for each in contenders():
        if each.name in told:
            yield replace(told[each.name], command=each.command)


def prepare(folder: Path) -> None:
    """Tell each type checker, in its own file, which Python has TensorFlow."""
    environment = Path(sys.prefix)
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"venvPath": str(environment.parent), "venv": environment.name}), "utf-8"
    )
    (folder / "ty.toml").write_text(f'[environment]\npython = "{environment}"\n', "utf-8")
    (folder / "pyrefly.toml").write_text(f'python-interpreter-path = "{sys.executable}"\n', "utf-8")
