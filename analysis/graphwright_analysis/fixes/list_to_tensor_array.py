"""A list that is filled in a staged loop, rewritten as a `tf.TensorArray`."""

from __future__ import annotations

import ast
import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ListChanged
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.values.domain import dtype_of

Edit = tuple[Place, str]


def rewrite(change: ListChanged, tensorflow: str | None) -> tuple[Edit, ...] | None:
    """The edits, or None unless every use of the list's name is its making, one addition, or a tensor made of it."""
    created, name, dtype = change.created, change.symbol, dtype_of(change.element)
    if created is None or name is None or dtype is None or tensorflow is None:
        return None
    # What grows in code that XLA compiles comes out empty.
    if change.compiled or change.construct_kind is not ConstructKind.LOOP or created.block is not change.place.block:
        return None
    block, text = created.block, created.block.text
    if text[created.range.start : created.range.end] != "[]":
        return None
    start, end = _function_around(text, created.range.start)
    added = _added(change, name)
    tensors = list(_tensors(text[start:end], name, tensorflow))
    uses = len(re.findall(rf"(?<![\w.]){name}\b", text[start:end]))
    if added is None or not tensors or uses != 2 + len(tensors):
        return None
    made = f"{tensorflow}.TensorArray({tensorflow}.{dtype}, size=0, dynamic_size=True)"
    return (
        (created, made),
        added,
        *((Place(block, Range(start + span.start, start + span.end)), code) for span, code in tensors),
    )


def _added(change: ListChanged, name: str) -> Edit | None:
    """`append(x)`, `extend([x, y])` or `+= [x, y]` as writes."""
    block, place = change.place.block, change.place
    text = block.text
    line = text.rfind("\n", 0, place.range.start) + 1
    source = text[place.range.start : place.range.end]
    if "\n" in source:
        return None
    call = re.fullmatch(rf"{name}\.(append|extend)\((.*)\)", source)
    joined = re.match(rf"{name}\s*\+=\s*(\[[^\n]*\])[ \t]*(?=#|\n|$)", text[place.range.start :])
    if call is not None and call.group(1) == "append":
        given, at = [call.group(2)], place
    elif call is not None:
        given, at = _elements(call.group(2)), place
    elif joined is not None:
        given = _elements(joined.group(1))
        at = Place(block, Range(place.range.start, place.range.start + joined.end(1)))
    else:
        return None
    indent = text[line : place.range.start]
    if not given or (len(given) > 1 and indent.strip()):
        return None
    return at, f"\n{indent}".join(f"{name} = {name}.write({name}.size(), {element})" for element in given)


def _elements(source: str) -> list[str]:
    """The elements of a list display."""
    try:
        node = ast.parse(source, mode="eval").body
    except SyntaxError:
        return []
    if not isinstance(node, ast.List) or any(isinstance(element, ast.Starred) for element in node.elts):
        return []
    return [ast.get_source_segment(source, element) or "" for element in node.elts]


def _tensors(text: str, name: str, tensorflow: str) -> list[tuple[Range, str]]:
    """What makes a tensor of the whole list, and the same of a TensorArray."""
    module, found = re.escape(tensorflow), list[tuple[Range, str]]()
    along_first = r"(?:\s*,\s*(?:axis\s*=\s*)?0)"
    ways = (
        (rf"{module}\.stack\(\s*{name}{along_first}?\s*\)", f"{name}.stack()"),
        (rf"{module}\.convert_to_tensor\(\s*{name}\s*\)", f"{name}.stack()"),
        (rf"{module}\.concat\(\s*{name}{along_first}\s*\)", f"{name}.concat()"),
        (rf"{module}\.add_n\(\s*{name}\s*\)", f"{tensorflow}.reduce_sum({name}.stack(), axis=0)"),
    )
    for pattern, code in ways:
        found += [(Range(match.start(), match.end()), code) for match in re.finditer(pattern, text)]
    reduced = rf"{module}\.(?:math\.)?reduce_(?:sum|mean|max|min|prod|any|all)\(\s*({name})(?=\s*[,)])"
    found += [(Range(match.start(1), match.end(1)), f"{name}.stack()") for match in re.finditer(reduced, text)]
    return found


def _function_around(text: str, offset: int) -> tuple[int, int]:
    """The lines of the innermost `def` around an offset."""
    line = text.rfind("\n", 0, offset) + 1
    indent = len(text[line:offset]) - len(text[line:offset].lstrip())
    starts = [m for m in re.finditer(r"^([ \t]*)(?:async\s+)?def\b", text[:line], re.M) if len(m.group(1)) < indent]
    if not starts:
        return 0, len(text)
    head = starts[-1]
    following = re.compile(rf"^[ \t]{{0,{len(head.group(1))}}}\S", re.M).search(text, line)
    return head.start(), following.start() if following else len(text)
