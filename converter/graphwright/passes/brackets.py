"""Which brackets, commas and colons of a piece of Python stand where, by its text alone. It parses nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator


def is_enclosed(text: str) -> bool:
    """Whether text is all inside one pair of brackets."""
    closed = next((end for token, depth, end in _marks(text) if depth == 0 and token in ")]}"), 0)
    return text[:1] in ("(", "[", "{") and closed == len(text)


def is_balanced(text: str) -> bool:
    """Whether every bracket that is opened is closed."""
    depths = [depth for _, depth, _ in _marks(text)]
    return not depths or depths[-1] == 0


def has_comma(text: str) -> bool:
    """Whether text is a tuple without parentheses."""
    is_lambda = False
    for token, depth, _ in _marks(text):
        if depth == 0 and token in ("lambda", ":"):
            is_lambda = token == "lambda"
        elif depth == 0 and token == "," and not is_lambda:
            return True
    return False


def parted(text: str) -> list[str]:
    """The parts of text between the commas that stand in no brackets and belong to no lambda."""
    parts: list[str] = []
    start = 0
    for token, depth, end in _marks(text):
        if token == "lambda" and depth == 0:
            return [text]
        if token == "," and depth == 0:
            parts.append(text[start : end - 1].strip())
            start = end
    return [*parts, text[start:].strip()]


def is_broken(text: str) -> bool:
    """Whether a line of the text ends outside of all brackets."""
    return any(token == "\n" and depth == 0 for token, depth, _ in _marks(text))


def header_end(text: str, start: int) -> int:
    """After the colon of the header that begins at `start`."""
    return next((end for token, depth, end in _marks(text, start) if token == ":" and depth == 0), len(text))


def _marks(text: str, start: int = 0) -> Iterator[tuple[str, int, int]]:
    """Brackets, commas, colons, line ends and `lambda`, with the depth after each and where it ends.

    Strings and comments are passed over.
    """
    depth = 0
    for match in _TOKEN.finditer(text, start):
        token = match.group()
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        elif token not in (",", ":", "\n", "lambda"):
            continue
        yield token, depth, match.end()


_TOKEN = re.compile(
    r"\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*|\blambda\b|[()\[\]{},:\n]"
)


def assigns(value: str) -> bool:
    """True if what is assigned is itself an assignment, as in `first = second = 1`."""
    try:
        ast.parse(value, mode="eval")
    except SyntaxError:
        return True
    return False


def cannot_fail(text: str) -> bool:
    """Whether nobody will ever look for the line of a piece: it names a function, or a value that is there."""
    if not text.startswith("lambda"):
        return text.replace(".", "").isidentifier()
    body = _STRINGS.sub("", _REPORTS.sub("", text.partition(": ")[2]))
    return _CALLS.search(body) is None and all(
        part.isidentifier() or part.isdigit() for part in _WORDS.split(body) if part
    )


_REPORTS = re.compile(r"\b\w+\.(?:last|more|returned|pending|never)\b")
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_CALLS = re.compile(r"\w\(|\.")
_WORDS = re.compile(r"[-(), ]+")
