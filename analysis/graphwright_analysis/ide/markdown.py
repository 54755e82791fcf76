"""Code in Markdown: spans and blocks that end where they should, whatever backticks the code has.

What is said around it is the others' business.
"""

from __future__ import annotations

import re


def code(text: str) -> str:
    """A code span."""
    text = " ".join(text.splitlines()) or " "
    ticks = "`" * (_longest(text) + 1 if "`" in text else 1)
    blank = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def block(text: str, language: str = "python") -> str:
    """A block of code."""
    ticks = "`" * max(_longest(text) + 1, 3)
    return f"{ticks}{language}\n{text}\n{ticks}"


def cell(text: str) -> str:
    """A code span in a table, whose columns it mustn't end."""
    return code(text).replace("|", "\\|")


def prose(text: str) -> str:
    """Words of a file that anyone may have written: code spans stay, everything else is shown as it is written."""
    parts, at = list[str](), 0
    for span in _SPAN.finditer(text):
        parts += [_escaped(text[at : span.start()]), code(span[2].strip() or span[2])]
        at = span.end()
    return "".join([*parts, _escaped(text[at:])])


_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_MARKUP = re.compile(r"[\\`*_{}\[\]()<>&#|~!@$]|:(?=//)|(?<=www)\.|^\s*(?:[-+]|\d+(?=[.)]))")


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: "\\" + found[0] if len(found[0]) == 1 else found[0], " ".join(text.splitlines()))


def _longest(text: str) -> int:
    """The length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
