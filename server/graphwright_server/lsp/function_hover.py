"""What is said of a function where its name, `def` or decorator is hovered over: its graph code, and what is in it.

Whether that is worth saying is decided here, too: not of a function that no graph has to do with.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

import graphwright
import graphwright_analysis as analysis
from graphwright_analysis import immutable
from lsprotocol import types

from .documents import Document
from .locating import function_in

if TYPE_CHECKING:
    from graphwright.previews import FunctionHeader, Located, Preview

MOST_LINES = 25
"""How many lines of code a hover shows."""

MOST_CONSTRUCTS = 8
"""How many places of control flow a hover tells of."""

MOST_TRACES = 4
"""How many traces a hover tells of one by one."""


@immutable
class HoveredFunction:
    """A function whose header is hovered over, and the one that it is converted with, which may be itself."""

    header: FunctionHeader
    located: Located
    constructs: tuple[analysis.Construct, ...]
    traces: analysis.Traces | None
    lines: analysis.LineIndex


def function_hovered(project: analysis.Project, document: Document, offset: int) -> HoveredFunction | None:
    """The function whose header is at a place, if it is or may be part of a graph."""
    module = project.module(document.key)
    header = graphwright.previews.header_at(module, offset)
    located = function_in(project, document.key, offset) if header else None
    if header is None or located is None:
        return None
    constructs = analysis.constructs_in(project, document.key, located.range)
    if not constructs and not located.decorated:
        return None
    own = tuple(each for each in constructs if module.lines.line_of(each.offset) in header.lines)
    return HoveredFunction(
        header, located, own, analysis.traces_of(project, document.key, header.definition), document.lines
    )


def markdown(function: HoveredFunction, made: Preview, link: str | None) -> str:
    """What of the function is staged, and its graph code, cut where it is long; `link` opens the whole."""
    name = function.located.name
    if made.refused is not None:
        return f"**No graph code** of `{name}`: {made.refused.message}."
    text = _part(made, function.header.lines)
    shown = text if len(text) <= MOST_LINES + 2 else text[:MOST_LINES]
    title = f"**Graph code** of `{name}`, as Graphwright converts it"
    opening = f"[Open to the side]({link})" if link else ""
    parts = [*_decided(function), *_traced(function), f"{title} · {opening}" if opening else title]
    parts.append(analysis.markdown.block("\n".join(shown)))
    if len(shown) < len(text):
        parts.append(f"… {len(text) - len(shown)} more lines{f': {opening}' if opening else ''}")
    return "\n\n".join(parts)


def link_to_preview(uri: str, position: types.Position) -> str:
    """The command that opens a preview beside the source, as the target of a link."""
    arguments = json.dumps([uri, {"line": position.line, "character": position.character}], separators=(",", ":"))
    return f"command:graphwright.showPreview?{quote(arguments, safe='')}"


def _part(made: Preview, lines: range) -> list[str]:
    """The generated lines that come from these lines of the source."""
    own = [number for number, line in enumerate(made.lines) if line in lines]
    text = made.text.splitlines()
    return text[own[0] : own[-1] + 1] if own else text


def _decided(function: HoveredFunction) -> Iterable[str]:
    for words, who in (("In the graph", ("graph",)), ("Decided by Python", ("Python",)), ("Both", ("both",))):
        found = [each for each in function.constructs if each.decided_by in who]
        if found:
            yield f"**{words}:** {_listed(found, function.lines)}"


def _traced(function: HoveredFunction) -> Iterable[str]:
    """The traces that are counted, and those that the calls in the file cause."""
    made = function.traces.made if function.traces else ()
    if function.traces is not None and made:
        rows = [f"- {_trace(each, function.lines)}" for each in made[:MOST_TRACES]]
        rows += [f"- {len(made) - MOST_TRACES} more"] if len(made) > MOST_TRACES else []
        yield "\n".join([f"**{function.traces.count}**. The calls in this file:", "", *rows])


def _trace(made: analysis.TraceMade, lines: analysis.LineIndex) -> str:
    where = f" (line {lines.line_of(made.calls[0].start) + 1})" if made.calls else ""
    return f"{analysis.markdown.code(made.signature)}{where}{f': {made.cause}' if made.cause else ''}"


def _listed(constructs: Sequence[analysis.Construct], lines: analysis.LineIndex) -> str:
    places: dict[str, list[str]] = {}
    for each in constructs[:MOST_CONSTRUCTS]:
        places.setdefault(each.keyword, []).append(str(lines.line_of(each.offset) + 1))
    listed = [f"`{word}` (line{'s' if len(found) > 1 else ''} {', '.join(found)})" for word, found in places.items()]
    rest = len(constructs) - MOST_CONSTRUCTS
    return ", ".join([*listed, *([f"{rest} more"] if rest > 0 else [])])
