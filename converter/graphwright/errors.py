"""The error that says why a piece of code can't be converted.

What goes wrong later, while TensorFlow traces or runs, keeps the type that it has.
"""

from __future__ import annotations


class ConversionError(Exception):
    """Code that can't be converted: which construct, where, and what to write instead."""

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        place = f"{file}:{line}: " if file and line else ""
        super().__init__(place + message)
        self.file = file
        self.line = line
