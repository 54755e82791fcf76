"""Inside the rooms of `tracing`: no circles but where Python is evaluated, and one way to the evaluator.

Which room may know which is an import contract in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

# What the modules are parsed to is remembered in one process.
pytestmark = pytest.mark.xdist_group("rooms")

TRACING = Path(__file__).resolve().parents[2] / "analysis" / "graphwright_analysis" / "tracing"
NAME = "graphwright_analysis.tracing"
RECURSIVE = f"{NAME}.python"
"""The room in which modules may need each other."""


@functools.cache
def modules() -> dict[str, ast.Module]:
    found: dict[str, ast.Module] = {}
    for path in sorted(TRACING.rglob("*.py")):
        name = ".".join((NAME, *path.relative_to(TRACING).with_suffix("").parts)).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imported(name: str, tree: ast.Module, known: Mapping[str, object]) -> Iterator[str]:
    """What a module loads, wherever it does so; what it imports for type checkers alone is never loaded."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        if isinstance(node, ast.ImportFrom):
            package = name if any(other.startswith(f"{name}.") for other in known) else name.rpartition(".")[0]
            base = ".".join((*package.split(".")[: len(package.split(".")) + 1 - node.level], node.module or ""))
            base = (node.module or "") if not node.level else base.rstrip(".")
            for alias in node.names:
                full = f"{base}.{alias.name}"
                if full in known or base in known:
                    yield full if full in known else base
        pending += ast.iter_child_nodes(node)


def circle(needs: Mapping[str, set[str]]) -> list[str]:
    """Modules each of which needs the next, and the last the first; empty where there are none."""
    done: set[str] = set()

    def through(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        for other in sorted(needs.get(name, ())):
            if found := through(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(needs) if (found := through(name, []))), [])


def needs_of(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    return {name: set(imported(name, tree, trees)) - {name} for name, tree in trees.items()}


def test_outside_of_the_recursive_room_no_module_needs_itself():
    needs = needs_of(modules())
    assert len(needs) > 90
    assert sum(map(len, needs.values())) > 300
    outside = {name: others for name, others in needs.items() if not name.startswith(RECURSIVE)}
    assert circle(outside) == []


def test_a_circle_is_found_even_inside_of_functions():
    trees = {
        f"{NAME}.a": ast.parse("from . import b"),
        f"{NAME}.b": ast.parse(f"def f():\n    import {NAME}.c"),
        f"{NAME}.c": ast.parse(f"from {NAME}.a import x"),
    }
    assert sorted(circle(needs_of(trees))) == sorted(trees)
    trees[f"{NAME}.c"] = ast.parse(f"if TYPE_CHECKING:\n    from {NAME}.a import x")
    assert circle(needs_of(trees)) == []


def test_no_import_hides_in_a_function():
    hidden = [
        f"{name}: {ast.unparse(node)}"
        for name, tree in modules().items()
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert hidden == []


@pytest.mark.parametrize("room", ["facts", "machine", "reading", "noting"])
def test_what_only_reads_and_notes_evaluates_nothing(room: str):
    asking = [
        f"{name}:{node.lineno}"
        for name, tree in modules().items()
        if name.startswith(f"{NAME}.{room}")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "interpreter"
    ]
    assert asking == []
