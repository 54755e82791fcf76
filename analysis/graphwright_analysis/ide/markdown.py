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


def _longest(text: str) -> int:
    """The length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
