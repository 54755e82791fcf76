"""The files in which a process tells the editor of its traces: `.graphwright/traces/*.json` in a project's folder.

It knows where they are and keeps them few; what is in them is for `runtime.functions.recording` to say.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
import json
import os
import time
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .libraries import is_installed_file, is_standard_file

KEPT_FILES = 20
MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg", ".vscode", ".graphwright")
"""What the folder of a project has; without one of them it is the folder in which the program was started."""

TEMPORARY = itertools.count()


@dataclass(frozen=True)
class Definition:
    """A `def` in a file: its line from 0, its name with those of the classes and functions around it."""

    file: str
    line: int
    name: str
    digest: str


def definition_of(file: str, first_line: int) -> Definition | None:
    """The definition whose code begins at a line, that of its first decorator; None if it isn't in a user's file."""
    if is_installed_file(file) or is_standard_file(file) or not os.path.isfile(file):
        return None
    return definitions_in(os.path.abspath(file)).get(first_line)


@functools.lru_cache(maxsize=64)
def definitions_in(file: str) -> dict[int, Definition]:
    """As the file is when it is first asked about, which is soon after it was imported."""
    try:
        with tokenize.open(file) as opened:
            text = opened.read()
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return {}
    lines = text.split("\n")
    found: dict[int, Definition] = {}
    for name, node in named_definitions(tree, ""):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        source = "\n".join(line.rstrip() for line in lines[first - 1 : node.end_lineno])
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        found[first] = Definition(file, node.lineno - 1, name, digest)
    return found


def named_definitions(tree: ast.AST, around: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        inner = around
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = f"{around}.{node.name}" if around else node.name
        if isinstance(node, ast.FunctionDef):
            yield inner, node
        yield from named_definitions(node, inner)


def write(account: dict[str, Any], asked: str, started: float) -> None:
    """Write an account of this process, to the folder of each project that its functions are from."""
    by_root: dict[Path, list[Any]] = {}
    for function in account["functions"]:
        by_root.setdefault(root_of(function["file"], asked), []).append(function)
    for root, functions in by_root.items():
        write_into(root / ".graphwright", {**account, "functions": functions}, started)


def write_into(folder: Path, account: dict[str, Any], started: float) -> None:
    traces = folder / "traces"
    traces.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", "utf-8")
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(started))
    target = traces / f"{stamp}-{os.getpid()}.json"
    is_first = not target.exists()
    temporary = traces / f".{target.name}.{next(TEMPORARY)}"
    began = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(started))
    temporary.write_text(json.dumps({**account, "started": began}), "utf-8")
    try:
        os.replace(temporary, target)
    except PermissionError:  # On Windows, while somebody reads it: the next time will do.
        temporary.unlink()
        if is_first:
            raise
    if is_first:
        prune(traces)


def prune(traces: Path) -> None:
    """Remove the oldest accounts, and what killed processes left unfinished."""
    with suppress(OSError):
        files = sorted(traces.glob("*.json"), key=lambda file: file.name)
        abandoned = [file for file in traces.glob(".*.json.*") if time.time() - file.stat().st_mtime > 60]
        for file in [*files[:-KEPT_FILES], *abandoned]:
            file.unlink()


@functools.lru_cache(maxsize=256)
def root_of(file: str, asked: str) -> Path:
    """The folder that was asked for; else the nearest one around the file that looks like a project's."""
    if asked.lower() not in ("1", "true", "yes", "on"):
        return Path(asked).expanduser().absolute()
    folders = Path(file).parents
    for folder in folders:
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    return Path.cwd() if Path.cwd() in folders else folders[0]
