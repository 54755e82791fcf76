"""Python source as HTML with its tokens marked. Text that doesn't parse is shown as far as it does."""

from __future__ import annotations

import contextlib
import io
import keyword
import tokenize
from collections.abc import Iterator
from html import escape

_KINDS = {tokenize.STRING: "string", tokenize.NUMBER: "number", tokenize.COMMENT: "comment"}
_STRINGS = {"FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"}


def highlighted(source: str) -> list[str]:
    """The lines of a file as HTML."""
    lines = source.splitlines()
    marks: dict[int, list[tuple[int, int, str]]] = {}
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
        for first, start, last, end, kind in _marked(source):
            for line in range(first, last + 1):
                begin = start if line == first else 0
                stop = end if line == last else len(lines[line - 1])
                marks.setdefault(line, []).append((begin, stop, kind))
    return [_line(text, marks.get(number, [])) for number, text in enumerate(lines, 1)]


def _marked(source: str) -> Iterator[tuple[int, int, int, int, str]]:
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = _KINDS.get(token.type, "")
        if tokenize.tok_name[token.type] in _STRINGS:
            kind = "string"
        elif token.type == tokenize.NAME:
            kind = "keyword" if keyword.iskeyword(token.string) else "name" if before in ("def", "class") else ""
        elif token.string == "@" and token.line.lstrip().startswith("@"):
            kind = "keyword"
        if kind:
            yield (*token.start, *token.end, kind)
        before = token.string


def _line(text: str, marks: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for begin, stop, kind in marks:
        if begin >= at:
            parts += [escape(text[at:begin]), f'<span class="{kind}">{escape(text[begin:stop])}</span>']
            at = stop
    return "".join([*parts, escape(text[at:])])
