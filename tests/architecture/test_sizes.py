"""How long modules and functions may be; what is longer is listed with its length, and may only get shorter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("analysis/graphwright_analysis", "converter/graphwright", "server/graphwright_server")

MODULE, FUNCTION = 400, 40
IN = {"rules": 120, "passes": 250}
"""Rules with their pages, and passes, have limits of their own."""

LONG_MODULES = {
    "graphwright/passes/facts.py": 264,
    "graphwright/passes/patterns.py": 261,
    "graphwright_analysis/rules/condition_not_bool_scalar.py": 132,
    "graphwright_analysis/rules/input_signature_mismatch.py": 140,
    "graphwright_analysis/syntax/blocks.py": 419,
    "graphwright_analysis/values/domain.py": 425,
}
LONG_FUNCTIONS = {
    "graphwright_server/lsp/client.py: client_of": 41,
}


def long_modules() -> dict[str, int]:
    """Modules beyond their limit, with their lines; named by the package's folder they are in, at any depth."""
    found: dict[str, int] = {}
    for name, kind, text in _modules():
        length = text.count("\n")
        if length > IN.get(kind, MODULE):
            found[name] = max(length, found.get(name, 0))
    return found


def long_functions() -> dict[str, int]:
    """Functions beyond their limit, by module and name, with their lines."""
    found: dict[str, int] = {}
    for name, _, text in _modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno is not None
                length = node.end_lineno - node.lineno + 1
                if length > FUNCTION:
                    key = f"{name}: {node.name}"
                    found[key] = max(length, found.get(key, 0))
    return found


@pytest.mark.parametrize(("found", "listed"), [(long_modules, LONG_MODULES), (long_functions, LONG_FUNCTIONS)])
def test_nothing_gets_longer(found: Callable[[], dict[str, int]], listed: dict[str, int]):
    now = found()
    longer = {name: length for name, length in now.items() if length > listed.get(name, 0)}
    assert longer == {}, "too long: look for the missing idea"
    shorter = {name: now.get(name, "short enough") for name, length in listed.items() if length > now.get(name, 0)}
    assert shorter == {}, "shorter than listed: put that into the list, so that it stays"


def _modules() -> Iterator[tuple[str, str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            *folders, file = path.relative_to(ROOT / package).parts
            kind = folders[0] if folders else ""
            name = "/".join([Path(package).name, *folders[:1], file])
            yield name, kind, path.read_text("utf-8")
