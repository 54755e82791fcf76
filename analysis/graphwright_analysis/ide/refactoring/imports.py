"""How a file spells TensorFlow or Graphwright, and the edit that imports what it lacks.

Only imports at the top level count, as far as they stand in front of the place that needs the name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import gast

from graphwright_analysis.diagnostics import Edit
from graphwright_analysis.syntax import Module
from graphwright_analysis.text import Range

from .functions import line_end

ALIASES = {"tensorflow": "tf", "graphwright": "gw"}
_SPELLINGS = {"tensorflow": ("tensorflow", "tensorflow.compat.v2"), "graphwright": ("graphwright",)}
_HEAD = re.compile(r"\ufeff?(?:[ \t\f]*#[^\r\n]*(?:\r\n?|\n))*")

Import = gast.Import | gast.ImportFrom


def spelling(module: Module, package: str, before: int) -> str | None:
    """The name that the package has in the file at an offset; None where it isn't imported as a whole."""
    found: str | None = None
    for statement, place in _imports(module):
        for alias in statement.names if isinstance(statement, gast.Import) and place.start < before else ():
            if alias.name in _SPELLINGS[package] and (alias.asname or alias.name == package):
                found = alias.asname or alias.name
    return found


def importing(module: Module, package: str, before: int) -> tuple[str, tuple[Edit, ...]] | None:
    """The package's name at an offset and the edits that it takes; None where its usual name means something else."""
    name = spelling(module, package, before)
    if name is not None:
        return name, ()
    alias = ALIASES[package]
    if _is_taken(module, alias):
        return None
    code, end = f"import {package} as {alias}", line_end(module.text)
    at, behind = _place(module, package, before)
    return alias, (Edit(Range(at, at), f"{end}{code}" if behind else f"{code}{end}"),)


def _is_taken(module: Module, alias: str) -> bool:
    return any(
        (isinstance(node, gast.Name) and node.id == alias and not isinstance(node.ctx, gast.Load))
        or (isinstance(node, gast.alias) and (node.asname or node.name) == alias)
        or (isinstance(node, (gast.FunctionDef, gast.ClassDef)) and node.name == alias)
        for block in module.blocks
        if re.search(rf"\b{alias}\b", block.text)
        for statement in block.statements
        for node in gast.walk(statement)
    )


def _place(module: Module, package: str, before: int) -> tuple[int, bool]:
    """Where an import goes: in front of the line there, or after what ends there."""
    found = [(statement, place) for statement, place in _imports(module) if place.start < before]
    tops = [pair for pair in found if _owns_its_line(module, pair[1])]
    plain = [pair for pair in tops if not _is_future(pair[0])]
    tensorflow = [number for number, (each, _) in enumerate(plain) if _root(each) == "tensorflow"]
    if tensorflow:
        number = tensorflow[0]
        while number and _goes_before(module, package, plain[number - 1], plain[number]):
            number -= 1
        return plain[number][1].start, False
    if tops:
        return tops[-1][1].end, True
    return _behind_the_docstring(module, before)


def _goes_before(module: Module, package: str, one: tuple[Import, Range], other: tuple[Import, Range]) -> bool:
    """Whether the import goes in front of `one`, as it goes in front of `other`, which stands right after."""
    adjacent = module.lines.line_of(one[1].end) + 1 == module.lines.line_of(other[1].start)
    return adjacent and _root(one[0]) > package and _root(one[0]) not in sys.stdlib_module_names


def _behind_the_docstring(module: Module, before: int) -> tuple[int, bool]:
    for block in module.blocks:
        first = block.statements[0] if block.statements else None
        value = first.value if isinstance(first, gast.Expr) else None
        if first is not None and isinstance(value, gast.Constant) and isinstance(value.value, str):
            place = module.range_of(block, first)
            return (place.end, True) if _owns_its_line(module, place) and place.end < before else (place.start, False)
        if first is not None:
            break
    head = _HEAD.match(module.text)
    return head.end() if head else 0, False


def _owns_its_line(module: Module, place: Range) -> bool:
    lines = module.lines
    return (
        lines.starts[lines.line_of(place.start)] == place.start
        and not module.text[place.end : lines.line_range(lines.line_of(place.end)).end].strip()
    )


def _is_future(statement: Import) -> bool:
    return isinstance(statement, gast.ImportFrom) and statement.module == "__future__"


def _root(statement: Import) -> str:
    if isinstance(statement, gast.ImportFrom):
        return "." if statement.level else (statement.module or "").partition(".")[0]
    return statement.names[0].name.partition(".")[0]


def _imports(module: Module) -> Iterator[tuple[Import, Range]]:
    """The imports at the top level, those under `try` and `if` among them."""
    for block in module.blocks:
        if "import" not in block.text:
            continue
        pending: list[gast.AST] = [*reversed(block.statements)]
        while pending:
            node = pending.pop()
            if isinstance(node, (gast.Import, gast.ImportFrom)):
                yield node, module.range_of(block, node)
            elif isinstance(node, (gast.Try, gast.If, gast.ExceptHandler)):
                pending += reversed([*gast.iter_child_nodes(node)])
