"""Reads a rule's page, its parts by heading and the code under each, and the catalogue of what is to be found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from graphwright_analysis import Rule


@dataclass(frozen=True, slots=True)
class Page:
    text: str

    @property
    def parts(self) -> list[tuple[str, str]]:
        pieces = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)
        return list(zip(pieces[1::2], pieces[2::2], strict=True))

    @property
    def bad(self) -> str:
        return self._code("Bad")

    @property
    def good(self) -> str:
        return self._code("Good")

    @property
    def evidence(self) -> str:
        return self._code("Evidence")

    def _code(self, heading: str) -> str:
        found = re.search(r"^```python\n(.*?)^```$", dict(self.parts)[heading], re.MULTILINE | re.DOTALL)
        assert found, f"no code under {heading!r}"
        return found.group(1)


def read_page(rule: Rule) -> Page:
    return Page(rule.page)


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule in the catalogue: programs with what it is to find, and with that cured."""

    rule: str
    bad: str
    cured: str


CATALOGUE = sorted((Path(__file__).parent / "catalogue").glob("*.md"))


def read_entries(page: Path) -> list[Entry]:
    return [
        Entry(rule, _IMPORTS + bad, _IMPORTS + cured) for rule, bad, cured in _ENTRY.findall(page.read_text("utf-8"))
    ]


_IMPORTS = "import numpy as np\nimport tensorflow as tf\n"
_ENTRY = re.compile(
    r"^## ([\w-]+)\n.*?^Bad:\n\n```python\n(.*?)^```\n.*?^Fixed:\n\n```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)
