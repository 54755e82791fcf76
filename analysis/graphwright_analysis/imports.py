"""An import as it is written. Where it leads is for `project_files` to find."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Import:
    """`from <dots><module> import <name>`, or `import <module>` where `name` is None."""

    module: str
    level: int
    name: str | None
