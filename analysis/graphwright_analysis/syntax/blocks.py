"""Cuts a file into logical lines and top-level blocks, whatever state its text is in.

Nothing here parses: it knows strings, comments, brackets and indentation, and of keywords only what tells
where a statement must have begun.

Both cuts look forward only: what is cut from a place on depends on the text from there on and on nothing in
front of it, so a cut may be taken up again at any boundary.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class LogicalLine(NamedTuple):
    """One statement or header as far as brackets, strings and backslashes carry it."""

    start: int  # of its first physical line
    code: int  # of its first character that isn't blank
    end: int  # after its line end
    width: int  # of its indentation, tabs to the next multiple of eight
    reach: int  # how far the text was looked at to find the end


class BlockCut(NamedTuple):
    """Where a top-level block begins and ends, and its logical lines."""

    start: int
    end: int
    reach: int
    lines: tuple[LogicalLine, ...]


class KnownLines(NamedTuple):
    """Logical lines of an earlier text that are those of a text: some at its front, and those from each of some
    places on."""

    front: tuple[LogicalLine, ...] = ()
    back: Mapping[int, int] = {}
    """Where a line begins, with its place among the lines after the change."""
    behind: tuple[LogicalLine, ...] = ()


def cut(text: str, start: int = 0, known: KnownLines | None = None) -> Iterator[BlockCut]:
    """The top-level blocks from `start` on, which is 0 or an earlier cut's end; together they are all the text."""
    block_start = start
    opener, reach, behind = "", start, start
    lines: list[LogicalLine] = []
    for line in logical_lines(text, start, known):
        if line.width == 0 and opener and not _continues(opener, text, line):
            boundary = _first_comment(text, behind, line.start)
            yield BlockCut(block_start, boundary, max(reach, line.end), tuple(lines))
            block_start, reach, opener, lines = boundary, boundary, "", []
        if opener in ("", "@"):
            opener = first_word(text, line.code) or "?"
        reach, behind = max(reach, line.reach), line.end
        lines.append(line)
    if block_start < len(text) or start == len(text) == 0:
        yield BlockCut(block_start, len(text), len(text) + 1, tuple(lines))


def logical_lines(text: str, start: int = 0, known: KnownLines | None = None) -> Iterator[LogicalLine]:
    """The lines that hold code, from a line's beginning on; blank lines, comments, conflict markers are left out."""
    scan = _Scan(text)
    position, length = start, len(text)
    if known is not None and known.front:
        yield from known.front
        position = known.front[-1].end
    while position < length:
        at = known.back.get(position) if known is not None else None
        if known is not None and at is not None:
            yield from known.behind[at:]
            position = known.behind[-1].end
            continue
        lead = _LEAD.match(text, position)
        assert lead is not None
        if lead.lastgroup == "empty":
            position = lead.end()
            continue
        code = lead.end()
        width = indentation_width(lead.group())
        end, reach = _line_end(scan, code, width)
        yield LogicalLine(position, code, end, width, reach)
        position = end


def tokens(text: str, start: int, end: int, brackets: bool = True) -> Iterator[tuple[str, int, int]]:
    """The strings, comments, brackets and line ends of a stretch: first character (of a string its quote), span."""
    pattern = TOKEN if brackets else _SAID
    scan = _Scan(text)
    position = start
    while match := pattern.search(text, position, end):
        begin, position = match.span()
        kind = text[begin]
        if kind in "'\"":
            position = min(_string_end(scan, begin, position), end)
        yield kind, begin, max(position, begin + 1)


def indentation_width(blank: str) -> int:
    """The column that leading blanks lead to, as Python counts it: a form feed begins again."""
    blank = blank.rpartition("\f")[2].lstrip("\ufeff")
    return len(blank) if "\t" not in blank else len(blank.expandtabs(8))


