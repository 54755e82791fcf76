"""Lines of ejected code that got too long: each argument of the call that they end with gets a line of its own.

Before:

    lambda index, returned, result: tf.logical_and(tf.logical_not(returned), index < tf.minimum(xs.shape[0], limit)),

After:

    lambda index, returned, result: tf.logical_and(
        tf.logical_not(returned),
        index < tf.minimum(xs.shape[0], limit),
    ),

Where several names are assigned at once, each gets a line. What the user has written on one line stays on one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from graphwright.pipeline import Generated

_WIDTH = 110
_SHORT = 28


def wrapped(generated: Generated, source: str) -> Generated:
    """The same code without lines that are too long and that aren't the user's."""
    known = {line.strip() for line in source.splitlines()}
    pieces: list[tuple[str, int]] = []
    for line, number in zip(generated.text.splitlines(), generated.lines, strict=False):
        pieces += [(line, number)] if line.strip() in known else [(part, number) for part in _parts_of(line)]
    text = "\n".join(line for line, _ in pieces) + "\n"
    return replace(generated, text=text, lines=tuple(number for _, number in pieces))


def _parts_of(line: str) -> list[str]:
    """A line as several, if it is too long and ends with a call or display."""
    body = line.strip()
    if len(line) <= _WIDTH or not line.isascii() or "#" in body:
        return [line]
    indent, tail = line[: len(line) - len(line.lstrip())], "," if body.endswith(",") else ""
    body = body.removesuffix(",")
    try:
        tree = ast.parse(body)
    except SyntaxError:
        return [line]
    if (pairs := _pairs(tree)) is not None:
        texts = [ast.get_source_segment(body, each) or "" for each in pairs[1]]
        return [
            part for name, text in zip(pairs[0], texts, strict=True) for part in _parts_of(f"{indent}{name} = {text}")
        ]
    if (returned := _bare_tuple(tree)) is not None:
        body = f"return ({ast.get_source_segment(body, returned)})"
        tree = ast.parse(body)
    node = next((each for each in ast.walk(tree) if _ends(each, len(body)) and _elements(each)), None)
    if node is None:
        return [line]
    end, elements = len(body) - 1, _elements(node)
    while len(elements) == 1 and isinstance(elements[0], ast.List) and _ends(elements[0], end) and elements[0].elts:
        node, end, elements = elements[0], end - 1, [*elements[0].elts]
    start, segments = _segments(body, node, elements, end)
    inner = [part for each in segments for part in _parts_of(f"{indent}    {each},")]
    if not isinstance(node, ast.Call) and all(len(each) < _SHORT for each in segments):
        inner = _packed(segments, f"{indent}    ")
    found = [indent + body[:start], *inner, indent + body[end:]]
    return [*found[:-1], found[-1] + tail] if _is_same(tree, "".join(found)) else [line]


def _bare_tuple(tree: ast.Module) -> ast.Tuple | None:
    """The tuple without brackets that a line returns; None for any other line."""
    match tree.body:
        case [ast.Return(value=ast.Tuple(elts=[first, *_]) as returned)] if first.col_offset == returned.col_offset:
            return returned
        case _:
            return None


def _packed(segments: Sequence[str], indent: str) -> list[str]:
    """Short elements, as many on each line as fit."""
    lines = [indent + segments[0] + ","]
    for each in segments[1:]:
        if len(lines[-1]) + len(each) + 2 < _WIDTH - 10:
            lines[-1] += f" {each},"
        else:
            lines.append(f"{indent}{each},")
    return lines


def _pairs(tree: ast.Module) -> tuple[list[str], list[ast.expr]] | None:
    """The names of an assignment like `a, b = [], f(x)` and their values, if none of these reads such a name."""
    match tree.body:
        case [ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values))]:
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            read = {part.id for each in values for part in ast.walk(each) if isinstance(part, ast.Name)}
            is_plain = len(names) == len(targets) == len(values) and not read & {*names}
            return (names, values) if is_plain else None
        case _:
            return None


def _ends(node: ast.AST, end: int) -> bool:
    return getattr(node, "end_col_offset", 0) == end


def _is_same(tree: ast.Module, text: str) -> bool:
    try:
        return ast.dump(ast.parse(text.strip())) == ast.dump(tree)
    except SyntaxError:
        return False


def _elements(node: ast.AST) -> list[ast.expr | ast.keyword]:
    if isinstance(node, ast.Call):
        elements = [*node.args, *node.keywords]
        return [] if any(isinstance(each, ast.GeneratorExp) for each in elements) else elements
    if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
        return []
    # A tuple without brackets begins where its first element does.
    return [*node.elts] if node.elts[0].col_offset > node.col_offset else []


def _segments(body: str, node: ast.AST, elements: Sequence[ast.expr | ast.keyword], end: int) -> tuple[int, list[str]]:
    """Where the bracket ends that opens the elements, and the text of each."""
    start = 1 + int(getattr(node, "col_offset", 0))
    if isinstance(node, ast.Call):
        start = body.index("(", node.func.end_col_offset or 0) + 1
    ends = [body.index(",", each.end_col_offset or 0) for each in elements[:-1]]
    bounds = list(zip([start, *(end + 1 for end in ends)], [*ends, end], strict=True))
    return start, [body[first:last].strip().removesuffix(",") for first, last in bounds]
