"""How wide a character is in each of the protocol's position encodings.

Used by `to_lsp` and `from_lsp` alone.
"""

from __future__ import annotations

import enum


class Encoding(enum.Enum):
    """A position encoding; the value is the protocol's name for it."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def width_in(text: str, encoding: Encoding) -> int:
    """How many units a text takes."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