def is_closed(text: str, quote_at: int, end: int) -> bool:
    """Whether the string token from its opening quote to `end` has its closing quote."""
    quote = text[quote_at]
    if text.startswith(quote * 3, quote_at):
        return end - quote_at >= 6 and text.endswith(quote * 3, quote_at + 3, end)
    if end - quote_at < 2 or text[end - 1] != quote:
        return False
    backslashes = end - 1 - len(text[quote_at + 1 : end - 1].rstrip("\\")) - quote_at - 1
    return backslashes % 2 == 0


# One alternative per first character, so that the search skips to the next of them at the speed of C.
_SAID = re.compile(
    r"\#[^\r\n]*"
    r'|"(?:""|[^"\\\r\n]*(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*)*"?)'
    r"|'(?:''|[^'\\\r\n]*(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*)*'?)"
)
TOKEN = re.compile(_SAID.pattern + r"|\(|\)|\[|\]|\{|\}|\\(?:\r\n?|\n)|\r\n?|\n")
CONFLICT_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)[^\r\n]*")
_LEAD = re.compile(
    r"(?P<empty>\ufeff?[ \t\f]*(?:\#[^\r\n]*)?(?:\r\n?|\n|\Z)"
    r"|(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)[^\r\n]*(?:\r\n?|\n|\Z))"
    r"|\ufeff?[ \t\f]*"
)
# Beginnings of lines that cannot go on an expression: an open bracket ends in front of them.
_STATEMENT = re.compile(
    r"[ \t\f]*(?:"
    r"(?:def|class)[ \t]+\w|async[ \t]+(?:def|with)\b|import[ \t]+\w|from[ \t]+[.\w]+[ \t]+import\b"
    r"|(?:with|while|try|return|raise|del|global|nonlocal|pass|break|continue|assert|except|finally|elif)\b"
    r"|@[ \t]*[A-Za-z_][\w.]*(?:\([^\r\n]*\))?[ \t]*(?:\r\n?|\n)[ \t\f]*(?:@|(?:async[ \t]+def|def|class)[ \t])"
    r")"
)
# After a backslash `import`, `from` and soft beginnings may well go on.
_STATEMENT_BEHIND_BACKSLASH = re.compile(
    r"[ \t\f]*(?:(?:def|class)[ \t]+\w|(?:with|while|try|return|del|global|nonlocal|pass|break|continue)\b)"
)
_HEADER_IN_STRING = re.compile(
    r"[\r\n]([ \t]*)(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:]|@[A-Za-z_])"
)
_HEADER_WORD = re.compile(r"(?:async[ \t]+)?(?:if|elif|else|for|while|with|try|except|finally|def|class|match|case)\b")
_WORD = re.compile(r"(?:async[ \t]+)?(?:\w+|@)")
_STRING_OR_COMMENT = re.compile(r"\#[^\r\n]*|\"|'")
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_CLAUSES = {
    "if": ("elif", "else"),
    "for": ("else",),
    "while": ("else",),
    "try": ("except", "else", "finally"),
}
_DECORATED = ("@", "def", "class", "async def")
_MULTI_LINE_FIELDS = sys.version_info >= (3, 12)


@dataclass(slots=True)
class _Scan:
    """What one run over a text has found out about what lies ahead; every entry follows from the text alone."""

    text: str
    unclosed: set[int] = field(default_factory=lambda: set[int]())
    unclosed_until: int = 0
    odd_quotes: bool | None = None
    doubtful: dict[int, int] = field(default_factory=lambda: dict[int, int]())


def _continues(opener: str, text: str, line: LogicalLine) -> bool:
    word = first_word(text, line.code)
    return word in (_DECORATED if opener == "@" else clauses_of(opener))


def first_word(text: str, position: int) -> str:
    """The keyword, name or `@` at a place; `async` comes with what it qualifies."""
    match = _WORD.match(text, position)
    return " ".join(match.group().split()) if match else ""


def clauses_of(opener: str) -> tuple[str, ...]:
    """The clauses that may follow the body of a compound statement."""
    return _CLAUSES.get(opener.removeprefix("async "), ())


