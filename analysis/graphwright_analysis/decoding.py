"""The text of Python source from its bytes, as Python decodes it. It reads no file."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A source's text as it stands, line ends and all, and how its bytes were written."""

    text: str
    encoding: str


def decode_source(data: bytes) -> Source:
    """The text by its byte order mark, or the encoding that it declares; raises SyntaxError or UnicodeError."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return Source(data.decode(encoding), encoding)
