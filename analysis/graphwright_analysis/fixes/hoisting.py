"""Moving a definition out of the loop that it stands in."""

from __future__ import annotations

import ast
import re
import textwrap

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import FunctionMade

from .parsed import names, parsed, stored

_NAME = re.compile(r"[^\W\d]\w*")


def out_of_loop(made: FunctionMade) -> tuple[tuple[Place, str], ...] | None:
    """Edits that move a decorated `def` in front of its loop, or None where it uses what the loop binds."""
    loop, statement = made.loop, made.statement
    if loop is None or loop.block is not statement.block:
        return None
    if not loop.range.start < statement.range.start < statement.range.end <= loop.range.end:
        return None
    text = statement.block.text
    line_above = text[: text.rfind("\n", 0, made.place.range.start) + 1].rstrip("\n").rpartition("\n")[2]
    if line_above.lstrip().startswith("@"):
        return None
    start, end = _whole_lines(text, made.place.range.start, statement.range.end)
    definition = textwrap.dedent(text[start:end])
    loop_line = text.rfind("\n", 0, loop.range.start) + 1
    indent = text[loop_line : loop.range.start]
    if indent.strip() or bound_in(text[loop.range.start : start] + text[end : loop.range.end]) & names_in(definition):
        return None
    if not (text[loop.range.start : start] + text[end : loop.range.end]).strip():
        return None
    moved = textwrap.indent(definition.rstrip() + "\n\n", indent, lambda line: bool(line.strip()))
    block = statement.block
    return (
        (Place(block, Range(loop_line, loop_line)), moved),
        (Place(block, Range(start, end)), ""),
    )


def assignment_out_of_loop(made: FunctionMade) -> tuple[tuple[Place, str], ...] | None:
    """Edits that move `name = tf.function(...)` in front of its loop, or None where it uses what the loop binds."""
    loop, tree = made.loop, parsed(made.place)
    node = None if tree is None else tree.at(made.place)
    statement = None if tree is None or node is None else tree.parents.get(node)
    if tree is None or loop is None or loop.block is not made.place.block or not isinstance(statement, ast.Assign):
        return None
    around, span = tree.parents.get(statement), tree.span(statement)
    if not isinstance(around, (ast.For, ast.While)) or tree.span(around) != loop.range or len(around.body) < 2:
        return None
    if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return None
    rest = [around.target] if isinstance(around, ast.For) else []
    bound = {name for each in (*rest, *around.body) if each is not statement for name in stored(each)}
    bound |= {each.name for each in ast.walk(around) if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
    used = names(statement) | {argument.id for argument in statement.targets if isinstance(argument, ast.Name)}
    start, end = _whole_lines(tree.text, span.start, span.end)
    line = tree.text.rfind("\n", 0, loop.range.start) + 1
    indent, moved = tree.text[line : loop.range.start], tree.text[start : tree.text.find("\n", span.end)].strip()
    if bound & used or indent.strip() or "\n" in moved or tree.text[start : span.start].strip() or ";" in moved:
        return None
    block = made.place.block
    return (Place(block, Range(line, line)), f"{indent}{moved}\n"), (Place(block, Range(start, end)), "")


def header(loop: Place) -> Place:
    """The line that a loop begins with."""
    end = loop.block.text.find("\n", loop.range.start, loop.range.end)
    return loop if end < 0 else Place(loop.block, Range(loop.range.start, end))


def _whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    while text[stop : stop + 1] == "\n":
        stop += 1
    return begin, stop


def bound_in(code: str) -> set[str]:
    """The names that stand left of an assignment, after `for`, `as`, `def`... in a piece of source."""
    found: set[str] = set()
    for line in code.splitlines():
        head = re.match(r"\s*(?:async\s+)?(?:for\s+(.*?)\s+in\b|([^=#]*?)[-+*/]?=[^=])", line)
        if head:
            found |= names_in(head.group(1) or head.group(2) or "")
        found |= {match.group(1) for match in re.finditer(r"\b(?:as|def|class|import)\s+(\w+)", line)}
        found |= {match.group(1) for match in re.finditer(r"(\w+)\s*:=", line)}
    return found


def names_in(code: str) -> set[str]:
    return set(_NAME.findall(code))


def without_decorator(decorator: Place) -> tuple[tuple[Place, str], ...] | None:
    """An edit that takes a decorator's line away, or None where more stands on it."""
    text = decorator.block.text
    start = text.rfind("\n", 0, decorator.range.start) + 1
    end = text.find("\n", decorator.range.end)
    behind = text[decorator.range.end : end].strip()
    if end < 0 or text[start : decorator.range.start].strip() != "@" or (behind and not behind.startswith("#")):
        return None
    return ((Place(decorator.block, Range(start, end + 1)), ""),)
