"""Calls of Python or NumPy replaced by their TensorFlow counterparts, and statements removed or moved."""

from __future__ import annotations

import ast
import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import OutsideCall

Edits = tuple[tuple[Place, str], ...]


def text_of(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]


def tf_print(call: OutsideCall, tensorflow: str) -> Edits | None:
    """`print(...)` as `tf.print(...)`, with f-strings taken apart into arguments."""
    if any(argument.name is not None for argument in call.arguments):
        return None
    texts = [text_of(argument.place) for argument in call.arguments]
    if not any(re.match(r"[fFrR]{1,2}['\"]", text) for text in texts):
        return ((call.function, f"{tensorflow}.print"),)
    pieces = _pieces(texts[0]) if len(texts) == 1 else None
    if pieces is None:
        return None
    return ((call.place, f"{tensorflow}.print({', '.join(pieces)}, sep='')"),)


def _pieces(text: str) -> list[str] | None:
    """The parts of an f-string, each as source."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.JoinedStr):
        return None
    pieces: list[str] = []
    for part in tree.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion != -1:
                return None
            pieces.append(ast.unparse(part.value))
        else:
            pieces.append(ast.unparse(part))
    return pieces


def with_argument(call: Place, argument: str) -> Edits | None:
    """A call with one more argument behind its last one."""
    text = text_of(call)
    inside = text[:-1].rstrip()
    if not text.endswith(")") or "#" in text:
        return None
    at = call.range.start + len(inside)
    return ((Place(call.block, Range(at, at)), f"{'' if inside.endswith(',') else ','} {argument}"),)


def without_statement(statement: Place) -> Edits | None:
    """The statement's lines taken out, where it stands alone on them at the file's left edge."""
    text, span = statement.block.text, statement.range
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    rest = text[span.end : len(text) if end < 0 else end]
    if start != span.start or (rest.strip() and not rest.lstrip().startswith("#")):
        return None
    return ((Place(statement.block, Range(start, len(text) if end < 0 else end + 1)), ""),)


def moved_out(statement: Place, hoist: Place | None) -> Edits | None:
    """A statement on lines of its own moved in front of the function that it stands in."""
    text, span = statement.block.text, statement.range
    if hoist is None or hoist.block is not statement.block:
        return None
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    rest = text[span.end : end].strip()
    if text[start : span.start].strip() or end < 0 or "\n" in text_of(statement) or (rest and not rest.startswith("#")):
        return None
    moved = text[span.start : end].rstrip()
    return ((hoist, f"{moved}\n\n"), (Place(statement.block, Range(start, end + 1)), ""))


def tensor_instead(call: OutsideCall, source: str, tensorflow: str) -> Edits | None:
    """The call replaced by one that gives a tensor, where what is around it takes a tensor as well."""
    text, span = call.place.block.text, call.place.range
    maker = f"{tensorflow}.constant("
    if text.endswith(maker, 0, span.start):
        start = span.start - len(maker)
        return (
            (Place(call.place.block, Range(start, span.start)), f"{tensorflow}.convert_to_tensor("),
            (call.place, source),
        )
    returned = text.startswith("return ", call.statement.range.start)
    if returned and not text[call.statement.range.start : span.start].rstrip().endswith("("):
        return ((call.place, source),)
    return None
