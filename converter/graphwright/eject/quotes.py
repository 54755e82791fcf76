"""Changes the text of an expression outside of what it quotes; what is changed isn't decided here."""

from __future__ import annotations

import re
from collections.abc import Callable


def outside_of_quotes(text: str, change: Callable[[str], str]) -> str:
    """A text that is changed where it isn't quoted, or in the brackets of an f-string."""
    pieces, position = list[str](), 0
    for found in _QUOTED.finditer(text):
        prefix, quoted = found.groups()
        if "f" in prefix.lower():
            quoted = _BRACKETS.sub(lambda part: change(part.group()), quoted)
        pieces += [change(text[position : found.start()]), prefix, quoted]
        position = found.end()
    return "".join([*pieces, change(text[position:])])


_QUOTED = re.compile(r"""(?<!\w)([A-Za-z]*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_BRACKETS = re.compile(r"\{[^{}]*\}")
