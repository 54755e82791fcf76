"""What another file of the project has: a value that is looked up there when it is read."""

from __future__ import annotations

from dataclasses import dataclass

from .domain import Value


@dataclass(frozen=True, slots=True)
class Elsewhere(Value):
    """What a file has under a name, or the file itself, where that is None."""

    file: str
    name: str | None
