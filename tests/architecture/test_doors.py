"""What the packages' doors list: each name under the module that defines it, once, and none that nobody uses.

That nobody comes in beside the door is an import contract in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("analysis", "converter", "server")
FOLDERS = (*SOURCES, "tests", "tools", "benchmarks")

# What the modules are parsed to is remembered in one process.
pytestmark = pytest.mark.xdist_group("doors")

LAZY = ("graphwright_analysis", "graphwright")
"""Doors that load what they list when it is asked for; users come in by the second one."""
ROOMS = (
    "graphwright_analysis.flow",
    "graphwright_analysis.ide",
    "graphwright_analysis.ide.refactoring",
    "graphwright_analysis.syntax",
    "graphwright_analysis.tracing",
    "graphwright_analysis.tracing.facts",
    "graphwright.eject",
)


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name; a package's is that of its `__init__`."""
    found: dict[str, ast.Module] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder if folder in SOURCES else ROOT).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    return found


def imports_of(door: str) -> dict[str, str]:
    """The names that a door imports from modules behind it, with the module of each."""
    return {
        alias.asname or alias.name: f"{door}.{node.module}" if node.level else node.module or ""
        for node in ast.walk(modules()[door])
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(door)) and node.module
        for alias in node.names
    }


def literal(door: str, name: str) -> object:
    """The value that a door writes out for one of its own names."""
    for node in modules()[door].body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise LookupError(name)


def listed(door: str) -> list[str]:
    names = literal(door, "__all__")
    assert isinstance(names, list)
    return [str(name) for name in names]


def definitions(module: str) -> set[str]:
    """The names that a module defines itself, or lists if it is a door too."""
    found: set[str] = set(listed(module)) if module in ROOMS else set()
    for node in modules()[module].body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {ast.unparse(target) for target in node.targets}
        elif isinstance(node, ast.AnnAssign):
            found.add(ast.unparse(node.target))
    return found


@functools.cache
def uses() -> set[tuple[str, str, str]]:
    """Each use of a module's name in another module: who uses it, the module, and the name."""
    return {(user, *used) for user, tree in modules().items() for used in _uses_in(user, tree)}


def uses_of(door: str) -> set[str]:
    """The names that modules outside of a door get from it."""
    return {name for user, module, name in uses() if module == door and not f"{user}.".startswith(f"{door}.")}


def _uses_in(user: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    aliases: dict[str, str] = {f"importlib.import_module({door!r})": door for door in ROOMS}
    attributes: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            source = _source(user, node)
            for alias in node.names:
                aliases[alias.asname or alias.name] = f"{source}.{alias.name}"
                yield source, alias.name
        elif isinstance(node, ast.Import):
            aliases |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            attributes.append((ast.unparse(node.value), node.attr))
    yield from ((aliases[value], name) for value, name in attributes if value in aliases)


def _source(user: str, node: ast.ImportFrom) -> str:
    """The module that a statement imports from, seen from the module that it's in."""
    if not node.level:
        return node.module or ""
    is_package = any(other.startswith(f"{user}.") for other in modules())
    package = user.split(".") if is_package else user.split(".")[:-1]
    return ".".join([*package[: len(package) + 1 - node.level], *filter(None, [node.module])])


@pytest.mark.parametrize("door", LAZY)
def test_a_door_says_the_same_three_times(door: str):
    """To type checkers, to who loads a name, and to who asks for the list."""
    homes = literal(door, "_HOMES")
    assert isinstance(homes, dict)
    loaded = [(name, f"{door}.{home}") for home, names in homes.items() for name in names]
    assert len(loaded) == len(dict(loaded)), "a name has two homes"
    assert dict(loaded) == {name: home for name, home in imports_of(door).items() if name != "__version__"}
    modules_of_it = {name for name in listed(door) if f"{door}.{name}" in modules()}
    assert set(listed(door)) == {*dict(loaded), *modules_of_it, "__version__"}


@pytest.mark.parametrize("door", [*LAZY, *ROOMS])
def test_a_name_is_listed_under_the_module_that_defines_it(door: str):
    imported = imports_of(door)
    elsewhere = {f"{home}.{name}" for name, home in imported.items() if name not in definitions(home)}
    # The operators are a namespace, which lends them Python's names.
    assert {name for name in elsewhere if not name.startswith("graphwright.runtime.")} == set()


@pytest.mark.parametrize("door", ["graphwright_analysis", *ROOMS])
def test_nothing_is_listed_that_nobody_uses(door: str):
    assert set(listed(door)) - uses_of(door) - {"__version__"} == set()


def test_each_way_to_use_a_name_is_noticed():
    text = """
from graphwright_analysis.syntax import a
from .syntax import b
from graphwright_analysis import syntax
from . import syntax as trees
import graphwright_analysis.syntax as parsing
syntax.c, trees.d, parsing.e, importlib.import_module("graphwright_analysis.syntax").f, other.g
"""
    used = {name for module, name in _uses_in("graphwright_analysis.project", ast.parse(text)) if module in ROOMS}
    assert used == {*"abcdef"}
