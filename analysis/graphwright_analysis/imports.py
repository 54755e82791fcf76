"""An import as it is written. Where it leads is for `project_files` to find."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from .immutability import immutable


@immutable
class Import:
    """`from <dots><module> import <name>`, or `import <module>` where `name` is None."""

    module: str
    level: int
    name: str | None

    @property
    def absolute(self) -> str:
        """The module that it names; empty where that is told from the file's own place."""
        return "" if self.level else self.module


def written_in(text: str) -> Iterator[Import]:
    """The imports in a text, found without parsing it; what looks like one in a string is among them."""
    for match in _WRITTEN.finditer(text):
        dots, module, names, plain = match.groups()
        if plain is not None:
            yield from (Import(name, 0, None) for name in _names(plain))
        else:
            yield from (Import(module, len(dots), name) for name in _names(names))


def _names(text: str) -> Iterator[str]:
    """What stands between commas, without what follows `as`, comments and brackets."""
    for part in _NO_NAME.sub(" ", text).split(","):
        if words := part.split():
            yield words[0]


_WRITTEN = re.compile(
    r"""^[ \t]*(?:
        from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]*\bimport\b[ \t]*(\([^)]*\)|(?:[^\n\\;]|\\\n)*)
        |import[ \t]+((?:[^\n\\;]|\\\n)*)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_NO_NAME = re.compile(r"#[^\n]*|[()\\]")


def leads_outside(imported: Import) -> bool:
    """Whether an import is known to lead out of any project."""
    return not imported.level and imported.module.partition(".")[0] in _OUTSIDE


_OUTSIDE = frozenset({*sys.stdlib_module_names, "tensorflow", "keras", "numpy", "graphwright"})
