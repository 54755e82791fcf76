"""What the command line knows of a terminal: colour, the width of characters, a progress bar.

It doesn't know what is printed.
"""

from __future__ import annotations

import os
import re
import sys
import time
import unicodedata
from typing import TextIO

from graphwright_analysis import immutable

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAB_STOP = 4


@immutable
class TerminalStyle:
    """How to paint text: in colour, or not at all."""

    colour: bool

    def __call__(self, text: str, *names: str) -> str:
        if not self.colour or not text:
            return text
        return f"\033[{';'.join(_CODES[name] for name in names)}m{text}\033[0m"


def style_for(stream: TextIO, choice: str) -> TerminalStyle:
    """The style for a stream, by `--color`, NO_COLOR, FORCE_COLOR, TERM and what the stream is."""
    if choice != "auto":
        return TerminalStyle(choice == "always")
    if os.environ.get("NO_COLOR"):
        return TerminalStyle(False)
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return TerminalStyle(True)
    if os.environ.get("TERM") == "dumb" or not is_terminal(stream):
        return TerminalStyle(False)
    return TerminalStyle(_windows_understands_colour())


def is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # a closed stream
        return False


def printable(text: str) -> str:
    """The text with what would steer the terminal made visible instead."""
    return _CONTROL.sub(lambda match: _visible(match[0]), text)


def cells(line: str) -> list[tuple[str, int]]:
    """What to print for each character of a line, and how many columns it takes."""
    result: list[tuple[str, int]] = []
    column = 0
    for character in line:
        shown, width = _cell(character, column)
        result.append((shown, width))
        column += width
    return result


class ProgressBar:
    """A bar on a terminal that appears once the work has taken a second."""

    def __init__(self, total: int, doing: str = "Checking", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._doing = doing
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._drawn = 0.0
        self._enabled = is_terminal(self._stream) and os.environ.get("TERM") != "dumb"

    def advance(self) -> None:
        self._done += 1
        now = time.monotonic()
        if not self._enabled or now - self._started < 1 or now - self._drawn < 0.1:
            return
        self._drawn = now
        filled = 30 * self._done // max(self._total, 1)
        bar = "#" * filled + "-" * (30 - filled)
        self._stream.write(f"\r\033[K{self._doing} [{bar}] {self._done}/{self._total}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away, so that something can be printed."""
        if self._drawn:
            self._drawn = 0.0
            self._stream.write("\r\033[K")
            self._stream.flush()


class Steps:
    """The step that is under way, on a line of a terminal that is taken away again."""

    def __init__(self, quiet: bool, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._enabled = not quiet and is_terminal(self._stream) and os.environ.get("TERM") != "dumb"

    def show(self, step: str) -> None:
        if self._enabled:
            self._stream.write(f"\r\033[K{step}...")
            self._stream.flush()

    def clear(self) -> None:
        if self._enabled:
            self._stream.write("\r\033[K")
            self._stream.flush()


def _cell(character: str, column: int) -> tuple[str, int]:
    if character == "\t":
        width = _TAB_STOP - column % _TAB_STOP
        return " " * width, width
    if _CONTROL.match(character):
        shown = _visible(character)
        return shown, len(shown)
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _visible(character: str) -> str:
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else f"<U+{code:04X}>"


def _windows_understands_colour() -> bool:
    if sys.platform != "win32":
        return True
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.GetStdHandle(-11)
    mode = ctypes.c_uint32()
    enable_escape_sequences = 0x0004
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | enable_escape_sequences))
