"""An import as it is written. Where it leads is for `project_files` to find."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Import:
    """`from <dots><module> import <name>`, or `import <module>` where `name` is None."""

    module: str
    level: int
    name: str | None


def leads_outside(asked: Import) -> bool:
    """Whether an import is known to lead out of any project."""
    return not asked.level and asked.module.partition(".")[0] in _OUTSIDE


_OUTSIDE = frozenset({*sys.stdlib_module_names, "tensorflow", "keras", "numpy", "graphwright"})
