"""Decodes Python source as Python does. It reads no file."""

from __future__ import annotations

import codecs
import io
import tokenize

from .immutability import immutable


@immutable
class Source:
    """A source's text with its original line ends, and its encoding."""

    text: str
    encoding: str


def decode_source(data: bytes) -> Source:
    """Decode by the byte order mark or the declared encoding; raise SyntaxError or LookupError."""
    if is_utf16(data):
        raise SyntaxError("Python doesn't read UTF-16; save the file as UTF-8")
    encoding = _encoding_of(data)
    try:
        return Source(data.decode(encoding), encoding)
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise SyntaxError(f"line {line} isn't {encoding}; save the file as UTF-8, or declare its encoding") from None
    except UnicodeError as problem:  # from codecs that aren't for text
        raise SyntaxError(str(problem)) from None


def is_utf16(data: bytes) -> bool:
    """True if the bytes begin with a byte order mark of UTF-16."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _encoding_of(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as problem:
        if "missing" in str(problem):  # no declaration, and the first two lines aren't UTF-8
            return "utf-8"
        if str(problem).startswith("encoding problem"):
            raise SyntaxError(
                "it begins with the byte order mark of UTF-8, but declares another encoding; remove the declaration"
            ) from None
        raise
