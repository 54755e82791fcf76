"""The graph code that is generated for each program of the collection, with the user's lines, as it was reviewed.

It is had from the text alone: no program is imported or run here, and TensorFlow isn't needed.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import snapshots
from graphwright.previews import function_at, preview
from graphwright_analysis.syntax import Module, parse_module

PROGRAMS = Path(__file__).parent / "programs"
FOLDER = Path(__file__).parent / "snapshots"


def functions() -> Iterator[tuple[str, str]]:
    """Each function of each file of programs: the file's name and its own."""
    for path in sorted(PROGRAMS.glob("*.py")):
        for node in _functions(path.stem):
            yield path.stem, node.name


def generated(family: str, name: str) -> str:
    """A function's graph code; before each line its line in the function it comes from."""
    module = _module(family)
    [node] = [node for node in _functions(family) if node.name == name]
    located = function_at(module, module.lines.offset(node.lineno - 1, len("def ")))
    assert located is not None
    found = preview(located)
    if found.refused is not None:
        return f"refused: {found.refused.message}\n"
    lines = zip(found.lines, found.text.splitlines(), strict=True)
    return "".join(f"{line + 2 - node.lineno:3} | {each}\n" for line, each in lines)


def all_snapshots(only: str = "") -> dict[str, str]:
    """The text of every snapshot file whose name contains `only`, by its name in the folder."""
    texts: dict[str, dict[str, str]] = {}
    for family, name in functions():
        if only not in f"{family}.txt":
            continue
        texts.setdefault(f"{family}.txt", {})[name] = generated(family, name)
    return {name: snapshots.written(each) for name, each in texts.items()}


@functools.cache
def _module(family: str) -> Module:
    return parse_module((PROGRAMS / f"{family}.py").read_text("utf-8"))


@functools.cache
def _functions(family: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(_module(family).text).body if isinstance(node, ast.FunctionDef)]
