"""Converts every function of published packages and looks for names that only the generated code, or the source, has.

    python tools/scan_generated_names.py [FOLDER_OR_FILE ...]

A name is wrong that nothing binds, and so is one that is bound or read on one side only; see `compare_names`.
Without folders it takes those packages that tests/corpus/converted.txt pins, fetched and unpacked as
`archives` does it, and STANDARD of Python's own library; nothing of them is installed or run. What it finds is a bug
of ours: the exit code is 1.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
from archives import ROOT, fetched, pins
from compare_names import different_names
from graphwright.errors import ConversionError
from graphwright.passes.unit import mangled
from graphwright.pipeline import FunctionSource, generate
from graphwright.sources import refusal_of
from graphwright_analysis.flow import build_cfg, build_scopes, reaching
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of, walk
from graphwright_analysis.syntax.tree import parse_source

PINS = ROOT / "tests/corpus/converted.txt"
STANDARD = ("argparse.py", "configparser.py", "difflib.py", "email", "json", "logging", "pathlib.py", "unittest")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    folders = options.folders or [fetched(name, digest) for name, digest in pins([], PINS)] + standard()
    warnings.simplefilter("ignore", SyntaxWarning)
    count = refused = 0
    found: list[str] = []
    for folder in folders:
        for file in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            for name, line, wrong in scanned(file.read_text("utf-8", "replace")):
                count += 1
                refused += wrong is None
                found += [f"{file.relative_to(folder.parent)}:{line} {name}: {each}" for each in wrong or ()]
    print(*found, sep="\n")
    print(f"{count:,} functions, {refused} refused: {len(found)} names that are wrong")
    return 1 if found else 0


def standard() -> list[Path]:
    """Modules and packages of Python's own library, to be converted as well."""
    return [Path(sysconfig.get_path("stdlib"), name) for name in STANDARD]


def scanned(text: str) -> Iterator[tuple[str, int, list[str] | None]]:
    """The functions of a module, each with what is wrong with its generated code; None if it has none."""
    try:
        module = parse_source(text)
    except Exception:
        return
    for node, class_name, around in functions_in(module, None, frozenset()):
        if refusal_of(node) is None:
            yield node.name, node.lineno, wrong_names(text, node, class_name, around)


def functions_in(
    statements: list[Any], class_name: str | None, around: frozenset[str]
) -> Iterator[tuple[Any, str | None, frozenset[str]]]:
    """The functions of a module and of its classes; what is defined inside them is converted with them."""
    for statement in statements:
        if isinstance(statement, FUNCTIONS):
            yield statement, class_name, around
        elif kind_of(statement) == "ClassDef":
            yield from functions_in(statement.body, statement.name, around)
        else:
            for block in ("body", "orelse", "finalbody"):
                yield from functions_in(getattr(statement, block, None) or [], class_name, around)


def wrong_names(text: str, node: Any, class_name: str | None, around: frozenset[str]) -> list[str] | None:
    """Names that only generated code or only its source has, or that are read before anything has set them."""
    try:
        generated = generate(FunctionSource(text, node, 1, "the file", class_name, around))
    except ConversionError:
        return None
    source = gast.gast_to_ast(node)
    source.decorator_list = []
    try:
        made: Any = parse_source(generated.text)[0]
        different = list(different_names(ast.unparse(source), generated.text, generated.alias, class_name))
    except Exception as error:
        return [f"the generated code isn't Python: {error}"]
    written = build_scopes(node)
    outside = build_scopes(made).of(made).free - written.of(node).free - {generated.alias}
    # `global` says where a name is, also to code that only sets or deletes it.
    outside -= {name for scope in written for name in scope.globals}
    outside -= _named_by_decorators(node)
    outside -= {mangled(class_name, name) for scope in build_scopes(made) for name in scope.bound}
    told = [f"`{name}` is taken for an outer name" for name in sorted(outside) if not hasattr(builtins, name)]
    unbound = unbound_reads(made, generated.text)
    return [*told, *different, *(f"`{name}` has no value in line {line}: {where}" for name, line, where in unbound)]


def _named_by_decorators(node: Any) -> set[str]:
    return {part.id for part in walk(*node.decorator_list) if kind_of(part) == "Name"}


def unbound_reads(function: Any, text: str) -> Iterator[tuple[str, int, str]]:
    """Where a function, or one in it, hands over to an operator a name that may have no value yet."""
    lines = text.splitlines()
    for part in walk(function):
        if not isinstance(part, FUNCTIONS):
            continue
        bound = build_scopes(part).of(part).bound
        flow = reaching(build_cfg(part))
        for statement in walk(*part.body):
            if not isinstance(statement, gast.stmt) or isinstance(statement, (*FUNCTIONS, gast.ClassDef)):
                continue
            for name in _arguments_of_operators(statement):
                if name in bound and flow.possibly_undefined(statement, name):
                    yield name, statement.lineno, lines[statement.lineno - 1].strip()


def _arguments_of_operators(statement: Any) -> set[str]:
    call = getattr(statement, "value", None)
    if kind_of(statement) not in ("Assign", "Return", "Expr") or kind_of(call) != "Call":
        return set()
    if kind_of(call.func) != "Attribute" or getattr(call.func.value, "id", "") not in ("gw", "graphwright"):
        return set()
    functions = {"if_": 3, "while_": 2, "for_": 2}.get(call.func.attr)
    return set() if functions is None else {part.id for part in call.args[functions:] if kind_of(part) == "Name"}


if __name__ == "__main__":
    sys.exit(main())
