"""What another file of the project has: a value that is looked up there when it is read."""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

from .domain import Value


@immutable
class Elsewhere(Value):
    """What a file has under a name, or the file itself, where that is None."""

    file: str
    name: str | None