def _first_comment(text: str, start: int, end: int) -> int:
    """Where the next block begins: at the first comment at the margin in front of its first line of code."""
    position = start
    while position < end:
        if text[position] == "#":
            return position
        match = _PHYSICAL_LINE.match(text, position)
        assert match is not None
        position = match.end()
    return end


_PHYSICAL_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


def _line_end(scan: _Scan, code: int, width: int) -> tuple[int, int]:
    """The end of the logical line that begins at `code`, and how far one had to look."""
    end, reach, unclosed = _closed_line_end(scan, code)
    if not unclosed:
        return end, reach
    return _unclosed_line_end(scan, code, width), max(reach, scan.unclosed_until)


def _closed_line_end(scan: _Scan, code: int) -> tuple[int, int, bool]:
    """The end if every bracket is closed; else the open brackets are noted, for lines further on too."""
    text, length = scan.text, len(scan.text)
    opened: list[int] = []
    position, reach = code, code
    while match := TOKEN.search(text, position):
        begin, position = match.span()
        kind = text[begin]
        if kind in "'\"":
            position = _string_end(scan, begin, position)
            if begin in scan.doubtful:
                reach = length + 1
        elif kind in "([{":
            if begin in scan.unclosed:
                return begin, reach, True
            opened.append(begin)
        elif kind in ")]}":
            if opened and _CLOSER[text[opened[-1]]] == kind:
                opened.pop()
        elif kind == "\\":
            if _STATEMENT_BEHIND_BACKSLASH.match(text, position) and not opened:
                return position, max(reach, position + 16), False
        elif kind in "\r\n":
            if not opened:
                return position, max(reach, position + 1), False
            if statement := _STATEMENT.match(text, position):
                reach = max(reach, statement.end() + 1)
                break
    else:
        position, reach = length, length + 1
    if opened:
        scan.unclosed.update(opened)
        scan.unclosed_until = max(reach, scan.unclosed_until)
        return position, reach, True
    return position, reach, False


def _unclosed_line_end(scan: _Scan, code: int, width: int) -> int:
    """The end of a line with a bracket that is never closed.

    It goes on as long as lines are indented deeper than it, a header only as long as they end in a comma or an
    opening bracket: what comes then is its body.
    """
    text = scan.text
    is_header = _HEADER_WORD.match(text, code) is not None
    is_empty = False
    end = position = last = code
    while match := TOKEN.search(text, position):
        begin, position = match.span()
        kind = text[begin]
        if kind in "'\"":
            position = _string_end(scan, begin, position)
        if kind not in "\r\n":
            last = position if kind != "#" else last
            continue
        if not is_empty:
            end = position
            before = text[last:begin].partition("#")[0].rstrip()
            goes_on = before.endswith(",") or (not before and text[last - 1] in "([{\\")
            if is_header and not goes_on:
                return end
        last = position
        blank = _LEAD.match(text, position)
        assert blank is not None
        is_empty = blank.lastgroup == "empty"
        if is_empty:
            continue
        if _STATEMENT.match(text, position):
            return end
        if indentation_width(blank.group()) <= width and text[blank.end()] not in ")]}":
            return end
    return end if is_empty else len(text)


def _string_end(scan: _Scan, quote_at: int, simple_end: int) -> int:
    """After the string whose opening quote is at `quote_at`; an unterminated one ends with its line."""
    text = scan.text
    quote = text[quote_at]
    if text.startswith(quote * 3, quote_at):
        return _triple_string_end(scan, quote_at, quote * 3)
    return _simple_string_end(text, quote_at, simple_end)


def _simple_string_end(text: str, quote_at: int, end: int) -> int:
    prefix = text[max(quote_at - 2, 0) : quote_at].lower()
    if prefix.endswith(("f", "t", "fr", "tr")) and text.find("{", quote_at, end) >= 0:
        return _format_string_end(text, quote_at) or end
    return end


