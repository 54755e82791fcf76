"""Which of the three tiers a test belongs to: what it does decides, and no list.

`check` holds what runs neither TensorFlow nor an editor, and TensorFlow can't be imported there, in other processes
either. `truth` is what runs it, or tries so much that it takes long; `editor` what drives a real VS Code. No test is
chosen or run here.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TIERS = ("check", "truth", "editor")
HERE = Path(__file__).resolve().parent
BLOCKED = HERE / "blocked"
"""A folder for PYTHONPATH: every Python that starts with it can't import TensorFlow."""
RUNS_TENSORFLOW = {"tensorflow", "keras"}


@cache
def imports_tensorflow(module: Path) -> bool:
    """Whether importing a module of the tests imports TensorFlow, itself or by another module of the tests."""
    for name in _imported(ast.parse(module.read_bytes())):
        if name.partition(".")[0] in RUNS_TENSORFLOW:
            return True
        helper = next((path for path in _places(module, name) if path.is_file()), None)
        if helper is not None and imports_tensorflow(helper):
            return True
    return False


def _imported(module: ast.Module) -> Iterator[str]:
    """What a module imports when it is imported itself."""
    waiting: list[ast.AST] = [*module.body]
    for node in waiting:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "__init__"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def _places(module: Path, name: str) -> Iterator[Path]:
    file = Path(*name.split(".")).with_suffix(".py")
    yield module.parent / file
    yield from (HERE / folder / file for folder in ("analysis", "converter", "server"))


def sampled(values: Iterable[Any], one_in: int) -> list[Any]:
    """Parameters of a test: the first of so many for `check`, and the others for `truth`, with the mark `thorough`."""
    thorough = pytest.mark.thorough
    return [pytest.param(value, marks=[thorough] if index % one_in else []) for index, value in enumerate(values)]


def part(values: Iterable[Any], one_in: int, first: int = 0) -> list[Any]:
    """One in so many of the things that a test tries; all of them with `--whole`."""
    return [*values] if _whole else [*values][first::one_in]


def try_all() -> None:
    """Let `part` leave out nothing. Modules of tests ask it while they are imported."""
    global _whole
    _whole = True


_whole = False


def block_tensorflow() -> None:
    """Have every import of TensorFlow fail, in this process and in those that it starts."""
    sys.path.insert(0, str(BLOCKED))
    importlib.import_module("no_tensorflow")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(BLOCKED), os.environ.get("PYTHONPATH")]))
