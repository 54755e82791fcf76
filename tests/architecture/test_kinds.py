"""What a node is, `isinstance` or its class's name says: parsed nodes are of subclasses of gast's classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphwright_analysis.syntax.nodes import CLASSES

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "analysis/graphwright_analysis",
    "converter/graphwright",
    "server/graphwright_server",
    "tools",
    "benchmarks",
)
KINDS = frozenset(kind.__name__ for kind in CLASSES.values())


def exact_kinds(text: str) -> Iterator[int]:
    """The lines that look a class of gast's up in a table, or compare it with a node's."""
    for node in ast.walk(ast.parse(text)):
        sought: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            sought = node.keys
        elif isinstance(node, ast.Set):
            sought = list(node.elts)
        elif isinstance(node, ast.Compare):
            of_class = ast.unparse(node.left).startswith("type(") or ast.unparse(node.left).endswith(".__class__")
            sought = list(node.comparators) if of_class else []
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("frozenset", "set", "dict.fromkeys"):
            sought = [part for given in node.args for part in getattr(given, "elts", ())]
        for each in sought:
            if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "gast" and each.attr in KINDS:
                yield each.lineno


@pytest.mark.parametrize(
    "text",
    ["{gast.If: 1}", "{gast.If}", "type(x) is gast.Name", "frozenset((gast.If, gast.For))", "dict.fromkeys([gast.If])"],
)
def test_exact_kinds_are_seen(text: str):
    assert [*exact_kinds(text)] in ([1], [1, 1])


def test_no_code_asks_for_an_exact_kind():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in exact_kinds(path.read_text("utf-8"))
    ]
    assert found == []