def _triple_string_end(scan: _Scan, quote_at: int, quote: str) -> int:
    text = scan.text
    known = scan.doubtful.get(quote_at)
    if known is not None:
        return known
    end = _triple_close(text, quote_at + 3, quote)
    if end >= 0 and not _holds_outer_header(text, quote_at, end):
        return end
    # Code that stands outside of where the string began, inside of it: either a template, or the opening quote
    # was only just typed and has paired up with the next docstring's. Then quotes are left over in the end.
    if end < 0:
        scan.odd_quotes = True
    elif scan.odd_quotes is None:
        scan.odd_quotes = _leaves_string_open(text, end)
    if scan.odd_quotes:
        scan.odd_quotes = None
        end = _physical_end(text, quote_at)
    scan.doubtful[quote_at] = end
    return end


def _holds_outer_header(text: str, start: int, end: int) -> bool:
    header = _HEADER_IN_STRING.search(text, start, end)
    if not header:
        return False
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    blank = _LEAD.match(text, line_start)
    width = indentation_width(blank.group()) if blank and blank.lastgroup != "empty" else 0
    while header:
        inner = indentation_width(header.group(1))
        if inner < width or inner == width == 0:
            return True
        header = _HEADER_IN_STRING.search(text, header.end(), end)
    return False


def _leaves_string_open(text: str, position: int) -> bool:
    """Whether taking quotes as they come from here on ends inside a triple-quoted string."""
    while match := _STRING_OR_COMMENT.search(text, position):
        position = match.end()
        quote = match.group()
        if quote[0] == "#":
            continue
        if text.startswith(quote * 3, match.start()):
            position = _triple_close(text, match.start() + 3, quote * 3)
            if position < 0:
                return True
            continue
        whole = TOKEN.match(text, match.start())
        assert whole is not None
        position = _simple_string_end(text, match.start(), whole.end())
    return False


def _triple_close(text: str, position: int, quote: str) -> int:
    start = position
    while (found := text.find(quote, position)) >= 0:
        backslashes = 0
        while found - backslashes > start and text[found - backslashes - 1] == "\\":
            backslashes += 1
        if backslashes % 2 == 0:
            return found + 3
        position = found + 1
    return -1


def _physical_end(text: str, position: int) -> int:
    match = _TO_LINE_END.match(text, position)
    assert match is not None
    return match.end()


_TO_LINE_END = re.compile(r"[^\r\n]*")
_FORMAT_PART = re.compile(r"\\[^{}]|\{\{|\}\}|[{}'\"\r\n]")
_FIELD_PART = re.compile(r"[()\[\]{}\r\n#]|\"|'")
_DEEPEST_FORMAT_STRING = 8


def _format_string_end(text: str, quote_at: int, depth: int = 0) -> int | None:
    """After a single-line f-string, with its fields and the strings in them; None if it doesn't end well."""
    if depth > _DEEPEST_FORMAT_STRING:
        return None
    quote = text[quote_at]
    fields = 0
    position = quote_at + 1
    while True:
        match = (_FIELD_PART if fields else _FORMAT_PART).search(text, position)
        if match is None:
            return None
        part, position = match.group(), match.end()
        if part in "\r\n" and not (fields and _MULTI_LINE_FIELDS):
            return None
        if part == "#" and fields:
            return None
        if fields and part in "'\"":
            inner = _inner_string_end(text, match.start(), depth)
            if inner is None:
                return None
            position = inner
        elif part == quote and not fields:
            return position
        elif part in ("{", "(", "[") and (fields or part == "{"):
            fields += 1
        elif fields and part in ("}", ")", "]"):
            fields -= 1


def _inner_string_end(text: str, quote_at: int, depth: int) -> int | None:
    quote = text[quote_at]
    if text.startswith(quote * 3, quote_at):
        end = _triple_close(text, quote_at + 3, quote * 3)
        return end if end >= 0 else None
    if text[quote_at - 1 : quote_at].lower() in ("f", "t"):
        return _format_string_end(text, quote_at, depth + 1)
    whole = TOKEN.match(text, quote_at)
    assert whole is not None
    return whole.end() if is_closed(text, quote_at, whole.end()) else None
